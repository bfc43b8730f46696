// A thread's frames as rows: physical frames and the calls inlined into them, numbered in one sequence, each with the shape of its node, the line to the next,
// and the word that says how it was found. A row is the program's own if the user can change its code.
import type {Frame, Inline, Thread} from '../report.ts';
import {memo} from '../text/maps.ts';

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

/** Whether a frame's function is only what runs the calls of an interpreter, which have rows. */
export const runsCalls = ({inlines}: Frame): boolean =>
  inlines?.every(call => call.kind) === true && inlines.length > 0;

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
