// The sections of a report that have something to show, in the order of the page.

import {lost, streamType} from '../crash/damage.ts';
import type {Report} from '../report.ts';

export interface Section {
  /** The element's id. */
  readonly id: string;
  readonly title: string;
  readonly count: number | null;
}

export function sectionList(report: Report): Section[] {
  const linux = (report.linux_files?.length ?? 0) > 0 || report.lsb_release !== null || report.proc_limits !== null;
  const all: (Section | false)[] = [
    {id: 'crash', title: report.verdict.crashed ? 'Crash' : 'Report', count: null},
    {id: 'threads', title: 'Threads', count: report.thread_count},
    counted('modules', 'Modules', report.modules) ||
      (lost(report, streamType.modules) !== null && {id: 'modules', title: 'Modules', count: null}),
    ((report.memory_regions?.length ?? 0) > 0 || report.dump.memory > 0) && {
      id: 'memory',
      title: 'Memory',
      count: null,
    },
    counted('annotations', 'Annotations', report.annotations),
    counted('handles', 'Handles', report.handles),
    linux && {id: 'linux', title: 'Linux', count: null},
    report.mac_crash_info !== null && {id: 'mac', title: 'macOS', count: null},
    counted('streams', 'Streams', report.streams),
    counted('notes', 'Notes', report.notes),
  ];
  return all.filter(section => section !== false);
}

/** The edges of a section's element in the window. */
export interface Edges {
  readonly id: string;
  readonly top: number;
  readonly focused: boolean;
}

// The bars at the top, and some room.
const under = 100;

/**
 * The section in view: the last whose heading has passed under the top bar. At the page's end the last ones cannot: there it is
 * the one that the user went to, or the last.
 */
export function sectionInView(all: readonly Edges[], height: number, atEnd: boolean): string {
  const seen = atEnd ? all.filter(({top}) => top < height) : [];
  const passed = all.filter(({top}) => top < under);
  return (seen.find(({top, focused}) => focused && top >= 0) ?? seen.at(-1) ?? passed.at(-1) ?? all[0])?.id ?? 'crash';
}

const counted = (id: string, title: string, list: readonly unknown[] | null, show = true): Section | false =>
  list !== null && list.length > 0 && {id, title, count: show ? list.length : null};
