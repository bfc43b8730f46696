// The result for each added symbol file: used, mismatched, damaged, or for no module of the dump.
import type {Damage, Report, Symbols} from '../report.ts';
import {baseName, counted, visibleRow} from '../text/text.ts';
import {damageWords} from './symbols.ts';

export type Fate = 'used' | 'other_build' | 'damaged' | 'idle' | 'unfit';

interface Judged {
  readonly fate: Fate;
  /** Where it is damaged although it is used. */
  readonly damage?: Damage | null | undefined;
  /** The module that it is about. */
  readonly module: string;
}

/** The reports' result for a file; a file that no report mentions matches no module. */
export function fateOf(name: string, reports: readonly Report[]): Judged {
  let found: Judged = {fate: 'unfit', module: ''};
  for (const {symbols, filename, debug_file} of reports.flatMap(report => report.modules ?? [])) {
    // Symbols of a module on no stack are not read, so only its name is known.
    const isIdle = !symbols && [filename, debug_file].some(of => stem(of) === stem(name));
    if (isIdle) found = {fate: 'idle', module: filename};
    if (!symbols || !knows(symbols, name)) continue;
    const fate = fates.get(symbols.state) ?? 'used';
    if (fate === 'used' || symbols.also?.includes(name)) {
      return {fate: 'used', module: filename, damage: symbols.file === name ? symbols.damage : undefined};
    }
    found = {fate, module: filename};
  }
  return found;
}

const stem = (path: string): string =>
  baseName(path)
    .toLowerCase()
    .replace(/\.(sym|debug|dbg|pdb|dll|exe|gz|zst|xz)$/g, '')
    .replace(/\.(pdb|dll|exe)$/, '');

const fates: ReadonlyMap<string, Fate> = new Map([
  ['wrong_build', 'other_build'],
  ['damaged', 'damaged'],
]);

const knows = ({file, also}: Symbols, name: string): boolean => file === name || (also?.includes(name) ?? false);

/** The message about files that were added to dumps: "Updated with a.sym; b.sym fits no module here". */
export function outcome(names: readonly string[], reports: readonly Report[]): string | null {
  if (names.length === 0) return null;
  const all = names.map(name => ({name, ...fateOf(name, reports)}));
  const used = all.filter(file => file.fate === 'used');
  const hurt = used.flatMap(file => (file.damage ? [`${named([file])} is ${damageWords(file.damage)}`] : []));
  const rest = (['other_build', 'damaged', 'idle', 'unfit'] as const).flatMap(fate => {
    const files = all.filter(file => file.fate === fate);
    return files.length === 0 ? [] : [sentences[fate](named(files), files.length, files[0]?.module ?? '')];
  });
  return [...(used.length > 0 ? [`Updated with ${named(used)}`] : []), ...hurt.slice(0, mostHurt), ...rest].join('; ');
}

// A word about each of a folder of damaged files would be no message.
const mostHurt = 2;

const named = (files: readonly {readonly name: string}[]): string =>
  files.length === 1 ? visibleRow(baseName(files[0]?.name ?? '')) : counted(files.length, 'symbol file');

const sentences: Readonly<Record<Exclude<Fate, 'used'>, (files: string, count: number, module: string) => string>> = {
  other_build: (files, count, module) =>
    `${files} not used: other build${count === 1 ? ` of ${visibleRow(module)}` : 's'}`,
  damaged: (files, count) => `${files} not used: damaged${count === 1 ? ', the list of symbols says where' : ''}`,
  idle: (files, count, module) =>
    count === 1
      ? `${files} is for ${visibleRow(module)}, which is on no stack`
      : `${files} are for modules on no stack`,
  unfit: (files, count) => `${files} ${count === 1 ? 'fits' : 'fit'} no module here`,
};
