// Two dumps side by side: what is the same and what differs in their facts, modules and stacks.

import {facts} from '../crash/facts.ts';
import {versionOf} from '../modules/modules.ts';
import type {Module, Report, Thread} from '../report.ts';
import {type FrameRow, frameRows} from '../stack/frames.ts';
import {callName, placeText} from '../stack/names.ts';
import {grouped} from '../text/maps.ts';
import {baseName} from '../text/text.ts';

/** A value of both dumps. */
export interface Pair {
  readonly label: string;
  /** "" if it is not in the dump. */
  readonly a: string;
  readonly b: string;
  /** Equal, or of no weight: each run has its own process ID, time and addresses. */
  readonly same: boolean;
}

const ofEachRun: ReadonlySet<string> = new Set(['Address', 'Dump written', 'Uptime', 'Captured memory']);

/** The facts of both, in the order of the strip, after what happened and the signature. */
export function factPairs(a: Report, b: Report): Pair[] {
  const left = factTexts(a);
  const right = factTexts(b);
  return [...new Set([...left.keys(), ...right.keys()])].map(label => {
    const pair = {a: left.get(label) ?? '', b: right.get(label) ?? ''};
    return {label, ...pair, same: pair.a === pair.b || ofEachRun.has(label)};
  });
}

function factTexts(report: Report): Map<string, string> {
  const own = facts(report).map(
    f =>
      [f.label, [f.value ?? '', f.label === 'Process' ? '' : f.extra].filter(text => text !== '').join(' ')] as const,
  );
  return new Map([['What', report.verdict.what], ['Signature', report.signature ?? ''], ...own]);
}

/** The modules of both by name. Modules with the same name are paired in order. */
export function modulePairs(a: readonly Module[], b: readonly Module[]): Pair[] {
  const left = byName(a);
  const right = byName(b);
  return [...new Set([...left.keys(), ...right.keys()])].flatMap(key => {
    const [mine, theirs] = [left.get(key) ?? [], right.get(key) ?? []];
    return Array.from({length: Math.max(mine.length, theirs.length)}, (_, i) => pairOf(mine[i], theirs[i]));
  });
}

const byName = (modules: readonly Module[]): Map<string, Module[]> =>
  grouped(modules, ({filename}) => baseName(filename).toLowerCase());

function pairOf(a: Module | undefined, b: Module | undefined): Pair {
  const label = baseName((a ?? b)?.filename ?? '');
  if (!a || !b) return {label, a: build(a, false), b: build(b, false), same: false};
  const ofOneVersion = versionOf(a) === versionOf(b);
  const same = ofOneVersion && a.debug_id === b.debug_id && a.code_id === b.code_id;
  return {label, a: build(a, ofOneVersion), b: build(b, ofOneVersion), same};
}

// The version, and the ID if that alone differs.
const build = (module: Module | undefined, withID: boolean): string =>
  module === undefined
    ? 'not loaded'
    : [versionOf(module), withID ? module.debug_id || module.code_id : ''].filter(text => text !== '').join(' ') ||
      'no ID';

/** All values of both dumps, what differs first. */
export const valuePairs = (a: Report, b: Report): readonly Pair[] =>
  [...factPairs(a, b), ...modulePairs(a.modules ?? [], b.modules ?? [])].sort(
    (x, y) => Number(x.same) - Number(y.same),
  );

/** The calls in which two stacks differ, in pairs. */
export const callPairs = (stacks: Stacks): readonly Pair[] =>
  stacks.rows
    .filter(({state}) => state !== 'same')
    .map(({a, b, state}) => ({
      label: `Frame ${(a ?? b)?.number ?? ''}`,
      a: textOf(a, state === 'line'),
      b: textOf(b, state === 'line'),
      same: false,
    }));

const textOf = (row: FrameRow | null, withPlace: boolean): string =>
  row === null ? '' : `${callName(row)}${withPlace ? ` ${placeText(row) ?? ''}` : ''}`;

/** A pair of rows: the same call, the same at another line, or different calls. */
export interface StackPair {
  readonly a: FrameRow | null;
  readonly b: FrameRow | null;
  readonly state: 'same' | 'line' | 'differs';
}

// The rows of both stacks are compared pairwise, so the number of rows is limited; deeper rows rarely matter.
const mostRows = 300;

export interface Stacks {
  readonly rows: readonly StackPair[];
  /** The number of outermost rows of each stack that were left out. */
  readonly cut: number;
}

/** Two stacks side by side, aligned at a longest common subsequence of their calls. */
export function stackPairs(a: Thread | null, b: Thread | null): Stacks {
  const left = rowsOf(a);
  const right = rowsOf(b);
  const [mine, theirs] = [left.slice(0, mostRows), right.slice(0, mostRows)];
  const rows: StackPair[] = [];
  let [i, j] = [0, 0];
  for (const [x, y] of [...common(mine.map(callName), theirs.map(callName)), [mine.length, theirs.length] as const]) {
    rows.push(...beside(mine.slice(i, x), theirs.slice(j, y)));
    const [p, q] = [mine[x], theirs[y]];
    if (p && q) rows.push({a: p, b: q, state: placeText(p) === placeText(q) ? 'same' : 'line'});
    [i, j] = [x + 1, y + 1];
  }
  return {rows, cut: Math.max(left.length, right.length) - Math.max(mine.length, theirs.length)};
}

const rowsOf = (thread: Thread | null): readonly FrameRow[] => (thread ? frameRows(thread, thread.crashed) : []);

const beside = (a: readonly FrameRow[], b: readonly FrameRow[]): StackPair[] =>
  Array.from({length: Math.max(a.length, b.length)}, (_, i) => ({a: a[i] ?? null, b: b[i] ?? null, state: 'differs'}));

/** The indexes of a longest common subsequence. */
export function common(a: readonly string[], b: readonly string[]): (readonly [number, number])[] {
  const lengths = Array.from({length: a.length + 1}, () => new Uint16Array(b.length + 1));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    const row = lengths[i];
    for (let j = b.length - 1; row && j >= 0; j--)
      row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  }
  const out: (readonly [number, number])[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) out.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return out;
}
