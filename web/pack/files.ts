// The files of a folder with their digests, and the licences of linked code.
import {createHash} from 'node:crypto';
import {readdir, readFile} from 'node:fs/promises';
import {join, relative, sep} from 'node:path';

/** Paths below a folder, with slashes, sorted by bytes. */
export async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, {recursive: true, withFileTypes: true});
  const paths = entries
    .filter(entry => entry.isFile())
    .map(entry => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'));
  return paths.sort((a, b) => (a < b ? -1 : 1));
}

/** The SHA-256 of bytes, in hex as sha256sum prints it or in base64 as policies need it. */
export const sha256 = (bytes: string | Uint8Array, as: 'hex' | 'base64' = 'hex'): string =>
  createHash('sha256').update(bytes).digest(as);

export const digestOf = async (file: string): Promise<string> => sha256(await readFile(file));

const programs = '\nOf crashglass, the program for the command line, and not of the page:\n';

/** Those of the page, and those of what only the program for the command line contains. */
export async function notices(file: string): Promise<{page: string; program: string}> {
  const [page, program, ...more] = (await readFile(file, 'utf8')).split(programs);
  if (page === undefined || program === undefined || more.length > 0) throw new Error(`${file} has other parts`);
  return {page, program};
}
