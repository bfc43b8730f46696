// What a dump reveals, in words for a user who is about to share it, and what a capsule says of itself. Any program may have
// written the capsule, so the page quotes it.
import type {About, Checklist, Item, Made, Removal, SanitizeResult, Secret} from '../engine/types.ts';
import type {Report} from '../report.ts';
import {size, time} from '../text/format.ts';
import {grouped} from '../text/maps.ts';
import {baseName, capital, counted, thin} from '../text/text.ts';

/** The file name for a dump: the last part of its path, since members of archives have paths. */
export const safeName = (name: string): string => baseName(name).replace(/[^\w.-]+/g, '_') || 'report';

/** The name of a dump that is fit to share, "crash.shared.dmp". A report that is text keeps its ending: "app.shared.ips". */
export function sharedName(name: string, isText: boolean): string {
  const safe = safeName(name);
  return isText ? safe.replace(/(\.\w+)?$/, '.shared$1') : `${safe.replace(/\.(dmp|mdmp)$/i, '')}.shared.dmp`;
}

/** One line of the checklist. */
export interface Line {
  readonly what: string;
  readonly words: string;
  /** Where it would appear: in an unmasked report and in the dump, or in the dump only. */
  readonly inReport: boolean;
}

/** What a dump reveals, one line for each kind. */
export const lines = ({items}: Checklist): Line[] => items.map(line);

const line = ({what, count, unit, in_report: inReport}: Item): Line => ({
  what: capital(what),
  words: unit === 'bytes' ? size(count) : `${thin(count)} ${count === 1 ? unit.replace(/s$/, '') : unit}`,
  inReport,
});

/** Secrets of one kind together: what, how many, and where the first ones are. */
export interface Kind {
  readonly kind: string;
  readonly places: readonly string[];
  readonly stays: boolean;
}

export function kindsOf(secrets: readonly Secret[]): Kind[] {
  return [...grouped(secrets, ({stays, kind}) => `${stays} ${kind}`).values()].map(all => ({
    kind: capital(all[0]?.kind ?? ''),
    places: all.map(s => s.where),
    stays: all[0]?.stays ?? false,
  }));
}

/** "279 KiB became 11 KiB." */
export const sizes = ({before, after}: SanitizeResult): string => `${size(before)} became ${size(after)}.`;

/** Whether the new dump has the same stacks as the old one. */
export const sameFrames = ({changed}: SanitizeResult): string =>
  changed.length === 0
    ? 'Every frame is unchanged: it was walked again and compared.'
    : `It reads differently in ${counted(changed.length, 'place')}:`;

/** One thing that the new dump lacks: "The environment: 1, 1.3 KiB". */
export const removed = ({what, count, bytes}: Removal): string =>
  `${capital(what)}${count > 1 ? `: ${thin(count)}` : ''}${bytes > 0 ? `, ${size(bytes)}` : ''}`;

/** The file name of a dump's capsule. */
export const capsuleName = (dump: string): string => `${safeName(dump).replace(/\.(dmp|mdmp)$/i, '')}.capsule.html`;

/** What is in a file that is to be saved: "5.2 MB: the dump 11 kB, 3 symbol files 48 kB, 1 source file 2 kB." */
export function contents({result: {size: all, files}}: Made): string {
  const roles = [
    ['dump', 'dump'],
    ['symbols', 'symbol file'],
    ['source', 'source file'],
  ] as const;
  const parts = roles.flatMap(([role, name]) => {
    const those = files.filter(file => file.role === role);
    const bytes = those.reduce((sum, file) => sum + file.size, 0);
    return those.length === 0 ? [] : [`${role === 'dump' ? 'the dump' : counted(those.length, name)} ${size(bytes)}`];
  });
  return `${size(all)}${parts.length === 0 ? ', and no module has symbols' : `: ${parts.join(', ')}`}.`;
}

/** The paths of source files that frames of the crashing thread name. */
export function sourcesOf(report: Report): string[] {
  const frames = (report.threads ?? []).filter(thread => thread.crashed).flatMap(thread => thread.frames ?? []);
  const all = frames.flatMap(frame => [frame.file, ...(frame.inlines ?? []).map(inline => inline.file)]);
  return [...new Set(all.filter(path => path !== null))];
}

/** The sentence without its end: the name of the program follows, if the file has one. "" if the file says nothing. */
export function claims({cleaned, made, by}: About): string {
  const all: string[] = [];
  if (cleaned !== null)
    all.push(cleaned ? 'personal data was removed from the dump' : 'nothing was removed from the dump');
  if (made || by !== '') all.push(`it was made${made ? ` ${time(made.getTime() / 1000)} UTC` : ''}`);
  return all.length === 0 ? '' : `The file says that ${all.join(', and that ')}`;
}
