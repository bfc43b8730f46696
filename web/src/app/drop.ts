// Dropped or pasted files, and folders with all files in them.
import type {InputFile} from '../engine/protocol.ts';
import {isSource, mostSources, type SourceFile} from '../frame/source.ts';
import {messageOf} from '../text/text.ts';

// A dropped home folder is a mistake; a symbol store is not. The rest of a larger drop is omitted, and the page says so.
const mostFiles = 20_000;
const deepest = 32;

export interface Dropped {
  readonly files: readonly InputFile[];
  /** Source files; only their names are known so far. */
  readonly sources: readonly SourceFile[];
  /** Sentences about the omitted files. */
  readonly left: readonly string[];
}

/** A file or a folder, from any of the browser's interfaces. */
export interface Entry {
  readonly path: string;
  readonly isFile: boolean;
  file(): Promise<File>;
  children(): Promise<readonly Entry[]>;
}

/** The files of a drop or a paste. Entries exist only during the event, so this function reads them at once. */
export async function droppedFiles(transfer: DataTransfer): Promise<Dropped> {
  const items = [...transfer.items].filter(item => item.kind === 'file');
  // The file of the event is used, and not its entry: in WebKit, entries of files that scripts made lead to no file.
  const dropped = items.map(item => ({entry: item.webkitGetAsEntry(), file: item.getAsFile()}));
  if (dropped.length === 0 || dropped.some(({entry}) => entry === null))
    return sorted([...transfer.files].map(asDropped));
  return below(dropped.flatMap(({entry, file}) => (entry ? [fromEntry(entry, file)] : [])));
}

/** All files of these entries and below them, within the limits of a drop. */
export async function below(entries: readonly Entry[]): Promise<Dropped> {
  const found: Found = {files: [], sources: [], left: [], coming: 0};
  await Promise.all(entries.map(entry => walk(entry, found, 0)));
  found.files.sort(byPath);
  found.sources.sort(byPath);
  return found;
}

const byPath = (a: {readonly path: string}, b: {readonly path: string}): number =>
  a.path < b.path ? -1 : Number(a.path > b.path);

/** Files by use: source files by their names, and all others. */
export function sorted(all: readonly InputFile[]): Dropped {
  const sources = all.filter(({path}) => isSource(path));
  return {
    files: all.filter(({path}) => !isSource(path)),
    sources: sources.map(({path, file}) => ({path, load: () => Promise.resolve(file)})),
    left: [],
  };
}

interface Found extends Dropped {
  readonly files: InputFile[];
  readonly sources: SourceFile[];
  readonly left: string[];
  /** How many files were requested and have not arrived. */
  coming: number;
}

async function counted<T>(found: Found, file: Promise<T>): Promise<T> {
  found.coming++;
  return file.finally(() => found.coming--);
}

/** A file chosen by the user, with its path below the chosen folder, if any. */
export const asDropped = (file: File): InputFile => ({path: file.webkitRelativePath || file.name, file});

async function walk(entry: Entry, found: Found, depth: number): Promise<void> {
  const {files, sources, left} = found;
  const {path} = entry;
  if (files.length + found.coming >= mostFiles || sources.length >= mostSources) {
    if (left.length === 0) left.push(`Only the first ${files.length + found.coming + sources.length} files were taken`);
    return;
  }
  try {
    if (entry.isFile && isSource(path)) sources.push({path, load: () => entry.file()});
    else if (entry.isFile) files.push({path, file: await counted(found, entry.file())});
    else if (depth < deepest) {
      // Hundreds of requests at once take as long as a few in sequence.
      await Promise.all((await entry.children()).map(child => walk(child, found, depth + 1)));
    }
  } catch (error) {
    left.push(`${path}: ${messageOf(error)}`);
  }
}

const fromEntry = (entry: FileSystemEntry, known: File | null = null): Entry => ({
  path: entry.fullPath.replace(/^\//, ''),
  isFile: isFile(entry),
  file: async () => known ?? (isFile(entry) ? opened(entry) : Promise.reject(new Error('this is no file'))),
  children: async () => (isFolder(entry) ? (await children(entry)).map(child => fromEntry(child)) : []),
});

const opened = (entry: FileSystemFileEntry): Promise<File> => new Promise((yes, no) => entry.file(yes, no));

// readEntries returns about a hundred entries per call, and none at the end.
async function children(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  while (all.length < mostSources) {
    const some = await new Promise<FileSystemEntry[]>((yes, no) => reader.readEntries(yes, no));
    if (some.length === 0) break;
    all.push(...some);
  }
  return all;
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
