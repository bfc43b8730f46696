// Opens files: any mix, at any time, while other files are still being read.
import type {InputFile} from '../engine/protocol.ts';
import type {AddResult, Engine, FileResult, Opened, Progress} from '../engine/types.ts';
import {withSources} from '../frame/source.ts';
import {workWords} from '../page/work.ts';
import {baseName, counted, messageOf, visibleRow} from '../text/text.ts';
import {isBaselineName, latest, mostBaseline, readBaseline, sizeOf} from '../triage/baseline.ts';
import {grown, merge, newOnes} from './merge.ts';
import type {Select} from './select.ts';
import {addProblems, type Store, say} from './store.ts';

// A screen reader that gets every step would say nothing else.
const spokenEvery = 2000;

// The progress is readable at this interval, and drawing it more often takes time from the work.
const shownEvery = 200;

// Work that lasts this long is shown: shorter work would only flicker.
const noticeable = 200;

export function createOpen(store: Store, engine: Promise<Engine>, select: Select, touched: () => boolean) {
  const running = new Set<AbortController>();
  let latest: Progress | null = null;
  let shownAt = Number.NEGATIVE_INFINITY;
  let spokenAt = Number.NEGATIVE_INFINITY;
  let arrived = false; // a link opened before its dump has led to its place
  const examples = new Set<number>(); // dumps that are part of the page
  const early = new Set<number>(); // dumps that were shown before their report was complete

  void engine.then(
    e => {
      e.onprogress = progress => {
        latest = progress;
        const {work} = store.state.reading;
        const now = performance.now();
        if (progress === null && running.size === 0) store.change('reading', {work: null, spoken: ''}); // a silent request is over
        if (!work || now - shownAt < shownEvery) return;
        shownAt = now;
        store.change('reading', {work: {since: work.since, progress}});
        if (now - spokenAt < spokenEvery) return;
        spokenAt = now;
        store.change('reading', {spoken: workWords({progress, since: work.since}, now)});
      };
      // Requests that are usually short, such as reading a range of memory, are shown once they take long.
      e.onsilence = silent => {
        const before = store.state.reading.work;
        const now = performance.now();
        const work = {progress: latest, since: before?.since ?? now, silent};
        store.change('reading', before?.silent ? {work} : {work, spoken: workWords(work, now)}); // spoken once, not every second
      };
      e.onopened = opened => {
        if (early.has(opened.dump)) grow([opened]);
        else show({files: [], opened: [opened], updated: []});
        early.add(opened.dump);
      };
      e.onstored = stored => store.change('symbols', {stored});
      e.onrestart = reason => store.change('messages', {outcome: `${reason} What was shown is still here.`});
    },
    () => undefined, // mount shows the failure of the start
  );

  function show(result: AddResult): void {
    const before = store.state.dumps.length;
    const {fresh, again} = newOnes(store.state.dumps, result.opened);
    const twice = result.opened.filter(o => !fresh.includes(o)).map(({dump}) => dump);
    if (twice.length > 0) void engine.then(e => e.close(twice)).catch(() => undefined); // a worker that died has closed them
    store.update(state => merge(state, {...result, opened: fresh}, touched(), arrived));
    if (fresh.length === 0) {
      if (again !== null) showAgain(again);
      return;
    }
    arrived = select.arrive(false);
    if (!arrived) select.dump(before, before > 0 ? 'push' : 'replace');
  }

  function showAgain(ordinal: number): void {
    select.dump(ordinal, 'push');
    say(store, `${visibleRow(baseName(store.state.dumps[ordinal]?.name ?? ''))} is open already`);
  }

  /** Shows more parts of dumps that are already shown. */
  function grow(opened: readonly Opened[]): void {
    if (opened.length === 0) return;
    store.update(state => grown(state, opened, touched() || arrived));
    arrived = (!touched() && select.arrive(false)) || arrived;
    select.stay();
  }

  async function run(
    names: string,
    work: (e: Engine, signal: AbortSignal) => Promise<AddResult>,
  ): Promise<readonly FileResult[]> {
    const stop = new AbortController();
    running.add(stop);
    const since = performance.now();
    const timer = setTimeout(() => store.change('reading', {work: {progress: latest, since}}), noticeable);
    try {
      const result = await work(await engine, stop.signal);
      const [known, others] = apart(result.opened, ({dump}) => early.has(dump));
      grow(known);
      // Symbols that are added with a dump do not update it.
      const files = known.length > 0 ? result.files.filter(({message}) => message !== null) : result.files;
      show({...result, files, opened: others});
      // A link may lead to a thread that was not yet walked when its dump was first shown.
      arrived = (!touched() && select.arrive(true)) || arrived;
      if (result.opened.length > 1 && !arrived) select.all();
      return result.files;
    } catch (error) {
      if (!stop.signal.aborted) fail(store, names, error);
      return [];
    } finally {
      clearTimeout(timer);
      running.delete(stop);
      if (running.size === 0) store.change('reading', {work: null, spoken: ''});
    }
  }

  return {
    /** Opens files, and returns a result for each. */
    add: async (all: readonly InputFile[]): Promise<readonly FileResult[]> => {
      const files = await withoutBaseline(store, all);
      if (files.length === 0) return [];
      return run(files.length === 1 ? (files[0]?.path ?? '') : counted(files.length, 'file'), (e, s) =>
        e.add(files, s),
      );
    },
    /** Opens one of the page's examples. */
    example: (number: number): Promise<unknown> =>
      run('The example', async e => {
        const {sources, ...result} = await e.example(number);
        for (const {dump} of result.opened) examples.add(dump);
        const files = sources.map(({path, file}) => ({path, load: () => Promise.resolve(file)}));
        store.change('frame', frame => ({sources: withSources(frame.sources, files)}));
        return result;
      }),
    /** Whether a dump is open that the page cannot open again by itself. It can for the example. */
    loses: (): boolean => store.state.dumps.some(({id}) => !examples.has(id)),
    /** Stops all reading; the shown reports stay. */
    cancel: () => {
      if (running.size === 0) void engine.then(e => e.stop());
      for (const stop of running) stop.abort();
    },
  };
}

export type Open = ReturnType<typeof createOpen>;

function apart<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter(one => !isFirst(one))];
}

// A triage result is for the table of dumps, not for the engine. The newest of several counts.
async function withoutBaseline(store: Store, files: readonly InputFile[]): Promise<readonly InputFile[]> {
  const rest: InputFile[] = [];
  for (const input of files) {
    const may = isBaselineName(input.path) && input.file.size <= mostBaseline;
    // The engine says why a file cannot be read.
    const text = may ? await input.file.text().catch(() => null) : null;
    const read = text === null ? null : readBaseline(input.path, text, writtenOf(input.file));
    if (read === null) rest.push(input);
    else if (read.foreign) {
      const message = 'Its signatures are by other rules than the page’s. Make it anew with crashglass triage.';
      addProblems(store, [{name: read.name, kind: 'other', message}]);
    } else {
      const baseline = latest(store.state.triage.baseline, read);
      const words = `${visibleRow(baseline.name)} is the baseline now: ${counted(sizeOf(baseline), 'signature')}`;
      store.change('triage', {baseline});
      say(store, words);
    }
  }
  return rest;
}

// A file out of an archive has no time of its own, and counts as new.
const writtenOf = (file: Blob): number => (file instanceof File ? file.lastModified : Date.now());

function fail(store: Store, name: string, error: unknown): void {
  addProblems(store, [{name, kind: 'other', message: messageOf(error)}]);
}
