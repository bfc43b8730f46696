// Texts for the clipboard: one stack, one frame, as text that reads well in a mail or a chat.
import type {Report, Thread} from '../report.ts';
import {type FrameRow, frameRows} from '../stack/frames.ts';
import {mark, noPlace, placeText, rowName} from '../stack/names.ts';
import {endWords} from '../stack/stack.ts';
import {tilde} from '../text/names.ts';
import {visible} from '../text/text.ts';

/** A stack as text, one line per row, columns aligned; all rows, also those that are folded on the page. */
export function stackText(report: Report, thread: Thread): string {
  const rows = frameRows(thread, thread.crashed).map(row => columns(row));
  const widths = [0, 1, 2, 3].map(i => Math.min(60, Math.max(0, ...rows.map(row => row[i]?.length ?? 0))));
  const lines = rows.map(row =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [`${headLine(report, thread)}`, ...lines, endLine(thread), ''].join('\n');
}

function headLine(report: Report, thread: Thread): string {
  const name = thread.thread_name ? ` ${visible(thread.thread_name)}` : '';
  const {what, where, at, guess, finding} = report.verdict;
  const verdict = [
    finding === 'bug_check' && where ? `${what},` : what,
    where && (guess ? `probably in ${tilde}${where}` : `in ${where}`),
    at && `at ${at}`,
  ]
    .filter(part => part)
    .join(' ');
  return thread.crashed
    ? `Thread ${thread.thread_id}${name} crashed: ${visible(verdict)}`
    : `Thread ${thread.thread_id}${name}`;
}

const endLine = ({end, frames}: Thread): string =>
  `${endWords(end, frames?.at(-1)?.guess ?? false)}: ${visible(end.reason)}`;

function columns(row: FrameRow): string[] {
  const name = rowName(row);
  return [
    String(row.number).padStart(3),
    `${mark(row)}${visible(name)}`,
    placeText(row) ? visible(placeText(row) ?? '') : noPlace(row),
    visible(row.frame.module ?? ''),
    row.frame.symbols_forced ? `${row.found}, names from mismatched symbols` : row.found,
  ];
}
