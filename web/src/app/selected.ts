// The selection: a frame, or a call inlined into it.
import type {Frame, Thread} from '../report.ts';
import {type FrameRow, frameRows} from '../stack/frames.ts';
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
