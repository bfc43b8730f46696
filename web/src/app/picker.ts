// The browser's dialogs that give handles of files.
import type {Handle} from './handles.ts';

/** Parts of the File System Access API that TypeScript does not know of yet. */
interface Pickers {
  showOpenFilePicker?(how: {readonly multiple: true}): Promise<readonly Handle[]>;
  showDirectoryPicker?(): Promise<Handle>;
}

export interface Picker {
  /** Asks the person for files, or for a folder; null where the ordinary dialog has to do that. */
  pick(folder: boolean): Promise<readonly Handle[]> | null;
}

/**
 * The dialogs of this window. Chromium refuses system folders in them, such as C:\Windows\Minidump, and tells the page nothing else
 * than when the person cancels: after one without an answer the next dialog is the ordinary one.
 */
export function createPicker(window: Pickers = globalThis as Pickers): Picker {
  let refused = false;
  return {
    pick: folder => {
      const ask = folder
        ? window.showDirectoryPicker && (async () => [await window.showDirectoryPicker?.()].flatMap(one => one ?? []))
        : window.showOpenFilePicker && (async () => (await window.showOpenFilePicker?.({multiple: true})) ?? []);
      if (!ask || refused) {
        refused = false;
        return null;
      }
      return ask().catch(() => {
        refused = true;
        return [];
      });
    },
  };
}
