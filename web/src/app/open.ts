// Files in: any mix, at any time, while others are still being read.
import type {AddResult, Engine, FileResult, Opened, Progress} from '../engine/types.ts';
import {counted} from '../logic/text.ts';
import {firstPlace, placeAfter, type Select} from './select.ts';
import type {OpenDump, State} from './state.ts';
import type {Store} from './store.ts';

export interface GivenFile {
  readonly path: string;
  readonly file: Blob;
}

export interface Open {
  add(files: readonly GivenFile[]): Promise<void>;
  example(): Promise<void>;
  /** Stops all reading; what was shown stays. */
  cancel(): void;
}

// Work is shown when it lasts so long: shorter work would only flicker.
const noticeable = 200;

export function createOpen(store: Store, engine: Promise<Engine>, select: Select, touched: () => boolean): Open {
  const running = new Set<AbortController>();
  let latest: Progress | null = null;

  void engine.then(
    e => {
      e.onprogress = progress => {
        latest = progress;
        if (store.state.work) store.update({work: {...store.state.work, progress}});
      };
      e.onrestart = reason => store.update({news: `${reason} What was shown is still here.`});
    },
    () => undefined, // startup's failure is shown by whoever awaits the engine
  );

  async function run(names: string, work: (e: Engine, signal: AbortSignal) => Promise<AddResult>): Promise<void> {
    const stop = new AbortController();
    running.add(stop);
    const since = performance.now();
    const timer = setTimeout(() => store.update({work: {progress: latest, since}}), noticeable);
    try {
      const result = await work(await engine, stop.signal);
      take(store, select, result, touched());
    } catch (error) {
      if (!stop.signal.aborted) fail(store, names, error);
    } finally {
      clearTimeout(timer);
      running.delete(stop);
      if (running.size === 0) store.update({work: null});
    }
  }

  return {
    add: files =>
      run(files.length === 1 ? (files[0]?.path ?? '') : counted(files.length, 'file'), (e, s) => e.add(files, s)),
    example: () => run('The example', e => e.example()),
    cancel: () => {
      for (const stop of running) stop.abort();
    },
  };
}

function fail(store: Store, name: string, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  store.update(state => ({problems: [...state.problems, {name, kind: 'other', message}]}));
}

// What the engine said becomes what is shown: new dumps, reports that symbols changed, files that were of no use.
function take(store: Store, select: Select, result: AddResult, moved: boolean): void {
  const before = store.state;
  const dumps = merged(before.dumps, result);
  const problems = result.files.filter(file => file.message !== null);
  const symbols = result.files.filter(file => file.kind === 'symbols' && file.message === null);
  store.update({
    dumps,
    problems,
    symbolFiles: dumps.length === 0 ? before.symbolFiles + symbols.length : 0,
    place: moved ? placeAfter(before, dumps) : placeUntouched(before, dumps),
    news: newsOf(result, symbols),
    toast: symbols.length > 0 && result.opened.length === 0 ? `${counted(symbols.length, 'symbol file')} added` : null,
  });
  if (result.opened.length > 0) select.dump(before.dumps.length, before.dumps.length > 0 ? 'push' : 'replace');
}

function merged(old: readonly OpenDump[], {opened, updated}: AddResult): OpenDump[] {
  const fresh = new Map(updated.map(o => [o.dump, o]));
  const kept = old.map(dump => {
    const now = fresh.get(dump.id);
    return now ? {...dump, report: now.report, revision: dump.revision + 1} : dump;
  });
  const added = opened.filter(o => !old.some(dump => dump.id === o.dump)).map(toDump);
  return [...kept, ...added];
}

const toDump = ({dump, name, report}: Opened): OpenDump => ({id: dump, name, report, revision: 0});

// Before the first key or click nobody has chosen a frame, so better names may choose a better one.
function placeUntouched(before: State, dumps: readonly OpenDump[]): State['place'] {
  if (!before.place) return null;
  return firstPlace(dumps, before.place.dump) ?? before.place;
}

function newsOf({opened, updated}: AddResult, symbols: readonly FileResult[]): string | null {
  if (opened.length > 0 || updated.length === 0) return null;
  const first = symbols[0]?.name;
  if (first === undefined) return 'Updated';
  return symbols.length === 1 ? `Updated with ${first}` : `Updated with ${counted(symbols.length, 'symbol file')}`;
}
