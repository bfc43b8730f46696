// The compressed files of the last build, by the digest of what they were made of: compressing the program takes most of a build.
import {mkdir, readdir, readFile, rename, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {sha256} from './files.ts';

export interface Cache {
  /** The result of make for these bytes, now or in the last build. The name identifies make, with the versions of what it uses. */
  get(name: string, bytes: Buffer, make: (bytes: Buffer) => Promise<Buffer>): Promise<Buffer>;
  /** Removes what was not requested. */
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
      const cached = await readFile(path).catch(() => null);
      if (cached) return cached;
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
