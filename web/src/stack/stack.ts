// A stack as it is shown: the rows of frames.ts with what stands between them. Folds, the band above the first guess, the end.
import {type End, symbolsAwaited, type Thread} from '../report.ts';
import {type Fold, foldRows, type StackOptions} from './folds.ts';
import {type FrameRow, frameRows, isOwn, rowKey, runsCalls, scanned} from './frames.ts';

/** Rows that are put away, with the words that say which. */
export interface FoldRow extends Fold {
  readonly kind: 'fold';
  readonly rows: readonly FrameRow[];
  /** The line through the fold is dashed. */
  readonly guess: boolean;
}

/** Stands above the first scanned frame. */
export interface BandRow {
  readonly kind: 'band';
  /** How many frames are guesses from there on. */
  readonly count: number;
}

/** The last row: why there is no further frame. */
export interface EndRow {
  readonly kind: 'end';
  readonly end: End;
  readonly guess: boolean;
}

export type Row = FrameRow | FoldRow | BandRow | EndRow;

/** How a stack ends, in the fewest words; guess says that its last frame is one. */
export function endWords({complete, kind}: End, guess: boolean): string {
  if (kind === symbolsAwaited) return 'More to come';
  if (complete) return 'Stack complete';
  return guess || guessedEnds.has(kind) ? 'Ends at a guess' : 'Cut short';
}

const guessedEnds: ReadonlySet<string> = new Set(['guessed_start', 'guessed_undefined']);

/** The rows of one thread, in order. */
export function stackRows(thread: Thread, options: StackOptions): Row[] {
  const all = frameRows(thread, options.crashed);
  const shown = withoutInterpreters(options.inlined ? all : withoutInlined(all), options);
  const folds = foldRows(shown, options);
  const out: Row[] = [];
  let banded = false;
  for (let at = 0; at < shown.length; ) {
    const row = shown[at];
    if (!row) break;
    if (!banded && scanned(row.frame)) {
      out.push({kind: 'band', count: (thread.frames ?? []).filter(frame => frame.guess).length});
      banded = true;
    }
    const fold = folds.get(at);
    if (fold && !options.opened.has(fold.key)) {
      out.push({kind: 'fold', ...fold, rows: shown.slice(at, at + fold.count), guess: row.guess});
      at += fold.count;
    } else {
      out.push(row);
      at++;
    }
  }
  out.push({kind: 'end', end: thread.end, guess: all.at(-1)?.guess ?? false});
  return out;
}

// The diamond moves to the physical frame when the inlined call that carried it is hidden.
function withoutInlined(rows: readonly FrameRow[]): FrameRow[] {
  const crashed = rows[0]?.node === 'crash';
  const physical = rows.filter(row => row.found !== 'inlined');
  const first = physical[0];
  return crashed && first ? [{...first, node: 'crash'}, ...physical.slice(1)] : physical;
}

// A native frame that runs calls is the system's, and its calls stand for it. The verdict's row stays.
const withoutInterpreters = (rows: readonly FrameRow[], {system, row}: StackOptions): readonly FrameRow[] =>
  system ? rows : rows.filter(({inline, frame, number}) => inline !== null || number === row || !runsCalls(frame));

/** The frame rows that are on the page now, in order: what the keys move through. */
export function selectable(rows: readonly Row[]): FrameRow[] {
  return rows.filter((row): row is FrameRow => row.kind === 'frame');
}

/** The row to select at first: the one that the verdict names, the first own one, or the innermost. */
export function firstRow(thread: Thread, named: number | null): FrameRow | null {
  const rows = frameRows(thread, thread.crashed);
  return rows.find(row => row.number === named) ?? rows.find(isOwn) ?? rows[0] ?? null;
}

export {rowKey};
