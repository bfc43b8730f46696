// When the dumps of a group were written, as a row of bars.
import {duration} from '../text/format.ts';
import type {Bucket, Crash} from './triage.ts';

/** The time from the first to the last dump, in seconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export const barCount = 16;

/** The time in which all dumps were written; null if fewer than two have different dates. */
export function spanOf(crashes: readonly Crash[]): Span | null {
  const times = crashes.map(({written}) => written).filter(t => t !== null);
  const span = {from: Math.min(...times), to: Math.max(...times)};
  return span.from < span.to ? span : null;
}

/** "A bar is 1 d 21 h; the tick is the first dump of the newest version." */
export const barWords = ({from, to}: Span): string =>
  `A bar is ${duration(Math.ceil((to - from) / barCount))}; the tick is the first dump of the newest version.`;

/** The bar of a time. */
export const barOf = ({from, to}: Span, time: number): number =>
  Math.min(barCount - 1, Math.floor((barCount * (time - from)) / (to - from)));

/** How many dumps of a group each bar stands for. */
export function bars({crashes}: Bucket, span: Span): readonly number[] {
  const at = crashes.map(({written}) => (written === null ? -1 : barOf(span, written)));
  return Array.from({length: barCount}, (_, i) => at.filter(bar => bar === i).length);
}

/** The first date of each program's newest version: the version of its last dump. */
export function newestVersions(crashes: readonly Crash[]): ReadonlyMap<string, number> {
  const dated = crashes.filter(({written, version}) => written !== null && version !== '');
  const byDate = dated.sort((a, b) => (b.written ?? 0) - (a.written ?? 0));
  const newest = new Map<string, string>();
  const first = new Map<string, number>();
  for (const {program, version, written} of byDate) {
    if (!newest.has(program)) newest.set(program, version);
    if (newest.get(program) === version) first.set(program, written ?? 0);
  }
  return first;
}
