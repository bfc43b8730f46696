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

const counted = (id: string, title: string, list: readonly unknown[] | null, show = true): Section | false =>
  list !== null && list.length > 0 && {id, title, count: show ? list.length : null};
