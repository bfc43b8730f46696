// A thread's frames as rows: physical frames and the calls inlined into them, numbered in one sequence, each with the shape of its node, the line to the next,
// and the word that says how it was found. A row is the program's own if the user can change its code.
import type {Frame, Inline, Thread} from '../report.ts';
import {memo} from '../text/maps.ts';
import {nameDoubt, tilde} from '../text/names.ts';
import {baseName, sourcePath} from '../text/text.ts';

/** The shape on the chain; shape comes before colour. */
export type Node = 'crash' | 'given' | 'disc' | 'ring' | 'small' | 'guess' | 'after' | 'small-guess';

/** One row of a stack: a call, inlined or not. */
export interface FrameRow {
  readonly kind: 'frame';
  /** In sequence from the innermost; hiding rows does not renumber. */
  readonly number: number;
  readonly frame: Frame;
  /** Index into the frame's inlines; null for the physical frame itself. */
  readonly inline: number | null;
  readonly node: Node;
  readonly found: string;
  /** Found by scanning, or below a frame that was: the line to it and from it is dashed. */
  readonly guess: boolean;
}

// A Map, like all tables with keys from a report: a plain object also has "__proto__".
const nodes: ReadonlyMap<string, Node> = new Map([
  ['context', 'disc'],
  ['prewalked', 'given'],
  ['cfi', 'disc'],
  ['frame_pointer', 'ring'],
  ['leaf', 'ring'],
  ['cfi_scan', 'guess'],
  ['scan', 'guess'],
]);

/** Whether a frame itself was found by scanning. */
export const scanned = (frame: Frame): boolean => frame.trust === 'scan' || frame.trust === 'cfi_scan';

/** What has a stack: a thread, or a goroutine. */
type Stack = Pick<Thread, 'frames'>;

/** The rows of a stack, innermost first. crashed puts the diamond on the first. */
export const frameRows = (stack: Stack, crashed: boolean): readonly FrameRow[] =>
  crashed ? crashedRows(stack) : plainRows(stack);

const plainRows = memo(toRows);

const crashedRows = memo((stack: Stack): readonly FrameRow[] => {
  const [first, ...rest] = plainRows(stack);
  return first ? [{...first, node: 'crash'}, ...rest] : [];
});

function toRows({frames}: Stack): readonly FrameRow[] {
  const rows: FrameRow[] = [];
  for (const frame of frames ?? []) {
    const {guess} = frame;
    frame.inlines?.forEach((call, inline) => {
      const node = guess ? 'small-guess' : 'small';
      rows.push({kind: 'frame', number: rows.length, frame, inline, node, found: call.kind || 'inlined', guess});
    });
    const after = guess && !scanned(frame);
    const node = after ? 'after' : (nodes.get(frame.trust) ?? 'guess');
    const found = after ? 'after scan' : frame.trust === 'prewalked' ? 'given' : frame.found_by;
    rows.push({kind: 'frame', number: rows.length, frame, inline: null, node, found, guess});
  }
  return rows;
}

/** The function's name; null when nothing names it. */
export function functionName(row: FrameRow): string | null {
  return row.inline === null ? row.frame.function : (row.frame.inlines?.[row.inline]?.function ?? null);
}

// Words for the languages of interpreted calls, by their kinds.
const tags: ReadonlyMap<string, string> = new Map([
  ['python', 'py'],
  ['javascript', 'js'],
]);

/** What stands before the name of a call that an interpreter runs; "" for other rows. */
export const tag = (row: FrameRow): string => (row.inline === null ? '' : (tags.get(row.found) ?? ''));

/** Whether a frame's function is only what runs the calls of an interpreter, which have rows. */
export const runsCalls = ({inlines}: Frame): boolean =>
  inlines?.every(call => call.kind) === true && inlines.length > 0;

/** Whether a row's name is proved. An inlined call lies in its function. */
export const isCertain = ({frame, inline}: FrameRow): boolean =>
  frame.name_certainty === 'inside' || frame.name_certainty === 'covered' || (inline !== null && !frame.symbols_forced);

/** Why a row, or its name, may be wrong; null if both are proved. Such rows have the mark ~ in every view. */
export function doubt(row: FrameRow): string | null {
  const {name_certainty: certainty, folded_name: folded} = row.frame;
  const why = isCertain(row) ? null : nameDoubt(certainty);
  if (why !== null) return why;
  if (folded === true && row.inline === null) return 'identical code folding, may be another function';
  return row.guess ? 'a guess' : null;
}

/** The mark of a doubtful row as text. */
export const mark = (row: FrameRow): string => (doubt(row) === null ? '' : tilde);

/** The source file and line of a row. */
export function place(row: FrameRow): {file: string | null; line: number | null} {
  const at = row.inline === null ? row.frame : row.frame.inlines?.[row.inline];
  return {file: at?.file ?? null, line: at?.line ?? null};
}

/** "threads.cpp:12"; null without a file. */
export function placeText(row: FrameRow): string | null {
  const {file, line} = place(row);
  if (file === null) return null;
  const name = baseName(sourcePath(file));
  return line === null ? name : `${name}:${line}`;
}

/** What stands in the source column where no file is known. */
export function noPlace(row: FrameRow): string {
  if (row.frame.module === null) return 'no module';
  if (row.frame.name_certainty === 'beyond') return 'no name near';
  if (row.frame.function === null && !row.frame.missing_symbols) return 'being read';
  return functionName(row) === null ? 'no symbols' : 'no line';
}

/** A key that stays the same when symbols add inlined rows elsewhere. */
export const rowKey = (row: FrameRow): string => `${row.frame.frame}.${row.inline ?? 'p'}`;

/** Whether a row is the program's own code, which the user can change. */
export function isOwn(row: FrameRow): boolean {
  return isPlaced(row) && (callOf(row) ?? row.frame).library !== true;
}

const callOf = ({frame, inline}: FrameRow): Inline | undefined =>
  inline === null ? undefined : frame.inlines?.[inline];

/** Whether a row is outside of the system: calls that an interpreter runs, and code that the program made, may be in no module. */
export function isPlaced(row: FrameRow): boolean {
  const {module, file, found_by, is_system} = row.frame;
  if (callOf(row)?.kind) return true;
  return !is_system && (module !== null || (file !== null && found_by !== 'stated by the file'));
}
