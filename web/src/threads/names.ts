// Names of many threads in a few words: "net-io-0 to 7, 10".
import type {Thread} from '../report.ts';
import {visibleRow} from '../text/text.ts';

interface Numbered {
  readonly stem: string;
  readonly number: number | null;
}

const mostRuns = 4;

/** The names of threads, with runs of numbers joined; a thread without a name has its ID instead. */
export function nameRuns(threads: readonly Thread[]): string {
  const stems = new Map<string, number[]>();
  const plain: string[] = [];
  for (const {thread_name: name, thread_id: id} of threads) {
    const {stem, number} = numbered(name === null || name === '' ? String(id) : name);
    if (number === null || name === null || name === '')
      plain.push(visibleRow(name === null || name === '' ? String(id) : name));
    else stems.set(stem, [...(stems.get(stem) ?? []), number]);
  }
  const named = [...stems].map(([stem, numbers]) => `${visibleRow(stem)}${ranges(numbers)}`);
  const all = [...named, ...distinct(plain)];
  return all.length > mostRuns
    ? `${all.slice(0, mostRuns).join(', ')} and ${all.length - mostRuns} more`
    : all.join(', ');
}

function numbered(name: string): Numbered {
  const [, stem = '', digits] = /^(.*?[^0-9])([0-9]{1,6})$/.exec(name) ?? [];
  return digits === undefined ? {stem: name, number: null} : {stem, number: Number(digits)};
}

function ranges(given: readonly number[]): string {
  const numbers = [...new Set(given)].sort((a, b) => a - b);
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
function distinct(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count > 1 ? `${name} ×${count}` : name));
}
