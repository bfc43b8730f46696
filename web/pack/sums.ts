// The manifest: one line for each file, as sha256sum writes and checks it.
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {digestOf, filesOf} from './files.ts';

export const SUMS = 'SHA256SUMS';

/** Writes the manifest of a folder into it. */
export async function sums(dist: string): Promise<void> {
  const lines: string[] = [];
  for (const path of await filesOf(dist)) {
    if (path !== SUMS) lines.push(`${await digestOf(join(dist, path))}  ${path}\n`);
  }
  await writeFile(join(dist, SUMS), lines.join(''));
}

/** The digest of each path in a manifest. */
export async function readSums(dist: string): Promise<Map<string, string>> {
  const text = await readFile(join(dist, SUMS), 'utf8');
  const said = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, digest, path] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line) ?? [];
    if (digest !== undefined && path !== undefined) said.set(path, digest);
  }
  return said;
}

/** The differences between a folder and its manifest, one sentence each. */
export async function defects(dist: string): Promise<string[]> {
  const said = await readSums(dist).catch(() => null);
  if (said === null) return [`There is no ${SUMS}.`];
  const found: string[] = [];
  for (const path of await filesOf(dist)) {
    const digest = said.get(path);
    said.delete(path);
    if (path === SUMS) continue;
    if (digest === undefined) found.push(`${path} is not in ${SUMS}.`);
    else if (digest !== (await digestOf(join(dist, path)))) found.push(`${path} does not match ${SUMS}.`);
  }
  for (const path of said.keys()) found.push(`${path} is missing.`);
  return found;
}
