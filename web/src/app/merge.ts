// Merges the engine's answers into the open dumps: new dumps at the end, changed reports in their places.
import type {AddResult, FileResult, Opened} from '../engine/types.ts';
import {awaitsSymbols, type Report, type Thread} from '../report.ts';
import {outcome} from '../symbols/judge.ts';
import {inSpelling} from '../text/spelling.ts';
import {counted} from '../text/text.ts';
import {firstPlace, placeAfter} from './select.ts';
import {currentDump, type Messages, type OpenDump, type State} from './state.ts';

/**
 * The state after an answer. moved means that the user has scrolled, clicked or typed. From then on the shown stack does not change by itself: a report that
 * would change it waits until the user asks for it. arrived means that a link led to the current place.
 */
export function merge(before: State, result: AddResult, moved: boolean, arrived = false): Partial<State> {
  const shown = currentDump(before);
  const dumps = merged(
    before.dumps,
    result,
    moved ? {dump: shown, thread: before.place?.thread ?? 0} : null,
    before.stack.rawNames,
  );
  const symbols = result.files.filter(file => file.kind === 'symbols' && file.message === null);
  const views = result.files.filter(file => file.kind === 'views' && file.message === null);
  return {
    dumps,
    symbols: {
      ...before.symbols,
      described: null,
      files: dumps.length === 0 ? [...before.symbols.files, ...symbols.map(file => file.name)] : [],
    },
    triage: {
      ...before.triage,
      left: result.files.reduce((n, {left}) => n + left, before.dumps.length > 0 ? before.triage.left : 0),
    },
    place: placeIn(before, dumps, moved || arrived),
    // Closed dumps use memory that others may need.
    ...(result.opened.length > 0 || result.files.some(({left}) => left > 0) ? {closed: null} : {}),
    messages: {
      problems: result.files.filter(file => file.message !== null),
      ...outcomeOf(result, symbols, views, dumps),
    },
  };
}

/** The added files besides dumps, in a few words. */
const filesIn = (symbols: readonly FileResult[], views: readonly FileResult[]): string =>
  [
    ...(symbols.length > 0 ? [counted(symbols.length, 'symbol file')] : []),
    ...(views.length > 0 ? [counted(views.length, 'NatVis file')] : []),
  ].join(' and ');

/**
 * The state with more parts of shown dumps: frames that waited for symbols, threads that were not walked yet. Earlier
 * answers about the other parts stay valid. chosen means that the user chose the place.
 */
export function grown(before: State, opened: readonly Opened[], chosen: boolean): Partial<State> {
  const dumps = before.dumps.map(dump => {
    const now = opened.find(o => o.dump === dump.id);
    return now ? {...dump, report: inSpelling(now.report, before.stack.rawNames)} : dump;
  });
  return {dumps, place: placeIn(before, dumps, chosen)};
}

/** The state after a held-back report is shown. */
export function showWaiting(before: State): Partial<State> {
  const dumps = before.dumps.map(dump => (dump.waiting === null ? dump : renewed(dump, dump.waiting)));
  return {dumps, place: placeAfter(before, dumps)};
}

/** Dumps that are not open yet, and the place of one that is already open, since the same file may be dropped twice. */
export function newOnes(
  old: readonly OpenDump[],
  opened: readonly Opened[],
): {readonly fresh: Opened[]; readonly again: number | null} {
  const known = new Map(
    old.flatMap(({report}, at) => {
      const print = fingerprint(report);
      return print === null ? [] : [[print, at] as const];
    }),
  );
  const place = (o: Opened): number | undefined =>
    old.some(({id}) => id === o.dump) ? undefined : known.get(fingerprint(o.report) ?? '');
  const again = opened.map(place).find(at => at !== undefined);
  return {fresh: opened.filter(o => place(o) === undefined), again: again ?? null};
}

// The dumps of one log have the same hash.
function fingerprint({dump, pid, thread_count, crash_info: crash}: Report): string | null {
  if (dump.hash === null) return null;
  return JSON.stringify([dump.hash, dump.size, dump.time, pid, thread_count, crash.code, crash.address]);
}

interface Shown {
  readonly dump: OpenDump | null;
  readonly thread: number;
}

function merged(
  old: readonly OpenDump[],
  {opened, updated}: AddResult,
  shown: Shown | null,
  asRaw: boolean,
): OpenDump[] {
  const fresh = new Map(updated.map(o => [o.dump, inSpelling(o.report, asRaw)]));
  const known = old.map(dump => {
    const now = fresh.get(dump.id);
    if (!now) return dump;
    const waits =
      shown?.dump === dump && changedFrames(dump.report.threads?.[shown.thread], now.threads?.[shown.thread]) > 0;
    return waits ? {...dump, waiting: now} : renewed(dump, now);
  });
  return [...known, ...opened.filter(o => !old.some(dump => dump.id === o.dump)).map(o => toDump(o, asRaw))];
}

const renewed = (dump: OpenDump, report: Opened['report']): OpenDump => ({
  ...dump,
  report,
  revision: dump.revision + 1,
  waiting: null,
});

/** A dump as it is shown first. */
export const toDump = ({dump, name, report}: Opened, asRaw: boolean): OpenDump => ({
  id: dump,
  name,
  report: inSpelling(report, asRaw),
  revision: 0,
  waiting: null,
  early: awaitsSymbols(report),
});

/** How many physical frames of a stack differ in the new walk. Names do not count, since they change in place. */
export function changedFrames(old: Thread | undefined, now: Thread | undefined): number {
  const a = old?.frames ?? [];
  const b = now?.frames ?? [];
  let changed = Math.abs(a.length - b.length);
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i]?.offset !== b[i]?.offset) changed++;
  return changed;
}

// Before the first key or click the user has chosen no frame, so better names may select a better one.
function placeIn(before: State, dumps: readonly OpenDump[], chosen: boolean): State['place'] {
  if (chosen || !before.place) return placeAfter(before, dumps);
  const place = firstPlace(dumps, before.place.dump);
  return place ? {...place, tab: before.place.tab} : before.place;
}

// The results for the added files appear in the toast, and stay below the title.
function outcomeOf(
  {opened, updated}: AddResult,
  symbols: readonly FileResult[],
  views: readonly FileResult[],
  dumps: readonly OpenDump[],
): Pick<Messages, 'outcome' | 'toast'> {
  if (opened.length > 0) return {outcome: null, toast: null};
  if (dumps.length === 0)
    return {outcome: null, toast: symbols.length + views.length > 0 ? `${filesIn(symbols, views)} ready` : null};
  const words = outcome(
    symbols.map(file => file.name),
    dumps.map(dump => dump.waiting ?? dump.report),
  );
  const all = [words, views.length > 0 ? `${filesIn([], views)} added` : null].filter(part => part !== null).join('; ');
  return {outcome: all || (updated.length > 0 ? 'Updated' : null), toast: all || null};
}

/** The state with functions named in the other form, in all open dumps. */
export function otherSpelling({dumps, stack}: State): Partial<State> {
  const asRaw = !stack.rawNames;
  return {
    stack: {...stack, rawNames: asRaw},
    dumps: dumps.map(dump => ({
      ...dump,
      report: inSpelling(dump.report, asRaw),
      waiting: dump.waiting && inSpelling(dump.waiting, asRaw),
    })),
  };
}
