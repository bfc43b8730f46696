// The layout of an object in memory: its members, and the padding between them, as parts of a bar.
import type {Variable} from '../report.ts';
import {parse} from '../text/hex.ts';
import {visibleRow} from '../text/text.ts';
import {briefValue, offsetIn, pointsTo, valueText} from './variables.ts';

/** A part of a bar. */
export interface Segment {
  readonly kind: 'member' | 'pointer' | 'touched' | 'padding';
  /** In bytes, from the bar's beginning. */
  readonly at: number;
  readonly bytes: number;
  readonly text: string;
  /** "+08"; "" for padding. */
  readonly offset: string;
}

export interface Layout {
  readonly size: number;
  readonly padding: number;
  /** Bytes of the object that the bar shows. */
  readonly shown: number;
  readonly segments: readonly Segment[];
}

// A larger object is shown in part.
const mostBytes = 64;
// Bytes before the touched member, in the bar of a large object.
const before = 24;

interface Member {
  readonly variable: Variable;
  readonly from: number;
  readonly to: number;
}

/** The bar of an object whose members are known; null for other values. */
export function layout(variable: Variable, touched: readonly bigint[]): Layout | null {
  const base = parse(variable.object?.address);
  const size = variable.object?.size ?? 0;
  if (base === null) return null;
  const all = members(variable, size);
  if (all.length === 0) return null;
  const hit = all.find(({from, to}) => touched.some(at => at >= base + BigInt(from) && at < base + BigInt(to)));
  const segments = withPadding(all, size, hit);
  const [start, end] = part(size, hit);
  return {
    size,
    padding: segments.reduce((sum, {kind, bytes}) => sum + (kind === 'padding' ? bytes : 0), 0),
    shown: end - start,
    segments: segments.flatMap(segment => clipped(segment, start, end)),
  };
}

// Members of a union begin at one address: the first one is shown.
function members(object: Variable, size: number): Member[] {
  const all = (object.children ?? []).flatMap(variable => {
    const from = offsetIn(variable, object) ?? -1;
    return from < 0 || from >= size ? [] : [{variable, from, to: Math.min(size, from + (variable.size ?? 0))}];
  });
  let end = 0;
  return all
    .sort((a, b) => a.from - b.from)
    .filter(({from, to}) => {
      const isFree = from >= end;
      if (isFree) end = to;
      return isFree;
    });
}

function withPadding(all: readonly Member[], size: number, hit: Member | undefined): Segment[] {
  const out: Segment[] = [];
  let end = 0;
  const pad = (to: number): void => {
    if (to > end) out.push({kind: 'padding', at: end, bytes: to - end, text: '', offset: ''});
  };
  for (const {variable, from, to} of all) {
    pad(from);
    const target = pointsTo(variable);
    const text = visibleRow(briefValue(valueText(variable) ?? ''));
    out.push({
      kind: hit?.from === from ? 'touched' : target === null ? 'member' : 'pointer',
      at: from,
      bytes: to - from,
      text: target === null ? text : `→ ${text}`,
      offset: `+${from.toString(16).padStart(2, '0')}`,
    });
    end = to;
  }
  pad(size);
  return out;
}

function part(size: number, hit: Member | undefined): readonly [number, number] {
  if (size <= mostBytes) return [0, size];
  const from = Math.max(0, Math.min(size - mostBytes, (hit?.from ?? 0) - before));
  return [from, from + mostBytes];
}

function clipped(segment: Segment, start: number, end: number): Segment[] {
  const from = Math.max(start, segment.at);
  const to = Math.min(end, segment.at + segment.bytes);
  return from >= to ? [] : [{...segment, at: from - start, bytes: to - from}];
}
