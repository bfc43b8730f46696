// The modules table: each image with the threads whose stacks contain it.
import type {Module, Report} from '../report.ts';
import {frameRows} from '../stack/frames.ts';
import {type State, stateOf} from '../symbols/symbols.ts';
import {parse} from '../text/hex.ts';
import {counts, grouped} from '../text/maps.ts';

export interface ModuleRow {
  readonly index: number;
  readonly module: Module;
  readonly size: number;
  readonly state: State;
  /** "frames 0–3": its rows on the crashing stack; "" when there are none. */
  readonly crashing: string;
  /** Threads that have it on their stacks. */
  readonly stacks: number;
}

/** The file's version; "" if it has none. Breakpad's writer for Linux fills in a record of zeros for libraries without one. */
export const versionOf = ({version}: Module): string => (version === null || version === '0.0.0.0' ? '' : version);

/** The rows: modules of the crashing stack from its innermost frame, those of most other stacks, the rest in the dump's order. */
export function moduleRows(report: Report, crashing: number | null): ModuleRow[] {
  const threads = report.threads ?? [];
  const stacks = counts(threads.flatMap(({frames}) => [...new Set((frames ?? []).map(f => f.module_index))]));
  const thread = threads[crashing ?? -1];
  const numbers = grouped(thread ? frameRows(thread, thread.crashed) : [], row => row.frame.module_index);
  const rows = (report.modules ?? []).map((module, index) => ({
    index,
    module,
    size: Number((parse(module.end_addr) ?? 0n) - (parse(module.base_addr) ?? 0n)),
    state: stateOf(module.symbols?.state, module.symbols?.damage),
    crashing: ranges((numbers.get(index) ?? []).map(({number}) => number)),
    stacks: stacks.get(index) ?? 0,
  }));
  const first = ({index}: ModuleRow): number => numbers.get(index)?.[0]?.number ?? Number.MAX_SAFE_INTEGER;
  return rows.sort((a, b) => first(a) - first(b) || b.stacks - a.stacks || a.index - b.index);
}

/** The rows that have the text in their names, version or ids, whatever the case. */
export function matching(rows: readonly ModuleRow[], text: string): readonly ModuleRow[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return rows;
  return rows.filter(({module: {filename, path, version, debug_id, code_id}}) =>
    [filename, path, version, debug_id, code_id].some(own => own?.toLowerCase().includes(wanted)),
  );
}

/** "frames 0–3, 7": numbers in order as ranges; the first three ranges, then how many more. */
export function ranges(numbers: readonly number[]): string {
  const spans: [number, number][] = [];
  for (const n of numbers) {
    const last = spans.at(-1);
    if (last && last[1] === n - 1) last[1] = n;
    else spans.push([n, n]);
  }
  if (spans.length === 0) return '';
  const shown = spans.slice(0, 3).map(([a, b]) => (a === b ? String(a) : `${a}–${b}`));
  const more = spans.length > 3 ? ` and ${spans.length - 3} more` : '';
  return `${numbers.length === 1 ? 'frame' : 'frames'} ${shown.join(', ')}${more}`;
}
