// The symbols section: which symbols name the shown stack, which are missing, and what a missing file would add.
import type {Damage, Frame, Module, Report, Thread, Wanted} from '../report.ts';
import {counts} from '../text/maps.ts';
import {counted, thin} from '../text/text.ts';

export type Mark = 'ok' | 'near' | 'missing' | 'wrong' | 'unneeded';

/** A state's glyph and words; the glyph is never alone. */
export interface State {
  readonly mark: Mark;
  readonly glyph: string;
  readonly words: string;
}

const states: ReadonlyMap<string, State> = new Map([
  ['matched', {mark: 'ok', glyph: '✓', words: 'Matched'}],
  ['public_only', {mark: 'near', glyph: '~', words: 'Public names only'}],
  ['missing', {mark: 'missing', glyph: '?', words: 'Missing'}],
  ['reading', {mark: 'near', glyph: '…', words: 'Being read'}],
  ['wrong_build', {mark: 'wrong', glyph: '✕', words: 'Mismatched'}],
  ['damaged', {mark: 'wrong', glyph: '✕', words: 'Damaged'}],
]);

/** A text file with lines that could not be used. */
const flawed: State = {mark: 'near', glyph: '~', words: 'Matched, damaged'};

const unneeded: State = {mark: 'unneeded', glyph: '·', words: 'Not needed'};

/** The state of a module's symbols; modules on no stack need none. */
export function stateOf(name: string | null | undefined, damage?: Damage | null): State {
  if (damage && name === 'matched') return flawed;
  return states.get(name ?? '') ?? unneeded;
}

/** One module on the shown stack. */
export interface SymbolRow {
  readonly index: number;
  readonly module: Module;
  readonly state: State;
  /** Rows of the shown stack in this module. */
  readonly frames: number;
  readonly wanted: Wanted | null;
}

const order: readonly Mark[] = ['wrong', 'missing', 'near', 'ok', 'unneeded'];

const settled: ReadonlySet<Mark> = new Set(['ok', 'near']);

/** The section's contents for the shown thread. */
export function symbolView(report: Report, thread: Thread | null) {
  const modules = report.modules ?? [];
  const frames = thread?.frames ?? [];
  const wanted = new Map((report.wanted_symbols ?? []).map(w => [w.module, w]));
  const byModule = counts(frames.flatMap(({module_index: index}) => (index === null ? [] : [index])));
  const toRow = (index: number): SymbolRow | null => {
    const module = modules[index];
    if (!module) return null;
    const want = wanted.get(index) ?? null;
    const state = stateOf(module.symbols?.state ?? want?.state, module.symbols?.damage);
    return {index, module, state, frames: byModule.get(index) ?? 0, wanted: want};
  };
  const rows = [...byModule.keys()].map(toRow).filter(row => row !== null);
  const others = [...wanted.keys()]
    .filter(index => !byModule.has(index))
    .map(toRow)
    .filter(row => row !== null);
  const urgent = rows.some(row => row.wanted && row.state.mark !== 'near');
  const most = new Set(urgent ? mostUseful(frames, rows) : []);
  if (urgent) rows.sort((a, b) => Number(most.has(b.index)) - Number(most.has(a.index)) || worstFirst(a, b));
  else others.push(...rows.filter(row => row.wanted));
  others.sort(worstFirst);
  const lacking = rows.filter(row => row.wanted && !settled.has(row.state.mark));
  return {
    /** The modules of the shown stack, the worst first if symbols are missing. */
    rows,
    /** Whether a module of this stack has no usable symbols: then all modules are listed. */
    urgent,
    /** Whether one of these modules is the program's own. */
    own: lacking.some(row => !row.module.is_system),
    /** Files that would help less: for other threads, or with lines for a module that has its public names. */
    others,
    matched: rows.filter(row => row.state.mark === 'ok').length,
    /** The two modules whose symbols help most: that of the first own frame, and the one where the walk began to guess. */
    most,
    /** The modules of the stack that lack symbols, how many frames they have, and how many there are. */
    lacking: lacking.length,
    named: lacking.reduce((n, row) => n + row.frames, 0),
    frames: frames.length,
  };
}

/** The contents of the section of symbols. */
export type SymbolView = Readonly<ReturnType<typeof symbolView>>;

const worstFirst = (a: SymbolRow, b: SymbolRow): number =>
  order.indexOf(a.state.mark) - order.indexOf(b.state.mark) || b.frames - a.frames;

// A guess is made where the unwind data of the frame before it is missing. Without guesses, the file that names most frames.
function mostUseful(frames: readonly Frame[], rows: readonly SymbolRow[]): number[] {
  const wanted = rows.filter(row => row.wanted && row.state.mark !== 'ok');
  const isWanted = (index: number | null | undefined): index is number =>
    typeof index === 'number' && wanted.some(row => row.index === index);
  const own = frames.find(f => !f.is_system && isWanted(f.module_index))?.module_index;
  const guess = frames.findIndex(f => f.guess);
  const lost = frames[guess - 1]?.module_index;
  const byFrames = wanted.toSorted((a, b) => b.frames - a.frames).map(row => row.index);
  return [...new Set([own, lost, ...byFrames].filter(isWanted))].slice(0, 2);
}

/** Whether the walk of a stack began to guess in a module: a frame of it stands before the first guess, or is the guess. */
export const lostIn = ({frames}: Thread, module: number): boolean => {
  const guess = (frames ?? []).findIndex(f => f.guess);
  return guess >= 0 && (frames ?? []).some((f, i) => i >= guess - 1 && f.module_index === module);
};

/** Where a symbol file is damaged, and what that costs: "damaged in line 812: used without that line". Some programs also write a last line without an end. */
export function damageWords({line, records, truncated}: Damage): string {
  const where = line > 0 ? `line ${thin(line)}` : 'its last line';
  if (truncated && records > 1)
    return `possibly truncated in ${where}, and damaged before: used without the damaged lines`;
  if (truncated) return `possibly truncated in ${where}: used up to there`;
  if (records === 1) return `damaged in ${where}: used without that line`;
  return `damaged in ${counted(records, 'line')} from ${where} on: used without them`;
}

/** What a symbol file has: "lines, inlines, call frame info", and where it is damaged. */
export function describeSymbols(module: Module): string {
  const damage = module.symbols?.damage;
  return `${contents(module)}${damage ? `; ${damageWords(damage)}` : ''}`;
}

function contents(module: Module): string {
  const s = module.symbols;
  if (!s) return '';
  if (s.state === 'reading') return 'being read';
  if (s.state === 'public_only') return s.cfi ? 'public names only, call frame info' : 'public names only';
  const parts = [
    s.lines && 'lines',
    s.inlines && 'inlines',
    s.variables === true && 'variables',
    s.cfi && 'call frame info',
  ].filter(part => part !== false);
  return parts.length > 0 ? parts.join(', ') : 'names only';
}

/** An id in pieces, those that differ from the other id marked. */
export function idDifference(id: string, other: string): {text: string; differs: boolean}[] {
  const out: {text: string; differs: boolean}[] = [];
  for (let at = 0; at < id.length; at++) {
    const differs = id[at] !== other[at];
    const last = out.at(-1);
    if (last && last.differs === differs) last.text += id[at];
    else out.push({text: id[at] ?? '', differs});
  }
  return out;
}
