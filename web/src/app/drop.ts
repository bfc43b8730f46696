// Files dropped or pasted, folders with all that is in them.
import type {GivenFile} from '../engine/given.ts';
import {isSource, mostSources, type SourceFile} from '../frame/source.ts';

// A dropped home folder is a mistake; a symbol store is not. The rest of a larger drop is left out, and the person told.
const mostFiles = 20_000;
const deepest = 32;

export interface Given {
  readonly files: readonly GivenFile[];
  /** Source files, of which only the names are known so far. */
  readonly sources: readonly SourceFile[];
  /** Sentences about what was left out. */
  readonly left: readonly string[];
}

/** A file or a folder, whichever of the browser's interfaces tells of it. */
export interface Entry {
  readonly path: string;
  readonly isFile: boolean;
  file(): Promise<File>;
  children(): Promise<readonly Entry[]>;
}

/** The files of a drop or a paste. Entries must be taken before the event is over, which this does. */
export async function given(transfer: DataTransfer): Promise<Given> {
  const items = [...transfer.items].filter(item => item.kind === 'file');
  // A file is taken as the event has it: WebKit has entries of files that scripts made, and finds no such files by them.
  const dropped = items.map(item => ({entry: item.webkitGetAsEntry(), file: item.getAsFile()}));
  if (dropped.length === 0 || dropped.some(({entry}) => entry === null))
    return sorted([...transfer.files].map(asGiven));
  return below(dropped.flatMap(({entry, file}) => (entry ? [fromEntry(entry, file)] : [])));
}

/** All files of these entries and below them, as far as the bounds of a drop go. */
export async function below(entries: readonly Entry[]): Promise<Given> {
  const found: Found = {files: [], sources: [], left: [], coming: 0};
  await Promise.all(entries.map(entry => walk(entry, found, 0)));
  found.files.sort(byPath);
  found.sources.sort(byPath);
  return found;
}

const byPath = (a: {readonly path: string}, b: {readonly path: string}): number =>
  a.path < b.path ? -1 : Number(a.path > b.path);

/** Files as they are used: what is source by its name, and all others. */
export function sorted(all: readonly GivenFile[]): Given {
  const sources = all.filter(({path}) => isSource(path));
  return {
    files: all.filter(({path}) => !isSource(path)),
    sources: sources.map(({path, file}) => ({path, load: () => Promise.resolve(file)})),
    left: [],
  };
}

interface Found extends Given {
  readonly files: GivenFile[];
  readonly sources: SourceFile[];
  readonly left: string[];
  /** How many files were asked for and are not there yet. */
  coming: number;
}

async function counted<T>(found: Found, file: Promise<T>): Promise<T> {
  found.coming++;
  return file.finally(() => found.coming--);
}

/** A file chosen by the person, with its path below the chosen folder where there is one. */
export const asGiven = (file: File): GivenFile => ({path: file.webkitRelativePath || file.name, file});

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
      // The browser answers hundreds of questions in the time that it takes to ask them one after the other.
      await Promise.all((await entry.children()).map(child => walk(child, found, depth + 1)));
    }
  } catch (error) {
    left.push(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const fromEntry = (entry: FileSystemEntry, known: File | null = null): Entry => ({
  path: entry.fullPath.replace(/^\//, ''),
  isFile: isFile(entry),
  file: async () => known ?? (isFile(entry) ? opened(entry) : Promise.reject(new Error('this is no file'))),
  children: async () => (isFolder(entry) ? (await children(entry)).map(child => fromEntry(child)) : []),
});

const opened = (entry: FileSystemFileEntry): Promise<File> => new Promise((yes, no) => entry.file(yes, no));

// readEntries gives some hundred at a time, and nothing when there are no more.
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
