// Compares a dist/ with its manifest, and with another build of the same tree.
//
//   node pack/run.js verify.ts DIST [OTHER]
import {readFile} from 'node:fs/promises';
import {join, resolve} from 'node:path';
import {isCopy, unpacked} from './compress.ts';
import {filesOf} from './files.ts';
import {defects, readSums, SUMS} from './sums.ts';

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** The differences between two builds, one sentence each. A compressed file may differ although its content is equal. */
async function differences(dist: string, other: string): Promise<string[]> {
  const [said, expected] = [await readSums(dist), await readSums(other)];
  const found: string[] = [];
  for (const path of new Set([...said.keys(), ...expected.keys()])) {
    if (said.get(path) === expected.get(path)) continue;
    if (!said.has(path)) found.push(`${path} is missing.`);
    else if (!expected.has(path)) found.push(`${path} is no part of this build.`);
    else if (isCopy(path) && (await sameInside(join(dist, path), join(other, path)))) {
      found.push(`${path} has the same content, compressed by another version of Node.`);
    } else found.push(`${path} differs.`);
  }
  return found;
}

const sameInside = async (a: string, b: string): Promise<boolean> => (await unpacked(a)).equals(await unpacked(b));

/** Compressed copies whose content differs from their file. */
async function liars(dist: string): Promise<string[]> {
  const found: string[] = [];
  for (const path of await filesOf(dist)) {
    if (!isCopy(path)) continue;
    const plain = await readFile(join(dist, path.slice(0, -3)));
    if (!plain.equals(await unpacked(join(dist, path)))) found.push(`${path} does not contain ${path.slice(0, -3)}.`);
  }
  return found;
}

/** Prints the differences and returns whether there are none. */
export async function verify(dist: string, other: string | undefined): Promise<boolean> {
  const wrong = await defects(dist);
  if (wrong.length === 0) wrong.push(...(await liars(dist)));
  if (wrong.length === 0 && other !== undefined) wrong.push(...(await differences(dist, other)));
  for (const sentence of wrong) say(sentence);
  if (wrong.length > 0) return false;
  const files = (await readSums(dist)).size;
  say(
    `${dist}: ${files} files are what ${SUMS} says${other === undefined ? '' : ', and what this tree builds, byte for byte'}.`,
  );
  return true;
}

const [dist, other] = process.argv.slice(3);
if (dist === undefined) throw new Error('usage: verify.ts DIST [OTHER]');
process.exitCode = (await verify(resolve(dist), other === undefined ? undefined : resolve(other))) ? 0 : 1;
