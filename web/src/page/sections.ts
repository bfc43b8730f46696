// The sections of a report that have something to show, in the order of the page.

import {lost, streamType} from '../crash/damage.ts';
import type {Report} from '../report.ts';
import {isText} from '../streams/report-text.ts';
import {counted} from '../text/text.ts';

export interface Section {
  /** The element's id. */
  readonly id: string;
  readonly title: string;
  readonly count: number | null;
}

export function sectionList(report: Report): Section[] {
  const memory = (report.memory_regions?.length ?? 0) > 0 || report.dump.memory > 0;
  return [
    {id: 'crash', title: report.verdict.crashed ? 'Crash' : 'Report', count: null},
    {id: 'threads', title: 'Threads', count: report.thread_count},
    ...(memory ? [{id: 'memory', title: 'Memory', count: null}] : []),
    ...(isText(report) ? [{id: 'text', title: 'Text', count: null}] : []),
    ...(rawList(report).length > 0 ? [{id: 'raw', title: 'Raw dump', count: null}] : []),
  ];
}

/** What the raw dump has: "7 modules", "8 streams", "Linux". */
export function rawList(report: Report): string[] {
  const linux = (report.linux_files?.length ?? 0) > 0 || report.lsb_release !== null || report.proc_limits !== null;
  const lists = [
    [report.modules, 'module'],
    [report.unloaded_modules, 'unloaded module'],
    [report.annotations, 'annotation'],
    [report.handles, 'handle'],
    [report.streams, 'stream'],
    [report.notes, 'note'],
  ] as const;
  return [
    ...lists.flatMap(([list, one]) => (list && list.length > 0 ? [counted(list.length, one)] : [])),
    ...((report.modules ?? []).length === 0 && lost(report, streamType.modules) !== null ? ['no modules'] : []),
    ...(linux ? ['Linux'] : []),
    ...(report.mac_crash_info !== null || report.mac_boot_args !== null ? ['macOS'] : []),
  ];
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
