// Handles of files: a browser with the File System Access API keeps them for a page, which may open the same files again after
// the user agrees. A handle is the location of a file, without its content. The browser's dialogs return them.
import {below, type Dropped, type Entry} from './drop.ts';

/** Parts of handles that TypeScript's types lack. */
export interface Handle extends FileSystemHandle {
  queryPermission(how: {readonly mode: 'read'}): Promise<PermissionState>;
  requestPermission(how: {readonly mode: 'read'}): Promise<PermissionState>;
}

/** Handles of dropped files, if the browser has them; this must be called during the event. */
export function handlesOf(transfer: DataTransfer): Promise<readonly Handle[]> {
  const items = [...transfer.items].filter(item => item.kind === 'file') as readonly WithHandle[];
  const requests = items.map(item => item.getAsFileSystemHandle?.().catch(() => null) ?? null);
  return Promise.all(requests).then(handles => handles.filter(handle => handle !== null));
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

/** The handles that may be read, after requests for the permissions that are missing. */
export async function permitted(handles: readonly Handle[]): Promise<Handle[]> {
  const out: Handle[] = [];
  for (const handle of handles) {
    if ((await handle.requestPermission({mode: 'read'}).catch(() => 'denied')) === 'granted') out.push(handle);
  }
  return out;
}

/** Parts of the File System Access API that TypeScript's types lack. */
interface Pickers {
  showOpenFilePicker?(how: {readonly multiple: true}): Promise<readonly Handle[]>;
  showDirectoryPicker?(): Promise<Handle>;
}

export interface Picker {
  /** Shows the dialog for files, or for a folder; null if the ordinary dialog is needed. */
  pick(folder: boolean): Promise<readonly Handle[]> | null;
}

/**
 * The dialogs of this window. Chromium refuses system folders in them, such as C:\Windows\Minidump, and the page cannot distinguish
 * this from cancelling. After a dialog without a choice, the next dialog is the ordinary one.
 */
export function createPicker(window: Pickers = globalThis as Pickers): Picker {
  let refused = false;
  return {
    pick: folder => {
      const pick = folder
        ? window.showDirectoryPicker && (async () => [await window.showDirectoryPicker?.()].flatMap(one => one ?? []))
        : window.showOpenFilePicker && (async () => (await window.showOpenFilePicker?.({multiple: true})) ?? []);
      if (!pick || refused) {
        refused = false;
        return null;
      }
      return pick().catch(() => {
        refused = true;
        return [];
      });
    },
  };
}
