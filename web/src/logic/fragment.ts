// The URL's fragment: where in the report one is, so that Back works and a link leads to the same place.
//
// It holds ordinals and the names of views, never names or bytes out of the dump: a URL is kept in histories and logs.
import {isTab, type Tab} from './tabs.ts';

/** What is selected: a dump, one of its threads, one of its frames, and the panel that is open. */
export interface Selection {
  /** The engine's number of the dump. */
  readonly dump: number;
  /** Index into the report's threads. */
  readonly thread: number;
  /** The physical frame. */
  readonly frame: number;
  /** Index into the frame's inlines; null for the physical frame itself. */
  readonly inline: number | null;
}

export interface Place extends Selection {
  readonly tab: Tab;
}

/** "#d=1&t=0&f=0&i=0&v=why": the dump counted from 1 in the order of opening, the thread and frame from 0. */
export function write(place: Place): string {
  const inline = place.inline === null ? '' : `&i=${place.inline}`;
  const view = place.tab === 'all' ? '' : `&v=${place.tab}`;
  return `#d=${place.dump + 1}&t=${place.thread}&f=${place.frame}${inline}${view}`;
}

/** The place that a fragment names, where dump is the ordinal less one; null for anything that write did not write. */
export function read(fragment: string): Place | null {
  const params = new URLSearchParams(fragment.replace(/^#/, ''));
  const dump = ordinal(params.get('d'));
  const thread = ordinal(params.get('t'));
  const frame = ordinal(params.get('f'));
  if (dump === null || dump < 1 || thread === null || frame === null) return null;
  const view = params.get('v');
  return {
    dump: dump - 1,
    thread,
    frame,
    inline: ordinal(params.get('i')),
    tab: view !== null && isTab(view) ? view : 'all',
  };
}

const ordinal = (text: string | null): number | null => (text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null);
