// Names of many threads in a few words: "net-io-0 to 7, 10".
import type {Thread} from '../report.ts';
import {counts, grouped} from '../text/maps.ts';
import {visibleRow} from '../text/text.ts';

interface Numbered {
  readonly stem: string;
  readonly number: number | null;
}

const mostRuns = 4;

/** The names of threads, with runs of numbers joined; a thread without a name has its ID instead. */
export function nameRuns(threads: readonly Thread[]): string {
  const all = threads.map(({thread_name: name, thread_id: id}) =>
    name ? numbered(name) : {stem: `${id}`, number: null},
  );
  const stems = grouped(
    all.filter(({number}) => number !== null),
    ({stem}) => stem,
  );
  const plain = all.flatMap(({stem, number}) => (number === null ? [visibleRow(stem)] : []));
  const runs = [
    ...[...stems].map(([stem, members]) => `${visibleRow(stem)}${ranges(members.map(({number}) => number ?? 0))}`),
    ...distinct(plain),
  ];
  return runs.length > mostRuns
    ? `${runs.slice(0, mostRuns).join(', ')} and ${runs.length - mostRuns} more`
    : runs.join(', ');
}

function numbered(name: string): Numbered {
  const [, stem = '', digits] = /^(.*?[^0-9])([0-9]{1,6})$/.exec(name) ?? [];
  return digits === undefined ? {stem: name, number: null} : {stem, number: Number(digits)};
}

function ranges(all: readonly number[]): string {
  const numbers = [...new Set(all)].sort((a, b) => a - b);
  const out: string[] = [];
  for (let at = 0; at < numbers.length; ) {
    let to = at;
    while (numbers[to + 1] === (numbers[to] ?? 0) + 1) to++;
    if (to - at > 1) out.push(`${numbers[at]} to ${numbers[to]}`);
    else out.push(...numbers.slice(at, to + 1).map(String));
    at = to + 1;
  }
  return out.join(', ');
}

// "worker ×3": a name that several threads have.
const distinct = (names: readonly string[]): string[] =>
  [...counts(names)].map(([name, count]) => (count > 1 ? `${name} ×${count}` : name));
