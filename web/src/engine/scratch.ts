// A file in the browser's private file system, for decompressed data that does not fit into memory, such as the core of a large process. Only the worker that
// decompresses has it open, and the browser lets no other page read or remove it meanwhile.
//
// A worker may be ended without warning, and then cannot remove its file. The next worker or the next visit removes it.

/** The synchronous file that Go writes and reads. */
export interface Scratch {
  /** Returns how many bytes were written. Properties and not methods, because Go calls them without the object. */
  readonly write: (offset: number, bytes: Uint8Array<ArrayBuffer>) => number;
  /** Returns exactly count bytes: zeros after the end. */
  readonly read: (offset: number, count: number) => Uint8Array<ArrayBuffer>;
}

const FOLDER = 'unpacked';

/** The parts of the file system's interface that TypeScript's types lack. */
interface SyncFile {
  createSyncAccessHandle(): Promise<{
    read(to: Uint8Array<ArrayBuffer>, options: {at: number}): number;
    write(from: Uint8Array<ArrayBuffer>, options: {at: number}): number;
  }>;
}

interface Folder {
  keys(): AsyncIterable<string>;
  removeEntry(name: string): Promise<void>;
  getFileHandle(name: string, options: {create: boolean}): Promise<SyncFile>;
}

const folder = async (create: boolean): Promise<Folder> => {
  const root = await navigator.storage.getDirectory();
  return (await root.getDirectoryHandle(FOLDER, {create})) as unknown as Folder;
};

/** Removes the files of workers that are gone. Files in use cannot be removed. */
export async function sweep(): Promise<void> {
  try {
    const files = await folder(false);
    for await (const name of files.keys()) await files.removeEntry(name).catch(() => undefined);
  } catch {
    // There are no such files, or no such file system.
  }
}

/** A new file, or null if the browser has no private file system: a page from a file, a private window, an older browser. */
export async function openScratch(): Promise<Scratch | null> {
  try {
    const files = await folder(true);
    const file = await files.getFileHandle(crypto.randomUUID(), {create: true});
    const handle = await file.createSyncAccessHandle();
    return {
      write: (at, bytes) => handle.write(bytes, {at}),
      read: (at, count) => {
        const bytes = new Uint8Array(count);
        handle.read(bytes, {at});
        return bytes;
      },
    };
  } catch {
    return null;
  }
}

/** How compressed files and archives begin: gzip, zstd, xz, lz4, zip, cabinet. */
const MAGICS = ['1f8b', '28b52ffd', 'fd377a585a', '04224d18', '504b', '4d534346'];
/** Unpacked, a smaller file exceeds memory only if it was made for that. */
const SMALL = 64 << 10;

/** Whether a file of so many bytes that begins like this may become more than memory has room for. */
export function mayGrow(size: number, head: Uint8Array): boolean {
  if (size < SMALL) return false;
  const hex = [...head.subarray(0, 5)].map(byte => byte.toString(16).padStart(2, '0')).join('');
  return MAGICS.some(magic => hex.startsWith(magic));
}
