// Arguments and locals as rows of a tree, and the text of each row. An unknown value is a state, never a 0.
import type {FrameVariables, ModuleGlobals} from '../engine/types.ts';
import type {Frame, Module, Report, Variable} from '../report.ts';
import type {FrameRow} from '../stack/frames.ts';
import {functionName} from '../stack/names.ts';
import {brief, hex, parse} from '../text/hex.ts';
import {capital, visible} from '../text/text.ts';

/** A row of the tree: a variable, a member, an element. */
export interface VariableRow {
  readonly kind: 'variable';
  /** Its path in the tree: "0.3.1" is the second child of the fourth variable of the function itself. */
  readonly key: string;
  /** Its depth in the tree; 1 is the variable itself. */
  readonly level: number;
  readonly variable: Variable;
  /** The variable that it is a part of; itself on level 1. */
  readonly root: Variable;
  readonly opens: boolean;
  readonly open: boolean;
  /** Of a member: bytes from the beginning of its object; null if that is not known. */
  readonly offset: number | null;
  /** Its number among its siblings, from 1, and the number of siblings. */
  readonly at: number;
  readonly of: number;
}

/** A row in place of hidden elements. */
export interface MoreRow {
  readonly kind: 'more';
  /** The key of the row that has the elements. */
  readonly key: string;
  readonly level: number;
  readonly shown: number;
  /** The number of hidden elements. */
  readonly left: number;
  /** The number that a click shows; 0 if no more are read. */
  readonly next: number;
  /** The engine has to read the next ones first. */
  readonly unread: boolean;
}

export type TreeRow = VariableRow | MoreRow;

/** The variables of one kind in one scope. */
export interface Group {
  readonly title: 'Arguments' | 'Locals' | 'Globals';
  readonly count: number;
  readonly rows: readonly TreeRow[];
}

/** Elements that are shown first, and the most that are read. */
export const firstElements = 16;
const mostElements = 4096;

/** The index of a row's scope in FrameVariables: the function itself comes first, then its inlined calls, the outermost first. */
export const scopeOf = (row: FrameRow): number =>
  row.inline === null ? 0 : (row.frame.inlines?.length ?? 0) - row.inline;

/** The variables of a row of a stack. */
export const ofRow = (known: FrameVariables, row: FrameRow): readonly Variable[] =>
  known.scopes[scopeOf(row)]?.variables ?? [];

/** Arguments, then locals, with the rows that are open. */
export function groups(
  variables: readonly Variable[],
  scope: number | typeof globalScope,
  opened: (key: string) => boolean,
  shown: (key: string) => number,
): Group[] {
  const numbered = variables.map((variable, number) => ({variable, number}));
  const group = (title: Group['title'], kind: string): Group => {
    const own = numbered.filter(({variable}) => variable.kind === kind);
    const rows = own.flatMap(({variable, number}, i) =>
      rowsOf(variable, {
        key: `${scope}.${number}`,
        level: 1,
        root: variable,
        at: i + 1,
        of: own.length,
        opened,
        shown,
      }),
    );
    return {title, count: own.length, rows};
  };
  return [group('Arguments', 'argument'), group('Locals', 'local'), group('Globals', 'global')].filter(
    ({count}) => count > 0,
  );
}

/** The scope of global variables in the keys of their rows. */
export const globalScope = 'g';

/** Whether a row belongs to a global variable, by its key. */
export const isGlobal = (key: string): boolean => key.startsWith(`${globalScope}.`);

/** The most global variables that one search finds: variables.MaxStatics in Go. */
const mostGlobals = 64;

/** A message about a search among global variables: why it found none, or not all; null if it found all. */
export function globalsNote(name: string, {known, variables, notes}: ModuleGlobals): string | null {
  const note = notes[0];
  if (note) return `The variables could not be read: ${note.text}`;
  if (!known) return 'The symbols of this module describe no global variables.';
  if (variables.length === 0)
    return `No global variable has the name \`${name}\`. Use \`*\` for any text: \`*${name}*\`.`;
  return variables.length < mostGlobals ? null : `The first ${mostGlobals} are shown.`;
}

/** Whether the symbols of a frame's module may know global variables. */
export function hasGlobals(report: Report, frame: Frame): boolean {
  const symbols = moduleOf(report, frame)?.symbols;
  return !frame.symbols_forced && symbols?.variables === true && symbols.state !== 'wrong_build';
}

interface At {
  readonly key: string;
  readonly level: number;
  readonly root: Variable;
  /** What it is a member of. */
  readonly parent?: Variable;
  readonly at: number;
  readonly of: number;
  readonly opened: (key: string) => boolean;
  readonly shown: (key: string) => number;
}

function rowsOf(variable: Variable, place: At): TreeRow[] {
  const {key, level, root, at, of} = place;
  const children = childrenOf(variable);
  const opens = children.length > 0;
  const open = opens && place.opened(key);
  const offset = offsetIn(variable, place.parent);
  const row: VariableRow = {kind: 'variable', key, level, variable, root, opens, open, offset, at, of};
  if (!open) return [row];
  const count = Math.min(children.length, place.shown(key));
  const below = children
    .slice(0, count)
    .flatMap((child, i) =>
      rowsOf(child, {...place, parent: variable, key: `${key}.${i}`, level: level + 1, at: i + 1, of: children.length}),
    );
  return [row, ...below, ...moreOf(variable, key, level + 1, children.length, count)];
}

/** Bytes from the beginning of an object to a member of it; null if that is not known. */
export function offsetIn({address}: Variable, parent: Variable | undefined): number | null {
  const [at, base] = [parse(address), parse(parent?.object?.address)];
  return at === null || base === null ? null : Number(at - base);
}

function moreOf(variable: Variable, key: string, level: number, children: number, shown: number): MoreRow[] {
  const left = children - shown + (variable.more ?? 0);
  if (left === 0) return [];
  const next = Math.min(4 * Math.max(shown, firstElements), mostElements);
  const unread = shown === children;
  return [
    {
      kind: 'more',
      key,
      level,
      shown,
      left,
      next: unread && shown >= mostElements ? 0 : next,
      unread: next > children && left > children - shown,
    },
  ];
}

// The raw members of a library type are one child, which is closed at first.
const implementation = 'implementation';

function childrenOf({children}: Variable): readonly Variable[] {
  const all = children ?? [];
  const raw = all.filter(child => child.raw === true);
  const said = all.filter(child => child.raw !== true);
  if (raw.length === 0 || said.length === 0) return all;
  return [
    ...said,
    {name: implementation, type: '', kind: '', state: 'known', value: null, why: null, location: null, children: raw},
  ];
}

/** The words and the glyph of a state without a value. */
export interface Lack {
  readonly glyph: string;
  readonly words: string;
  /** The style: quiet for values that no dump would have. */
  readonly style: 'gone' | 'absent';
}

const lacks: ReadonlyMap<string, Lack> = new Map([
  ['optimized_out', {glyph: '⊘', words: 'optimized out', style: 'gone'}],
  ['not_captured', {glyph: '?', words: 'not captured', style: 'absent'}],
  ['unreadable', {glyph: '✕', words: 'unreadable', style: 'absent'}],
  ['inconsistent', {glyph: '!', words: 'inconsistent', style: 'absent'}],
]);

/** The state of a variable without a value, or with a part of it; null if its value is known. */
export const lackOf = ({state}: Variable): Lack | null => lacks.get(state) ?? null;

const longest = 400;

const contents: ReadonlyMap<string, string> = new Map([
  ['empty', 'empty'],
  ['no_value', 'no value'],
]);

// Why there is nothing below a value; null if there is something, or nothing to say.
const contentOf = ({content}: Variable): string | null => contents.get(content ?? '') ?? null;

/** The value in one line, or a summary of the members: "{4, -1.5, …}"; null when it is not known. */
export function valueText(variable: Variable): string | null {
  const content = contentOf(variable);
  if (variable.value !== null) return content ? `${variable.value} (${content})` : variable.value;
  if (variable.state !== 'known') return null;
  return content ?? summary(variable.children ?? [], variable.more ?? 0);
}

/** The text of a value for the clipboard, or why there is none. */
export const wholeValue = (variable: Variable): string => visible(valueText(variable) ?? lackOf(variable)?.words ?? '');

/** A value without the leading zeros of addresses. */
export function briefValue(text: string): string {
  const address = /^0x[0-9a-f]+/.exec(text)?.[0];
  return address === undefined ? text : brief(address) + text.slice(address.length);
}

const summarized = 3;

function summary(children: readonly Variable[], more: number): string {
  const said = children.filter(child => child.raw !== true);
  if (said.length === 0) return '{}';
  const parts = said.slice(0, summarized).map(child => cut(briefValue(child.value ?? contentOf(child) ?? '…'), 24));
  const rest = said.length > summarized || more > 0 ? ', …' : '';
  return cut(`{${parts.join(', ')}${rest}}`, longest);
}

const cut = (text: string, length: number): string => (text.length <= length ? text : `${text.slice(0, length - 1)}…`);

/** The block of a variable, short: "line 12"; null without a block or without its line. */
export const blockText = ({variable: {block}}: VariableRow): string | null =>
  block?.line === undefined ? null : `line ${block.line}`;

/** The block of a variable as a sentence, for a tooltip; null without a block. */
export function blockTip({variable: {block, hidden}}: VariableRow): string | null {
  const where = block?.line === undefined ? null : `In the block at line ${block.line}`;
  const by = hidden ? 'A variable in a deeper block has the same name' : null;
  return where === null && by === null ? null : [where, by].filter(words => words !== null).join('. ');
}

/** Where a variable was, short: "rbx", "0x7ffe1000", "+0x8" in its object; a dash if it has no location. */
export function whereText({variable, level, offset}: VariableRow): string {
  if (level > 1) return offset === null ? '' : `+${hex(offset)}`;
  if (variable.location === null || variable.state === 'optimized_out') return '–';
  return parse(variable.location) === null ? variable.location : brief(variable.location);
}

/** The address in memory that a row leads to: the target of a pointer, or else the variable's own address. */
export function addressOf({variable, root}: VariableRow): string | null {
  return pointsTo(variable) ?? placeOf(variable) ?? variable.address ?? placeOf(root);
}

/** The target of a pointer; null for other types and for null pointers. */
export function pointsTo(variable: Variable): string | null {
  if (!/[*&]\s*(const)?$|\bptr\b|pointer|^unsafe/.test(variable.type)) return null;
  const address = /^0x[0-9a-f]+/.exec(variable.value ?? '')?.[0] ?? null;
  return address !== null && (parse(address) ?? 0n) !== 0n ? address : null;
}

/** The address of a variable; null if it is in a register or has no location. */
export const placeOf = ({location}: Variable): string | null => (parse(location) === null ? null : location);

/** Why a frame has no variables, as known before they are requested; null if it may have some. */
export function noneBefore(report: Report, frame: Frame): string | null {
  if (frame.guess) return 'Not read: this frame is a guess, so what its registers hold is not proved.';
  if (runsScript(frame)) return null;
  const module = moduleOf(report, frame);
  if (!module) return 'No module is known here, so nothing says which variables there are.';
  if (frame.symbols_forced) return 'Not read: mismatched symbols do not describe these variables.';
  if (module.symbols?.state === 'reading') return 'The symbols are being read.';
  return hasVariables(report, frame) ? null : wantedFile(module);
}

const moduleOf = (report: Report, {module_index: index}: Frame): Module | null =>
  index === null ? null : (report.modules?.[index] ?? null);

function wantedFile(module: Module): string {
  const id = module.debug_id === '' ? '' : `, debug ID \`${module.debug_id}\``;
  const file = module.debug_file || module.filename;
  return `The symbols of \`${module.filename}\` do not describe variables. Add a file with debug information (DWARF or PDB) of this build: \`${file}\`${id}.`;
}

/** Whether a frame runs calls of JavaScript, whose receivers and arguments need no symbols. */
const runsScript = ({inlines}: Frame): boolean => inlines?.some(({kind}) => kind === 'javascript') === true;

/** Whether the symbols of a frame's module, or the runtime of its calls, may know its variables. */
export function hasVariables(report: Report, frame: Frame): boolean {
  if (runsScript(frame)) return !frame.guess;
  const symbols = moduleOf(report, frame)?.symbols;
  return !frame.guess && !frame.symbols_forced && symbols?.variables === true && symbols.state !== 'wrong_build';
}

/** Why a frame has no variables, as known after they were requested. */
export function noneAfter(known: FrameVariables, row: FrameRow): string {
  const note = known.notes[0];
  if (note) return `The variables could not be read: ${note.text}`;
  const name = functionName(row);
  const what = name === null ? 'this function' : `\`${name}\``;
  return known.known
    ? `${capital(what)} has no arguments and no variables here.`
    : `The debug information does not describe the variables of ${what}.`;
}

/** The evidence of a variable as text, for the clipboard. */
export function evidenceText({variable, root}: VariableRow, trust: string): string {
  const e = root.evidence;
  const lines = [
    `${visible(variable.name)} = ${wholeValue(variable)}`,
    `type: ${visible(variable.type)}`,
    root.location === null ? null : `where: ${root.location}`,
    e?.rule ? `rule: ${visible(e.rule)}` : null,
    ...Object.entries(e?.registers ?? {}).map(([name, value]) => `register: ${name} = ${value}`),
    ...(e?.reads ?? []).map(read => `read: [${read.address}] = ${read.value}`),
    e?.from ? `from: ${visible(e.from)}` : null,
    `trust: ${trust}`,
    variable.why === null ? null : `why: ${visible(variable.why)}`,
  ];
  return `${lines.filter(line => line !== null).join('\n')}\n`;
}

/** The maximum letters of one argument, and of all arguments, in a row of a stack. */
const longestArgument = 28;
const longestList = 160;

/** The arguments of a call for its row: "(n=0, f=0x7fff…)"; null if none is known. Unknown arguments are left out. */
export function argumentsText(variables: readonly Variable[]): string | null {
  const list = variables.filter(v => v.kind === 'argument' && v.name !== '');
  const known = list.flatMap(v => {
    const value = inRow(v);
    return value === null ? [] : [`${visible(v.name)}=${value}`];
  });
  if (known.length === 0) return null;
  return cut(`(${known.join(', ')})`, longestList);
}

function inRow(variable: Variable): string | null {
  if (variable.state !== 'known') return null;
  const value = variable.value;
  if (value === null) return (variable.children?.length ?? 0) > 0 ? '{…}' : contentOf(variable);
  return cut(visible(briefValue(value)), longestArgument);
}

/** The values beside one line of source. */
const valuesOfLine = 3;

/** "i = 2, ring = {4 items}": the values of the variables that a line names, numbers and pointers first. */
export function valuesOf(line: string, variables: readonly Variable[]): string {
  const names = new Set(line.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []);
  return variables
    .filter(v => names.has(v.name) && v.hidden !== true)
    .sort((a, b) => Number(a.value === null) - Number(b.value === null))
    .flatMap(v => (inRow(v) === null ? [] : [`${visible(v.name)} = ${inRow(v)}`]))
    .slice(0, valuesOfLine)
    .join('  ');
}
