// Which rows of a stack are put away behind one line, and what that line says.
//
// A fold hides rows that repeat what others show: unnamed frames of one module, a recursion, the machinery of a
// panic above the frame that caused it, an end that another stack on the page already shows. Nothing is lost: a fold opens.

import {counts} from '../text/maps.ts';
import {bare, inMiddle} from '../text/names.ts';
import {counted, visibleRow} from '../text/text.ts';
import {type FrameRow, isOwn} from './frames.ts';
import {functionName, isCertain, mark} from './names.ts';

/** What the user chose to see of a stack. */
export interface StackOptions {
  /** The diamond stands on the first row. */
  readonly crashed: boolean;
  readonly inlined: boolean;
  readonly guesses: boolean;
  /** Keys of folds that are open. */
  readonly opened: ReadonlySet<string>;
  /** Runs of the system's frames are shown, too. */
  readonly system: boolean;
  /** The number of the row that the verdict names: rows above it are machinery. */
  readonly row?: number | null;
  /** Rows at the outer end that the crashing thread shares. */
  readonly shared?: {readonly count: number; readonly from: number; readonly to: number};
}

export interface Fold {
  /** Names the fold while its rows stay the same. */
  readonly key: string;
  readonly count: number;
  /** The link: "10 more frames in chromium". */
  readonly label: string;
  /** What follows it: "6–15, no symbols, frame ptr". */
  readonly detail: string;
}

// Runs of frames without a sure name are folded when more than this many look alike.
const uncertainRun = 4;
// A recursion is folded from so many rounds on, whatever it repeats.
const rounds = 4;
const longestPeriod = 8;
// A stack that is still longer than this after folding is shown by its two ends.
const tooLong = 256;
const head = 64;
const tail = 16;

/** The folds of a stack by the index of their first row. They do not overlap. */
export function foldRows(rows: readonly FrameRow[], chosen: StackOptions): Map<number, Fold> {
  // A stack without own code has nothing to put forward.
  const options = chosen.system || rows.some(isOwn) ? chosen : {...chosen, system: true};
  const folds = new Map<number, Fold>();
  const end = rows.length - foldShared(rows, options, folds);
  let at = foldMachinery(rows, options, folds);
  let visibleRows = rows.length - at;
  while (at < end) {
    const found = rows[at]?.guess
      ? (hidden(rows, at, end, options) ?? callers(rows, at, end, options))
      : (systemRun(rows, at, end, options) ?? recursion(rows, at, end) ?? uncertain(rows, at, end));
    if (found) {
      folds.set(found.at, found.fold);
      at = found.at + found.fold.count;
      visibleRows -= found.fold.count - 1;
    } else {
      at++;
    }
  }
  if (visibleRows > tooLong) foldMiddle(rows, options, folds);
  return folds;
}

interface Found {
  readonly at: number;
  readonly fold: Fold;
}

const range = (rows: readonly FrameRow[], at: number, count: number): string =>
  `${rows[at]?.number ?? at}–${rows[at + count - 1]?.number ?? at + count - 1}`;

const key = (kind: string, row: FrameRow | undefined): string => `${kind}.${row?.frame.frame}.${row?.inline ?? 'p'}`;

// Frames above the first own one: raise and abort, a panic's runtime, exception dispatch. Their names say how the crash was raised.
function foldMachinery(rows: readonly FrameRow[], {row, system}: StackOptions, folds: Map<number, Fold>): number {
  if (system || rows[0]?.guess) return 0;
  const named = row == null ? -1 : rows.findIndex(r => r.number === row);
  const count = named >= 0 ? named : rows.findIndex(isOwn);
  if (count < 2 || rows[count - 1]?.guess) return 0;
  const all = rows.slice(0, count).every(r => r.frame.is_system);
  folds.set(0, {
    key: key('machinery', rows[0]),
    count,
    label: all ? counted(count, 'system frame') : `${counted(count, 'frame')} above`,
    detail: story(rows, 0, count),
  });
  return count;
}

const mostNames = 4;

// Four names fit into a row, whatever their templates.
const storyLetters = 40;

// "raise ← abort ← std::terminate": who called whom, innermost first.
function story(rows: readonly FrameRow[], at: number, count: number): string {
  const names = rows.slice(at, at + Math.min(count, 64)).filter(row => functionName(row) !== null);
  const shown = [
    ...new Set(names.map(row => mark(row) + visibleRow(inMiddle(bare(functionName(row) ?? ''), storyLetters)))),
  ];
  if (shown.length === 0) return range(rows, at, count);
  return `${shown.slice(0, mostNames).join(' ← ')}${shown.length > mostNames ? ' ← …' : ''}`;
}

// The program's own code between system frames stays visible: the user reads it first.
function systemRun(rows: readonly FrameRow[], at: number, end: number, {system}: StackOptions): Found | null {
  if (system || at === 0 || !isSystem(rows[at])) return null;
  let next = at;
  while (next < end && isSystem(rows[next])) next++;
  const count = next - at;
  if (count < (next === rows.length ? 2 : 3)) return null;
  const fold = {
    key: key('system', rows[at]),
    count,
    label: counted(count, 'system frame'),
    detail: story(rows, at, count),
  };
  return {at, fold};
}

const isSystem = (row: FrameRow | undefined): boolean => row?.frame.is_system === true && !row.guess;

function foldShared(rows: readonly FrameRow[], {shared}: StackOptions, folds: Map<number, Fold>): number {
  if (!shared || shared.count < 3 || shared.count >= rows.length) return 0;
  const at = rows.length - shared.count;
  folds.set(at, {
    key: key('shared', rows[at]),
    count: shared.count,
    label: `${shared.count} more frames`,
    detail: `same as frames ${shared.from}–${shared.to} of the crashing thread`,
  });
  return shared.count;
}

function hidden(rows: readonly FrameRow[], at: number, end: number, {guesses}: StackOptions): Found | null {
  if (guesses) return null;
  const count = end - at;
  return {
    at,
    fold: {key: key('guesses', rows[at]), count, label: `${counted(count, 'guess', 'guesses')} hidden`, detail: ''},
  };
}

// The first guesses may be right, and the last say where the stack began; those between are leftovers of earlier calls.
function callers(rows: readonly FrameRow[], at: number, end: number, {row}: StackOptions): Found | null {
  if (at > 0 && rows[at - 1]?.guess) return null;
  const named = row == null ? -1 : rows.findIndex(r => r.number === row);
  const from = Math.max(at + shownGuesses, named + 1);
  const count = end - shownGuesses - from;
  if (count <= uncertainRun) return null;
  const label = counted(count, 'possible caller');
  const detail = `${range(rows, from, count)} · ${byModule(rows.slice(from, from + count))}`;
  return {at: from, fold: {key: key('callers', rows[from]), count, label, detail}};
}

const shownGuesses = 3;
const mostModules = 5;

// "atlas.exe 28, ntdll.dll 23".
function byModule(rows: readonly FrameRow[]): string {
  const sorted = [...counts(rows.map(({frame}) => frame.module ?? 'no module'))].sort((a, b) => b[1] - a[1]);
  const shown = sorted.slice(0, mostModules).map(([name, count]) => `${visibleRow(name)} ${count}`);
  const rest = sorted.length - shown.length;
  return [...shown, ...(rest > 0 ? [counted(rest, 'more module')] : [])].join(', ');
}

function recursion(rows: readonly FrameRow[], at: number, end: number): Found | null {
  for (let period = 1; period <= longestPeriod; period++) {
    const times = repeats(rows, at, end, period);
    if (times < rounds) continue;
    const first = at + period;
    const count = period * (times - 1);
    const of = rows[at] ? functionName(rows[at]) : null;
    const label = period === 1 ? `${times - 1} times more` : `${counted(count, 'more frame')}`;
    const what = period === 1 && of && rows[at] ? mark(rows[at]) + visibleRow(of) : `repeating every ${period}`;
    return {
      at: first,
      fold: {key: key('again', rows[first]), count, label, detail: `${what}, ${range(rows, first, count)}`},
    };
  }
  return null;
}

// How often the rows from at on repeat with this period. Only certain names count: all frames of a stripped library may have one nearest public name, which
// is no recursion.
function repeats(rows: readonly FrameRow[], at: number, end: number, period: number): number {
  let length = period;
  for (const row of rows.slice(at, Math.min(at + period, end))) if (!isSure(row)) return 0;
  while (at + length < end && same(rows[at + length], rows[at + length - period])) length++;
  return Math.floor(length / period);
}

const isSure = (row: FrameRow): boolean => functionName(row) !== null && isCertain(row);

function same(a: FrameRow | undefined, b: FrameRow | undefined): boolean {
  if (!a || !b || a.guess !== b.guess) return false;
  return functionName(a) === functionName(b) && a.frame.module === b.frame.module && a.inline === b.inline;
}

// The first and the last of a run stay: they are where the stack enters the module and where it leaves.
function uncertain(rows: readonly FrameRow[], at: number, end: number): Found | null {
  const first = rows[at];
  if (!first || isSure(first)) return null;
  let next = at + 1;
  while (next < end && alike(first, rows[next])) next++;
  if (next - at <= uncertainRun) return null;
  const count = next - at - 2;
  const name = functionName(first);
  const label = `${counted(count, 'more frame')} in ${visibleRow(first.frame.module ?? 'no module')}`;
  const why = name === null ? 'no symbols' : `near ${visibleRow(name)}`;
  return {
    at: at + 1,
    fold: {
      key: key('uncertain', rows[at + 1]),
      count,
      label,
      detail: `${range(rows, at + 1, count)}, ${why}, ${first.found}`,
    },
  };
}

function alike(a: FrameRow, b: FrameRow | undefined): boolean {
  if (b === undefined || isSure(b)) return false;
  return functionName(b) === functionName(a) && b.frame.module === a.frame.module && b.found === a.found;
}

// What is left of a very long stack is shown by its ends; folds in between go with the rest.
function foldMiddle(rows: readonly FrameRow[], {opened}: StackOptions, folds: Map<number, Fold>): void {
  const count = rows.length - head - tail;
  const middle = key('middle', rows[head]);
  if (opened.has(middle)) return;
  for (const [at, fold] of folds) if (at + fold.count > head && at < head + count) folds.delete(at);
  const label = `${counted(count, 'more frame')}`;
  folds.set(head, {key: middle, count, label, detail: range(rows, head, count)});
}
