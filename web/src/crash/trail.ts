// Where the bad value came from, as rows: the value, what set it, and each value that it was made of, innermost first.
import type {CrashInfo, OriginLink} from '../report.ts';
import {brief} from '../text/hex.ts';

/** One step backwards. */
export interface TrailRow {
  /** "p is 0x10", in runs of text and code. */
  readonly words: string;
  /** Where it was, and what set it. */
  readonly detail: string;
  /** The address in memory that it was loaded from. */
  readonly memory: string | null;
  /** The frame that passed it. */
  readonly caller: number | null;
  /** Other ways may lead here: the line to this row is dashed. */
  readonly guess: boolean;
}

export interface Trail {
  /** The bad value. */
  readonly value: string | null;
  readonly rows: readonly TrailRow[];
  /** What the dump does not say. */
  readonly end: string;
  readonly guess: boolean;
}

const mostRows = 5;

/** The trail of the bad value; null if nothing is known about it. */
export function trail({origin, accessed_address: accessed}: CrashInfo): Trail | null {
  const links = origin ?? [];
  const [first] = links;
  if (!first) return null;
  const rows = links.flatMap((link, i) => rowsOf(link, i === 0)).slice(0, mostRows);
  const value = first.value ?? accessed;
  return {value: value && brief(value), rows, end: end(links), guess: links.some(({guess}) => guess)};
}

function rowsOf(link: OriginLink, isFirst: boolean): TrailRow[] {
  const name = link.variable || link.register;
  const where = [link.variable ? link.register : '', link.frame > 0 ? `frame ${link.frame}` : ''];
  const by = link.instruction ? `\`${link.instruction}\`` : '';
  const row = (words: string, details: readonly (string | undefined)[], more: Partial<TrailRow> = {}): TrailRow => ({
    words,
    detail: details.filter(Boolean).join(', '),
    memory: null,
    caller: null,
    guess: link.guess,
    ...more,
  });
  const how = ways.get(link.kind)?.(link) ?? null;
  const set =
    how === null
      ? null
      : row(how, [by], {memory: link.memory ?? null, caller: link.kind === 'argument' ? link.frame + 1 : null});
  if (!name) return set ? [set] : [];
  const is = `\`${name}\`${link.value ? ` is \`${brief(link.value)}\`` : ''}`;
  if (isFirst) return [row(is, where, {guess: false}), ...(set ? [set] : [])];
  if (set && set.caller !== null) return [row(`${is}, ${how}`, [...where, by], {caller: set.caller})];
  return [row(is, [...where, how ?? '', by], {memory: link.memory ?? null})];
}

const ways: ReadonlyMap<string, (link: OriginLink) => string> = new Map([
  ['load', ({source}: OriginLink) => `loaded from ${source ? `\`${source}\`` : 'memory'}`],
  ['copy', () => 'copied from another register'],
  ['sum', () => 'computed from another register'],
  ['constant', () => 'a constant of the code'],
  ['result', ({function: name}: OriginLink) => `returned by ${name ? `\`${name}\`` : 'a call'}`],
  ['argument', () => 'passed by'],
]);

function end(links: readonly OriginLink[]): string {
  const last = links.at(-1);
  if (last?.kind === 'load') return `The dump does not say what wrote ${last.source ? `\`${last.source}\`` : 'it'}.`;
  if (last?.kind === 'result') return 'The dump does not say where the function had it from.';
  return last?.kind === 'constant' ? 'The program has this number.' : 'The dump does not prove where it came from.';
}
