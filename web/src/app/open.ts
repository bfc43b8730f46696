// Files in: any mix, at any time, while others are still being read.
import type {AddResult, Engine, Opened, Progress} from '../engine/types.ts';
import {counted} from '../logic/text.ts';
import {workWords} from '../logic/work.ts';
import {merge} from './merge.ts';
import type {Select} from './select.ts';
import type {OpenDump} from './state.ts';
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

// A screen reader that is told of every step says nothing else.
const spokenEvery = 2000;

// Work is shown when it lasts so long: shorter work would only flicker.
const noticeable = 200;

export function createOpen(store: Store, engine: Promise<Engine>, select: Select, touched: () => boolean): Open {
  const running = new Set<AbortController>();
  let latest: Progress | null = null;
  let spokenAt = Number.NEGATIVE_INFINITY;
  let arrived = false; // where a link led that was opened before its dump
  const early = new Set<number>(); // dumps that are shown before all of their threads were walked

  void engine.then(
    e => {
      e.onprogress = progress => {
        latest = progress;
        const {work} = store.state;
        if (!work) return;
        store.update({work: {...work, progress}});
        const now = performance.now();
        if (now - spokenAt < spokenEvery) return;
        spokenAt = now;
        store.update({spoken: workWords({progress, since: work.since}, now)});
      };
      e.onopened = opened => {
        early.add(opened.dump);
        show({files: [], opened: [opened], updated: []});
      };
      e.onkept = kept => store.update({kept});
      e.onrestart = reason => store.update({news: `${reason} What was shown is still here.`});
    },
    () => undefined, // startup's failure is shown by whoever awaits the engine
  );

  function show(result: AddResult): void {
    const before = store.state.dumps.length;
    store.update(state => merge(state, result, touched()));
    if (result.opened.length === 0) return;
    arrived = select.arrive(false);
    if (!arrived) select.dump(before, before > 0 ? 'push' : 'replace');
  }

  async function run(names: string, work: (e: Engine, signal: AbortSignal) => Promise<AddResult>): Promise<void> {
    const stop = new AbortController();
    running.add(stop);
    const since = performance.now();
    const timer = setTimeout(() => store.update({work: {progress: latest, since}}), noticeable);
    try {
      const result = await work(await engine, stop.signal);
      store.update(state => ({dumps: completed(state.dumps, result.opened)}));
      show({...result, opened: result.opened.filter(({dump}) => !early.has(dump))});
      // A link may lead to a thread that was not walked when its dump was first shown.
      arrived = (!touched() && select.arrive(true)) || arrived;
      if (result.opened.length > 1 && !arrived) select.all();
    } catch (error) {
      if (!stop.signal.aborted) fail(store, names, error);
    } finally {
      clearTimeout(timer);
      running.delete(stop);
      if (running.size === 0) store.update({work: null, spoken: ''});
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

/** Reports that are whole in the places of those that were not. What was asked of these is still the answer. */
const completed = (dumps: readonly OpenDump[], opened: readonly Opened[]): readonly OpenDump[] =>
  dumps.map(dump => {
    const whole = opened.find(o => o.dump === dump.id);
    return whole ? {...dump, report: whole.report} : dump;
  });

function fail(store: Store, name: string, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  store.update(state => ({problems: [...state.problems, {name, kind: 'other', message}]}));
}
