// Handles of files: a browser with the File System Access API keeps them for a page, which may open the same files again after
// the user agrees. A handle holds the location of a file, and none of its content.
import {below, type Dropped, type Entry} from './drop.ts';

/** Parts of handles that TypeScript's types lack. */
export interface Handle extends FileSystemHandle {
  queryPermission(how: {readonly mode: 'read'}): Promise<PermissionState>;
  requestPermission(how: {readonly mode: 'read'}): Promise<PermissionState>;
}

/** Handles of dropped files, if the browser has them; they must be taken before the event is over. */
export function handlesOf(transfer: DataTransfer): Promise<readonly Handle[]> {
  const items = [...transfer.items].filter(item => item.kind === 'file') as readonly WithHandle[];
  const asked = items.map(item => item.getAsFileSystemHandle?.().catch(() => null) ?? null);
  return Promise.all(asked).then(handles => handles.filter(handle => handle !== null));
}

/** A part of the File System Access API that TypeScript's types lack. */
interface WithHandle extends DataTransferItem {
  getAsFileSystemHandle?(): Promise<Handle | null>;
}

/** The files of these handles, and all files below their folders. */
export const filesOf = (handles: readonly Handle[]): Promise<Dropped> => below(handles.map(handle => entryOf(handle)));

function entryOf(handle: FileSystemHandle, folder = ''): Entry {
  const path = `${folder}${handle.name}`;
  return {
    path,
    isFile: handle.kind === 'file',
    file: () => (handle as FileSystemFileHandle).getFile(),
    children: async () => (await membersOf(handle)).map(child => entryOf(child, `${path}/`)),
  };
}

async function membersOf(folder: FileSystemHandle): Promise<readonly FileSystemHandle[]> {
  const members: FileSystemHandle[] = [];
  for await (const member of (folder as unknown as {values(): AsyncIterable<FileSystemHandle>}).values()) {
    members.push(member);
  }
  return members;
}

/** Whether the browser lets the page read a file: at once, after the user agrees, or never. */
export const permission = (handle: Handle): Promise<PermissionState> => handle.queryPermission({mode: 'read'});

/** The handles that may be read, after the user was asked about each that needs it. */
export async function permitted(handles: readonly Handle[]): Promise<Handle[]> {
  const out: Handle[] = [];
  for (const handle of handles) {
    if ((await handle.requestPermission({mode: 'read'}).catch(() => 'denied')) === 'granted') out.push(handle);
  }
  return out;
}
