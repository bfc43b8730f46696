// Source files: listed by name, read when a frame needs one.

import {
  decoded,
  largestSource,
  matching,
  type SourceFile,
  type SourceText,
  sourceText,
  withSources,
} from '../frame/source.ts';
import type {Thread} from '../report.ts';
import {frameRows, isOwn} from '../stack/frames.ts';
import {place} from '../stack/names.ts';
import {withEntry} from '../text/maps.ts';
import {baseName, counted} from '../text/text.ts';
import {rings} from '../threads/hang.ts';
import {type Loadable, load} from './loadable.ts';
import {selected, selectedRow, subject} from './selected.ts';
import {frameKey, type State} from './state.ts';
import {type Store, say} from './store.ts';

// The number of texts in the cache: each is at most largestSource.
const mostTexts = 24;
// A listing of code may pass through many inlined headers; the first ones matter most.
const mostFiles = 8;

export function createSources(store: Store) {
  return {
    add: (files: readonly SourceFile[]) => {
      if (files.length === 0) return;
      store.change('frame', ({sources}) => ({
        sources: withSources(sources, files),
        texts: new Map(), // a file that is opened again may have changed
      }));
      say(store, `${counted(files.length, 'source file')} added`);
    },
    /** Chooses one of several files for a frame's path. */
    pick: (file: string, path: string) =>
      store.change('frame', ({picked}) => ({picked: withEntry(picked, file, path)})),
  };
}

export type SourceActions = ReturnType<typeof createSources>;

/** The file for a frame's path, if it is unambiguous. */
export function sourceFor(state: Pick<State, 'frame'>, file: string): SourceFile | null {
  const found = matching(state.frame.sources, file);
  if (found.length === 1) return found[0] ?? null;
  const picked = state.frame.picked.get(file);
  return found.find(source => source.path === picked) ?? null;
}

/** The text of the file for a frame's path; undefined until it was requested. */
export function textFor(state: Pick<State, 'frame'>, file: string): Loadable<SourceText> | undefined {
  const source = sourceFor(state, file);
  return source ? state.frame.texts.get(source.path) : undefined;
}

/** Reads the files that the selected frame's panels show, unless they were read before. */
export function requestSources(store: Store): void {
  const {state} = store;
  if (state.frame.sources.count === 0) return;
  for (const file of wanted(state)) {
    const source = sourceFor(state, file);
    if (source && !store.state.frame.texts.has(source.path)) request(store, source);
  }
}

function wanted(state: Pick<State, 'dumps' | 'place' | 'frame'>): Iterable<string> {
  const found = selected(state);
  const row = selectedRow(state);
  if (!found || !row) return [];
  const first = subject(found.dump);
  const lines = [found, first].flatMap(at => {
    const code = at && state.frame.code.get(frameKey(at));
    return code?.state === 'done' ? code.value.lines : [];
  });
  const stuck = rings(found.dump.report).flatMap(ring => ring.flatMap(({thread}) => ownFiles(thread)));
  const files = [place(row).file, first && place(first.row).file, ...stuck, ...lines.map(line => line.file)];
  return [...new Set(files.filter(file => file !== null))].slice(0, mostFiles);
}

// The cards of a hang show lines of its threads.
const ownFiles = (thread: Thread): (string | null)[] =>
  frameRows(thread, false)
    .filter(isOwn)
    .map(one => place(one).file);

function request(store: Store, source: SourceFile): void {
  load(read(source), text =>
    store.change('frame', ({texts}) => ({texts: withEntry(texts, source.path, text, mostTexts)})),
  );
}

async function read(source: SourceFile): Promise<SourceText> {
  const blob = await source.load();
  if (blob.size > largestSource) throw new Error(`${baseName(source.path)} is too large to be shown as source.`);
  return sourceText(decoded(new Uint8Array(await blob.arrayBuffer())));
}
