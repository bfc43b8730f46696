// Texts for the clipboard: one stack, one frame, as text that reads well in a mail or a chat.
import type {Report, Thread} from '../report.ts';
import {type FrameRow, frameRows, functionName, mark, noPlace, placeText} from '../stack/frames.ts';
import {endWords} from '../stack/stack.ts';
import {brief} from '../text/hex.ts';
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
    where && (guess ? `probably in ~ ${where}` : `in ${where}`),
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

/** The function, or the module and offset if it has no name: "chromium + 0x9c5a510". */
export function rowName(row: FrameRow): string {
  const name = functionName(row);
  if (name !== null) return name;
  const {module, module_offset: offset, unloaded_modules: unloaded} = row.frame;
  if (module !== null && offset !== null) return `${module} + ${brief(offset)}`;
  const gone = unloaded?.[0];
  if (gone) return `${gone.module} (unloaded) + ${brief(gone.offsets?.[0] ?? '0x0')}`;
  return brief(row.frame.offset);
}
