// What a row of a stack is called, in every view and export: its function or its place, with the mark ~ if either may be wrong, and its line of the source.

import {brief, plus} from '../text/hex.ts';
import {bare, nameDoubt, tilde} from '../text/names.ts';
import {baseName, fileLine, sourcePath} from '../text/text.ts';
import type {FrameRow} from './frames.ts';

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

/** Whether a row's name is proved. An inlined call lies in its function. */
export const isCertain = ({frame, inline}: FrameRow): boolean =>
  frame.name_certainty === 'inside' || frame.name_certainty === 'covered' || (inline !== null && !frame.symbols_forced);

/** Why the name of a function may be wrong whose code others share. */
export const foldedName = 'identical code folding, may be another function';

/** Why a row, or its name, may be wrong; null if both are proved. Such rows have the mark ~ in every view. */
export function doubt(row: FrameRow): string | null {
  const {name_certainty: certainty, folded_name: folded} = row.frame;
  const why = isCertain(row) ? null : nameDoubt(certainty);
  if (why !== null) return why;
  if (folded === true && row.inline === null) return foldedName;
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
  return file === null ? null : fileLine(baseName(sourcePath(file)), line);
}

/** What stands in the source column where no file is known. */
export function noPlace(row: FrameRow): string {
  if (row.frame.module === null) return 'no module';
  if (row.frame.name_certainty === 'beyond') return 'no name near';
  if (row.frame.function === null && !row.frame.missing_symbols) return 'being read';
  return functionName(row) === null ? 'no symbols' : 'no line';
}

/** The function, or the module and offset if it has no name: "chromium + 0x9c5a510". */
export function rowName(row: FrameRow): string {
  const {module, module_offset: offset, unloaded_modules: unloaded} = row.frame;
  const name = functionName(row);
  if (name !== null) return name;
  if (module !== null && offset !== null) return plus(module, offset);
  const gone = unloaded?.[0];
  return gone ? plus(`${gone.module} (unloaded)`, gone.offsets?.[0] ?? '0x0') : brief(row.frame.offset);
}

/** The same without arguments. */
export const shortName = (row: FrameRow): string => (functionName(row) === null ? rowName(row) : bare(rowName(row)));

/** The short name; a doubtful one has its mark, so it never counts as the call that it may be. */
export const callName = (row: FrameRow): string => `${mark(row)}${shortName(row)}`;
