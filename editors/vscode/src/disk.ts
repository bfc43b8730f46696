// Files of this machine, in ranges: a core may be larger than memory.
import {open} from 'node:fs/promises';
import {basename} from 'node:path';
import type {Source} from './parts.ts';

export async function onDisk(path: string): Promise<Source> {
  const file = await open(path);
  return {
    name: basename(path),
    size: (await file.stat()).size,
    read: async (at, length) => {
      const bytes = new Uint8Array(length);
      const {bytesRead} = await file.read(bytes, 0, length, at);
      return bytes.subarray(0, bytesRead);
    },
    close: () => file.close(),
  };
}
