// What was packed by the last build, by the digest of what it was packed of: to pack the program well takes most of a build.
import {mkdir, readdir, readFile, rename, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {sha256} from './files.ts';

export interface Cache {
  /** Returns what make makes of bytes, or made in the last build. The name says how, with the versions of what makes it. */
  get(name: string, bytes: Buffer, make: (bytes: Buffer) => Promise<Buffer>): Promise<Buffer>;
  /** Forgets what was not asked for. */
  tidy(): Promise<void>;
}

export async function openCache(folder: string): Promise<Cache> {
  await mkdir(folder, {recursive: true});
  const used = new Set<string>();
  return {
    async get(name, bytes, make) {
      const key = sha256(`${name} ${sha256(bytes)}`);
      used.add(key);
      const path = join(folder, key);
      const kept = await readFile(path).catch(() => null);
      if (kept) return kept;
      const made = await make(bytes);
      // A build that is stopped leaves no half of a file under the name.
      await writeFile(`${path}.${process.pid}`, made);
      await rename(`${path}.${process.pid}`, path);
      return made;
    },
    async tidy() {
      for (const name of await readdir(folder)) if (!used.has(name)) await rm(join(folder, name));
    },
  };
}
