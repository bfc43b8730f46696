// A dump and symbols with words that are nowhere else, and the search for them in a folder.
import {readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {expect} from 'vitest';
import {project} from './browser.ts';
import {Planter, streamType} from './plant.ts';

const inDump = 'kanarienvogel-in-the-dump';
const inName = 'kanarie-of-a-thread';

/** In the name of the innermost function. */
export const inSymbols = 'kanariensymbol_of_a_function';

/** In the dump's memory, in a thread's name and in the symbols. */
export const canaries: readonly string[] = [inDump, inName, inSymbols];

/** Kept by the page under test on purpose: a search that does not find it finds nothing. */
export const witness = 'witness-of-the-test';

/** Writes a dump and its symbols into a folder and returns their paths. */
export function plantCanaries(folder: string): string[] {
  const dump = new Planter(readFileSync(project('web/example/crash.dmp')))
    .stream(streamType.environment, `SECRET=${inDump}\0`)
    .threadName(0, inName).dump;
  const symbols = readFileSync(project('web/example/desk.sym'), 'utf8').replaceAll(
    'desk::available',
    `desk::${inSymbols}`,
  );
  const files = [join(folder, 'a.dmp'), join(folder, 'desk.sym.gz')] as const;
  writeFileSync(files[0], dump);
  // As large as what a browser may want to have on the disk.
  writeFileSync(files[1], gzipSync(symbols + `FUNC ffffff00 1 0 ${inSymbols}\n`.repeat(200_000)));
  return [...files];
}

/** Every file below a folder. */
const below = (at: string): string[] =>
  readdirSync(at, {recursive: true, withFileTypes: true})
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name));

/** The files below a folder that hold a word, in either width of characters. */
function holding(folder: string, word: string): string[] {
  const forms = [Buffer.from(word), Buffer.from(word, 'utf16le')];
  return below(folder).filter(path => {
    const data = readFileSync(path);
    return forms.some(form => data.includes(form));
  });
}

/** Waits until the browser has written the witness, which was given to it last. */
export async function untilWritten(profile: string): Promise<void> {
  await expect.poll(() => holding(profile, witness), {interval: 250}).not.toEqual([]);
}

/** Expects a profile that was written to, in which the witness is found and no canary. */
export function expectNoCanary(profile: string): void {
  expect(below(profile).reduce((sum, path) => sum + statSync(path).size, 0)).toBeGreaterThan(1e6);
  expect(holding(profile, witness)).not.toEqual([]); // the search finds what is there
  for (const word of canaries) expect(holding(profile, word), word).toEqual([]);
}
