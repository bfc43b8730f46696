// Files dropped or pasted, folders with all that is in them.
import type {GivenFile} from './open.ts';

// A dropped home folder is a mistake; a symbol store is not. The rest of a larger drop is left out, and the person told.
const mostFiles = 20_000;
const deepest = 32;

export interface Given {
  readonly files: readonly GivenFile[];
  /** Sentences about what was left out. */
  readonly left: readonly string[];
}

/** The files of a drop or a paste. Entries must be taken before the event is over, which this does. */
export async function given(transfer: DataTransfer): Promise<Given> {
  const entries = [...transfer.items].filter(item => item.kind === 'file').map(item => item.webkitGetAsEntry());
  if (entries.length === 0 || entries.includes(null)) return {files: [...transfer.files].map(asGiven), left: []};
  const files: GivenFile[] = [];
  const left: string[] = [];
  for (const entry of entries) if (entry) await walk(entry, files, left, 0);
  return {files, left};
}

/** A file chosen by the person, with its path below the chosen folder where there is one. */
export const asGiven = (file: File): GivenFile => ({path: file.webkitRelativePath || file.name, file});

async function walk(entry: FileSystemEntry, files: GivenFile[], left: string[], depth: number): Promise<void> {
  const path = entry.fullPath.replace(/^\//, '');
  if (files.length >= mostFiles) {
    if (left.length === 0) left.push(`Only the first ${mostFiles} files were taken`);
    return;
  }
  try {
    if (isFile(entry)) files.push({path, file: await new Promise<File>((yes, no) => entry.file(yes, no))});
    else if (isFolder(entry) && depth < deepest) {
      for (const child of await children(entry)) await walk(child, files, left, depth + 1);
    }
  } catch (error) {
    left.push(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

// readEntries gives some hundred at a time, and nothing when there are no more.
async function children(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  while (all.length < mostFiles) {
    const some = await new Promise<FileSystemEntry[]>((yes, no) => reader.readEntries(yes, no));
    if (some.length === 0) break;
    all.push(...some);
  }
  return all;
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
