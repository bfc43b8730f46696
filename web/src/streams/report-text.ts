// A report that is text: its lines, and the frames that they state.
import type {Report} from '../report.ts';
import {type FrameRow, frameRows} from '../stack/frames.ts';
import {functionName} from '../stack/names.ts';
import {brief} from '../text/hex.ts';
import {grouped} from '../text/maps.ts';
import {bare} from '../text/names.ts';
import {visibleLines} from '../text/text.ts';

/** So much of a long log is shown. */
export const mostText = 256 << 10;

/** Whether all that a report knows was stated by a text: it has frames, and no memory. */
export const isText = ({threads, dump, memory_regions: regions}: Report): boolean =>
  dump.memory === 0 &&
  (regions ?? []).length === 0 &&
  (threads ?? []).some(({frames}) => (frames ?? []).length > 0) &&
  (threads ?? []).every(({frames}) => (frames ?? []).every(({trust}) => trust === 'prewalked'));

/** A line, with the row of a stack that it states. */
export interface TextLine {
  readonly text: string;
  readonly at: {readonly thread: number; readonly row: FrameRow} | null;
}

/**
 * The lines of a text. A frame is on a line behind that of the frame before it that has its function or its address: on the last one before the line of the
 * next frame, because a headline may state the innermost frame, too.
 */
export function textLines(text: string, report: Report): TextLine[] {
  const lines: {text: string; at: TextLine['at']}[] = visibleLines(text.replaceAll('\t', '    ').trimEnd()).map(
    line => ({
      text: line,
      at: null,
    }),
  );
  const index = grouped(
    lines.flatMap((line, i) => [...new Set(wordsOf(line.text))].map(word => ({word, i}))),
    ({word}) => word,
  );
  const places = (row: FrameRow, from: number, to: number): number[] =>
    signs(row).flatMap(sign =>
      (index.get(longest(sign)) ?? [])
        .filter(({i}) => i >= from && i < to && lines[i]?.at === null && lines[i].text.includes(sign))
        .map(({i}) => i),
    );
  for (const [thread, of] of (report.threads ?? []).entries()) {
    let from = 0;
    let before: {readonly row: FrameRow; readonly at: number} | null = null;
    const put = (to: number) => {
      if (before === null) return;
      const line = lines[Math.max(before.at, ...places(before.row, before.at, to))];
      if (line) line.at = {thread, row: before.row};
    };
    for (const row of frameRows(of, of.crashed)) {
      const at = Math.min(...places(row, from, lines.length));
      if (at === Number.POSITIVE_INFINITY) continue;
      put(at);
      before = {row, at};
      from = at + 1;
    }
    put(from);
  }
  return lines;
}

// A long log has thousands of lines, and hundreds of stacks: each is looked up, not searched. Addresses have zeros before them or not.
const wordsOf = (text: string): string[] => (text.match(/[\w$]+/g) ?? []).map(word => word.replace(/^(0x)?0*/i, ''));

const longest = (sign: string): string => wordsOf(sign).reduce((a, b) => (b.length > a.length ? b : a), '');

const signs = (row: FrameRow): string[] => {
  const name = functionName(row);
  return [name === null ? '' : bare(name), row.inline === null ? brief(row.frame.offset).slice(2) : ''].filter(
    sign => sign.length > 2,
  );
};
