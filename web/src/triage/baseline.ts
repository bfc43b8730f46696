// An earlier result of triage, as the command line wrote it, and what became of its crashes since: core/triage/compare.go says it the
// same way.
import {baseName, counted} from '../text/text.ts';
import type {Bucket, Crash} from './triage.ts';

/** A crash of the baseline. */
export interface Old {
  readonly signature: string;
  readonly count: number;
  /** Values of what happened, of the first own frame and of modules, as the group counts them. */
  readonly what: readonly string[];
  readonly own: readonly string[];
  readonly modules: readonly string[];
}

export interface Baseline {
  readonly name: string;
  /** By signature. */
  readonly crashes: ReadonlyMap<string, Old>;
}

/** What became of a kind of crash: new, more of them, as many or fewer, or none any more. */
export type Since = 'new' | 'grown' | 'known' | 'gone';

export interface Change {
  readonly since: Since;
  /** How many the baseline has. */
  readonly before: number;
}

/** A baseline is text of at most this size. */
export const mostBaseline = 32 << 20;

/** Whether a file may be a baseline, by its name. */
export const isBaselineName = (path: string): boolean => /\.(json|jsonl|ndjson)$/i.test(path);

/** What `crashglass triage --format json` or lines wrote; null for any other text. */
export function readBaseline(path: string, text: string): Baseline | null {
  const groups = documents(text)?.flatMap(groupsIn);
  if (!groups?.length) return null;
  const crashes = new Map<string, Old>();
  for (const group of groups) {
    if (group['kind'] !== 'crash') continue;
    const old = oldOf(group);
    const before = crashes.get(old.signature)?.count ?? 0;
    crashes.set(old.signature, {...old, count: old.count + before});
  }
  return {name: baseName(path), crashes};
}

type Fields = Readonly<Record<string, unknown>>;

/** As core/triage/group.go has them. Much other JSON has a "kind", too. */
const kinds: ReadonlySet<unknown> = new Set(['crash', 'no_crash', 'unreadable']);

const isGroup = ({kind}: Fields): boolean => kinds.has(kind);

// One piece of JSON, or one on each line.
function documents(text: string): readonly unknown[] | null {
  try {
    return [JSON.parse(text)];
  } catch {
    const lines = text.split('\n').filter(line => line.trim() !== '');
    try {
      return lines.map(line => JSON.parse(line) as unknown);
    } catch {
      return null;
    }
  }
}

function groupsIn(value: unknown): readonly Fields[] {
  const {groups} = fields(value);
  return (Array.isArray(groups) ? groups : [value]).map(fields).filter(isGroup);
}

const fields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});

function oldOf(group: Fields): Old {
  const {signature, count, what, own, modules} = group;
  return {
    signature: typeof signature === 'string' ? signature : '',
    count: typeof count === 'number' && Number.isSafeInteger(count) && count > 0 ? count : 0,
    what: Object.keys(fields(what)),
    own: Object.keys(fields(own)),
    modules: Object.keys(fields(modules)),
  };
}

/** How many crashes there are of each signature. */
export function countsOf(crashes: readonly Crash[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const {crashed, signature} of crashes) if (crashed) counts.set(signature, (counts.get(signature) ?? 0) + 1);
  return counts;
}

const ranks: readonly Since[] = ['new', 'grown', 'known', 'gone'];

/** Rows that are new come first; those of which nothing is known last. */
export const rankOf = (change: Change | null): number => (change ? ranks.indexOf(change.since) : ranks.length);

/** What became of the crashes of a row: of several signatures the newest. Null without a baseline and for dumps that did not crash. */
export function changeOf(row: Bucket, counts: ReadonlyMap<string, number>, baseline: Baseline | null): Change | null {
  const signatures = [...countsOf(row.crashes).keys()];
  if (!baseline || signatures.length === 0) return null;
  const changes = signatures.map((signature): Change => {
    const before = baseline.crashes.get(signature)?.count ?? 0;
    const now = counts.get(signature) ?? 0;
    return {before, since: before === 0 ? 'new' : now > before ? 'grown' : 'known'};
  });
  return changes.reduce((a, b) => (rankOf(b) < rankOf(a) ? b : a));
}

/** The crashes of the baseline of which none is open. Those that were gone already, of which it has none, are not told again. */
export const gone = (counts: ReadonlyMap<string, number>, {crashes}: Baseline): readonly Old[] =>
  [...crashes.values()]
    .filter(({signature, count}) => count > 0 && !counts.has(signature))
    .sort((a, b) => b.count - a.count);

/** "2 signatures new, 1 grown, 3 known, 1 gone against yesterday.json". */
export function against(counts: ReadonlyMap<string, number>, baseline: Baseline): string {
  const of: Record<Since, number> = {new: 0, grown: 0, known: 0, gone: gone(counts, baseline).length};
  for (const [signature, now] of counts) {
    const before = baseline.crashes.get(signature)?.count ?? 0;
    of[before === 0 ? 'new' : now > before ? 'grown' : 'known']++;
  }
  return `${counted(of.new, 'signature')} new, ${of.grown} grown, ${of.known} known, ${of.gone} gone against ${baseline.name}`;
}

/** The open crashes as a baseline, for this page and for `crashglass triage --baseline`. */
export const baselineJSON = (crashes: readonly Crash[]): string =>
  `${JSON.stringify(
    {
      groups: [...countsOf(crashes)].map(([signature, count]) => ({
        kind: 'crash',
        signature,
        count,
        ...tallies(crashes, signature),
      })),
    },
    null,
    2,
  )}\n`;

// The values that a group counts, under the names that core/triage/group.go gives them.
function tallies(crashes: readonly Crash[], signature: string): Record<string, Record<string, number>> {
  const own = crashes.filter(crash => crash.crashed && crash.signature === signature);
  return {
    what: tally(own.map(({what}) => what)),
    own: tally(own.map(crash => crash.own)),
    modules: tally(own.map(({program, version}) => `${program} ${version}`.trim())),
    systems: tally(own.map(({system}) => system)),
    dumps: tally(own.map(({name}) => baseName(name))),
  };
}

// As core/triage/tally.go keeps them: the first ones in the order of their text.
const mostValues = 16;

function tally(values: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) if (value !== '') counts.set(value, (counts.get(value) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, mostValues));
}
