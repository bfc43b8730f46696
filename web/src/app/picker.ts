// The browser's dialogs that give handles of files.
import type {Handle} from './handles.ts';

/** Parts of the File System Access API that TypeScript's types lack. */
interface Pickers {
  showOpenFilePicker?(how: {readonly multiple: true}): Promise<readonly Handle[]>;
  showDirectoryPicker?(): Promise<Handle>;
}

export interface Picker {
  /** Asks the user for files, or for a folder; null if the ordinary dialog has to do that. */
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
