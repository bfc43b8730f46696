// The next steps: the engine writes the sentences; this file finds the code in them and the page's
// action for each.
import type {NextStep, Report, Thread, Wanted} from '../report.ts';
import {type FrameRow, frameRows} from '../stack/frames.ts';
import {type Get, getting, inSentence, type Shell} from '../symbols/get.ts';
import {lostIn} from '../symbols/symbols.ts';
import {counted, visible} from '../text/text.ts';
import {codeWords, type Words} from '../text/words-in-text.ts';

/** The action of the button beside a step. */
export type Does =
  | {readonly kind: 'command'; readonly command: string}
  | {readonly kind: 'link'; readonly url: string}
  | {readonly kind: 'row'; readonly thread: number; readonly row: FrameRow}
  | null;

export interface Step {
  /** The sentence, split into text and code. */
  readonly words: readonly Words[];
  readonly does: Does;
}

/**
 * The steps. A report of an older engine has none. onPhone: links are copied there, since commands
 * are useless.
 */
export const nextSteps = (report: Report, shell: Shell, onPhone: boolean): readonly Step[] =>
  (report.next_steps ?? []).map(step => {
    const told = {words: codeWords(visible(step.text)), does: rowOf(report, step)};
    return step.kind === 'get_symbols' ? (fetching(report, step, shell, onPhone) ?? told) : told;
  });

function rowOf(report: Report, {kind, thread, row}: NextStep): Does {
  const found = report.threads?.[thread ?? -1];
  const at = found && kind === 'look_at' ? frameRows(found, false)[row ?? -1] : undefined;
  return at ? {kind: 'row', thread: thread ?? 0, row: at} : null;
}

// The list of symbols shows the ids on request.
function fetching(report: Report, {module}: NextStep, shell: Shell, onPhone: boolean): Step | null {
  const wanted = report.wanted_symbols?.find(w => w.module === module);
  const of = report.modules?.[module ?? -1];
  if (!wanted || !of) return null;
  const thread = report.threads?.[report.crash_info.crashing_thread ?? 0];
  const lost = thread !== undefined && lostIn(thread, wanted.module);
  const get = getting(report, of, wanted, shell, lost);
  const does = onPhone ? linkOf(get.urls) : commandOf(get.command);
  return {words: fetchWords(get, wanted, thread, lost), does};
}

const linkOf = (urls: readonly string[]): Does => (urls.length === 0 ? null : {kind: 'link', url: urls.join('\n')});

const commandOf = (command: string | null): Does => (command === null ? null : {kind: 'command', command});

function fetchWords(
  {files, where}: Get,
  {module, frames: all}: Wanted,
  thread: Thread | undefined,
  lost: boolean,
): Words[] {
  const here = (thread?.frames ?? []).filter(f => f.module_index === module).length;
  const named = here > 0 ? `${counted(here, 'frame')} of this stack` : counted(all, 'frame');
  const they = files.length > 1 ? ['They name', ', and show'] : ['It names', ', and shows'];
  const proof = lost ? `${they[1]} which guesses are real` : '';
  return [
    text('Get '),
    ...files.flatMap((file, i) => [...(i > 0 ? [text(' and ')] : []), {text: visible(file), code: true}]),
    text(` of this build from ${inSentence(where)}. ${they[0]} ${named}${proof}.`),
  ];
}

const text = (words: string): Words => ({text: words, code: false});
