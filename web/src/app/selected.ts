// The selection: a frame, or a call inlined into it, and the panel that shows it.

import {type Panel, tabs} from '../frame/state.ts';
import type {Frame, Report, Thread} from '../report.ts';
import {type FrameRow, frameRows} from '../stack/frames.ts';
import {firstRow} from '../stack/stack.ts';
import {hasVariables} from '../variables/variables.ts';
import {currentDump, mainThread, type OpenDump, openKey, type State} from './state.ts';

/** The selected frame with its dump and thread; null when nothing is selected. */
export interface Selected {
  readonly dump: OpenDump;
  readonly index: number;
  readonly thread: Thread;
  readonly frame: Frame;
}

export function selected(state: Pick<State, 'dumps' | 'place'>): Selected | null {
  const dump = currentDump(state);
  const index = state.place?.thread ?? -1;
  const thread = dump?.report.threads?.[index];
  const frame = thread?.frames?.find(f => f.frame === state.place?.frame);
  return dump && thread && frame ? {dump, index, thread, frame} : null;
}

/** The selected row: the frame, or the call inlined into it. */
export function selectedRow(state: Pick<State, 'dumps' | 'place'>): FrameRow | null {
  const found = selected(state);
  const {place} = state;
  const rows = found ? frameRows(found.thread, found.thread.crashed) : [];
  return rows.find(row => row.frame === found?.frame && row.inline === place?.inline) ?? null;
}

/** The frame that a dump is about, whose code the first screen shows: the one that the verdict names. */
export function subject(dump: OpenDump): (Selected & {readonly row: FrameRow}) | null {
  const index = mainThread(dump.report) ?? -1;
  const thread = dump.report.threads?.[index];
  const row = thread && firstRow(thread, thread.crashed ? dump.report.verdict.row : null);
  return row ? {dump, index, thread, frame: row.frame, row} : null;
}

/** The chosen panel. Without a choice, the first that may know something: of a guess, why it is one. */
export function shownTab({place}: Pick<State, 'place'>, report: Report, frame: Frame): Panel {
  const chosen = place?.tab ?? 'auto';
  if (chosen !== 'auto') return chosen;
  if (hasVariables(report, frame)) return 'variables';
  return frame.guess || Object.keys(frame.registers ?? {}).length === 0 ? 'why' : 'registers';
}

/** The panels that can have something. A report that is text has no stack and no walk, and seldom registers. */
export function tabsOf({dump, thread, frame}: Selected): typeof tabs {
  if (frame.trust !== 'prewalked') return tabs;
  const has: Readonly<Record<Panel, boolean>> = {
    variables: hasVariables(dump.report, frame),
    registers: Object.keys(frame.registers ?? {}).length > 0,
    stack: thread.stack !== null,
    why: false,
  };
  return tabs.filter(({tab}) => has[tab]);
}

/** The key in State.opened of the instructions in place of the source. */
export const codeKey = (dump: OpenDump): string => openKey(dump, 0, 'code');
