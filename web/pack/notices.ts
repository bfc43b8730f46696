// The licences of linked code, in the two parts of THIRD_PARTY_LICENSES.
import {readFile} from 'node:fs/promises';

const programs = '\nOf crashglass, the program for the command line, and not of the page:\n';

/** Those of the page, and those of what only the program for the command line contains. */
export async function notices(file: string): Promise<{page: string; program: string}> {
  const [page, program, ...more] = (await readFile(file, 'utf8')).split(programs);
  if (page === undefined || program === undefined || more.length > 0) throw new Error(`${file} has other parts`);
  return {page, program};
}
