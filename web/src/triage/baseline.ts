// An earlier result of triage, as the command line wrote it, and the changes since then. core/report/triage/compare.go has the same rules.
import {counts, grouped} from '../text/maps.ts';
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
  /** When its file was changed last, in milliseconds since 1970. */
  readonly written: number;
  /** By signature. A count of 0 means that the crash was gone by then. */
  readonly crashes: ReadonlyMap<string, Old>;
  /** Whether its signatures are by other rules, so that none of them would be found in the open dumps. */
  readonly foreign: boolean;
  /** Programs and modules that it has crashes of, in small letters; null if it does not name all of them. */
  readonly programs: ReadonlySet<string> | null;
}

/** The change of a kind of crash: new, back, more of them, of a program without a baseline, as many or fewer, or gone. */
export type Since = 'new' | 'back' | 'grown' | 'none' | 'known' | 'gone';

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
export function readBaseline(path: string, text: string, written = 0): Baseline | null {
  const groups = documents(text)?.flatMap(groupsIn);
  if (!groups?.length) return null;
  const crashes = new Map<string, Old>();
  for (const group of groups) {
    if (group['kind'] !== 'crash') continue;
    const old = oldOf(group);
    const before = crashes.get(old.signature)?.count ?? 0;
    crashes.set(old.signature, {...old, count: old.count + before});
  }
  const foreign = groups.some(({kind, rules}) => kind === 'crash' && rules !== ownRules);
  return {name: baseName(path), written, crashes, foreign, programs: programsOf([...crashes.values()])};
}

// "/usr/bin/app 1.2" as "app 1.2" and "app", because a name without a version may also contain a space.
function programsOf(crashes: readonly Old[]): ReadonlySet<string> | null {
  const names = crashes.flatMap(({modules}) => modules).map(module => baseName(module).toLowerCase());
  const nameless = crashes.length > 0 && names.length === 0;
  if (nameless || crashes.some(({modules}) => modules.length >= mostValues)) return null;
  return new Set(names.flatMap(name => [name, name.replace(/ \S*$/, '')]));
}

/** The newer of two baselines. Crashes that only the older one has are gone in it. */
export function latest(a: Baseline | null, b: Baseline): Baseline {
  if (!a) return b;
  const [older, newer] = b.written >= a.written ? [a, b] : [b, a];
  const before = [...older.crashes].filter(([signature]) => !newer.crashes.has(signature));
  const crashes = new Map([
    ...newer.crashes,
    ...before.map(([signature, old]) => [signature, {...old, count: 0}] as const),
  ]);
  const programs = newer.programs && older.programs && new Set([...newer.programs, ...older.programs]);
  return {...newer, crashes, programs};
}

/** How many signatures there were at the time of the baseline. */
export const sizeOf = ({crashes}: Baseline): number => [...crashes.values()].filter(({count}) => count > 0).length;

type Fields = Readonly<Record<string, unknown>>;

/** The rules of the page's signatures, of core/report/triage/group.go. Versions that had others wrote no rules. */
const ownRules = 'crashglass';

/** The kinds of core/report/triage/group.go. Other JSON often has a "kind", too. */
const kinds: ReadonlySet<unknown> = new Set(['crash', 'no_crash', 'unreadable']);

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
  return (Array.isArray(groups) ? groups : [value]).map(fields).filter(({kind}) => kinds.has(kind));
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
export const countsOf = (crashes: readonly Crash[]): ReadonlyMap<string, number> =>
  counts(crashes.filter(({crashed}) => crashed).map(({signature}) => signature));

const ranks: readonly Since[] = ['new', 'back', 'grown', 'none', 'known', 'gone'];

/** The rank of a row in the table: new rows first, rows without a change last. */
export const rankOf = (change: Change | null): number => (change ? ranks.indexOf(change.since) : ranks.length);

/** The change of a row; of several signatures, that with the first rank. Null without a baseline, and for dumps without a crash. */
export function changeOf(row: Bucket, totals: ReadonlyMap<string, number>, baseline: Baseline | null): Change | null {
  const crashes = new Map(row.crashes.filter(({crashed}) => crashed).map(crash => [crash.signature, crash]));
  if (!baseline || crashes.size === 0) return null;
  const changes = [...crashes].map(([signature, {program}]): Change => {
    const before = baseline.crashes.get(signature)?.count ?? 0;
    return {before, since: sinceOf(baseline, signature, program, totals.get(signature) ?? 0)};
  });
  return changes.reduce((a, b) => (rankOf(b) < rankOf(a) ? b : a));
}

function sinceOf({crashes, programs}: Baseline, signature: string, program: string, now: number): Since {
  const before = crashes.get(signature)?.count;
  if (before === undefined) return hasProgram(programs, program) ? 'new' : 'none';
  if (before === 0) return 'back';
  return now > before ? 'grown' : 'known';
}

// A baseline that does not name all of its programs may have any. One without crashes does not show which programs it is about.
const hasProgram = (programs: ReadonlySet<string> | null, program: string): boolean =>
  program === '' || programs === null || programs.size === 0 || programs.has(program.toLowerCase());

/** The crashes of the baseline that no open dump has, except those that were gone before. */
export const gone = (totals: ReadonlyMap<string, number>, {crashes}: Baseline): readonly Old[] =>
  [...crashes.values()]
    .filter(({signature, count}) => count > 0 && !totals.has(signature))
    .sort((a, b) => b.count - a.count);

const words: readonly (readonly [Since, string])[] = [
  ['back', 'back'],
  ['grown', 'grown'],
  ['none', 'of programs without a baseline'],
  ['known', 'known'],
  ['gone', 'gone'],
];

/** "2 signatures new, 1 grown, 3 known, 1 gone against yesterday.json". */
export function against(crashes: readonly Crash[], totals: ReadonlyMap<string, number>, baseline: Baseline): string {
  const of: Record<Since, number> = {new: 0, back: 0, grown: 0, none: 0, known: 0, gone: gone(totals, baseline).length};
  const programs = new Map(crashes.map(({signature, program}) => [signature, program]));
  for (const [signature, now] of totals) of[sinceOf(baseline, signature, programs.get(signature) ?? '', now)]++;
  const rest = words.filter(([since]) => of[since] > 0 || since === 'grown' || since === 'known' || since === 'gone');
  const list = [`${counted(of.new, 'signature')} new`, ...rest.map(([since, text]) => `${of[since]} ${text}`)];
  return `${list.join(', ')} against ${baseline.name}`;
}

/**
 * The open crashes as a baseline, for this page and for `crashglass triage --baseline`. A crash that only the earlier baseline has
 * gets a count of 0, so that its return is reported as back.
 */
export function baselineJSON(crashes: readonly Crash[], earlier: Baseline | null = null): string {
  const own = crashes.filter(({crashed}) => crashed);
  const now = grouped(own, ({signature}) => signature);
  const before = [...(earlier?.crashes.values() ?? [])].filter(({signature}) => !now.has(signature));
  return `${JSON.stringify({groups: [...[...now].map(groupOf), ...before.map(goneGroup)]}, null, 2)}\n`;
}

const goneGroup = ({signature, what, own, modules}: Old): object => {
  const none = (values: readonly string[]): object => Object.fromEntries(values.map(value => [value, 0]));
  return {
    kind: 'crash',
    signature,
    rules: ownRules,
    count: 0,
    what: none(what),
    own: none(own),
    modules: none(modules),
  };
};

// A group, with the names of core/report/triage/group.go.
const groupOf = ([signature, own]: readonly [string, readonly Crash[]]): object => ({
  kind: 'crash',
  signature,
  rules: ownRules,
  count: own.length,
  what: tally(own.map(({what}) => what)),
  own: tally(own.map(crash => crash.own)),
  modules: tally(own.map(({program, version}) => `${program} ${version}`.trim())),
  systems: tally(own.map(({system}) => system)),
  dumps: tally(own.map(({name}) => baseName(name))),
});

// core/report/triage/tally.go keeps as many: the first ones in the order of their text.
const mostValues = 16;

function tally(values: readonly string[]): Record<string, number> {
  const all = [...counts(values.filter(value => value !== ''))];
  return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, mostValues));
}
