// The selection: a frame, or a call inlined into it, and the panel that shows it.

import {type Panel, tabs} from '../frame/tabs.ts';
import type {Frame, Report, Thread} from '../report.ts';
import {type FrameRow, frameRows} from '../stack/frames.ts';
import {hasVariables} from '../variables/variables.ts';
import {currentDump, type OpenDump, type State} from './state.ts';

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

/** The tabs in view: a phone has no room for the tab with all panels. */
export const shownTabs = ({layout: {width}}: Pick<State, 'layout'>): typeof tabs =>
  width === 'narrow' ? tabs.filter(t => t.tab !== 'all') : tabs;

/**
 * The chosen panel. Without a choice, the variables if the symbols may know some, else everything.
 */
export function shownTab(state: Pick<State, 'place' | 'layout'>, report: Report, frame: Frame): Panel {
  const chosen = state.place?.tab ?? 'auto';
  const shown = shownTabs(state);
  const found = shown.find(t => t.tab === chosen);
  if (found) return found.tab;
  if (hasVariables(report, frame)) return 'variables';
  return state.layout.width === 'narrow' ? 'code' : 'all';
}
