// Goroutines, grouped by state, creator and stack: a pool of four hundred idle ones is one line.
import type {Report, Task} from '../report.ts';
import {frameRows, mark, placeText} from '../stack/frames.ts';
import {grouped} from '../text/maps.ts';
import {visible} from '../text/text.ts';

export interface TaskGroup {
  readonly first: Task;
  readonly tasks: readonly Task[];
  /** The first numbers, and how many more there are. */
  readonly ids: string;
  /** A line for each frame. */
  readonly lines: readonly string[];
}

const mostIDs = 16;

/** The groups, the largest first, then in the dump's order. */
export function taskGroups(report: Report): TaskGroup[] {
  const byStack = grouped(report.tasks ?? [], ({frames, state, created_by, end}) =>
    JSON.stringify([state, created_by, end.kind, (frames ?? []).map(frame => [frame.offset, frame.function])]),
  );
  return [...byStack.values()].flatMap(toGroup).sort((a, b) => b.tasks.length - a.tasks.length);
}

function toGroup(tasks: Task[]): TaskGroup[] {
  const [first] = tasks;
  if (!first) return [];
  const more = tasks.length - mostIDs;
  const ids = tasks.slice(0, mostIDs).map(task => `${task.id}`);
  return [{first, tasks, ids: [...ids, ...(more > 0 ? [`${more} more`] : [])].join(', '), lines: lines(first)}];
}

const lines = (task: Task): string[] =>
  frameRows(task, false).map(row => {
    const {frame} = row;
    const name = frame.function ?? frame.module_offset ?? frame.offset;
    const at = placeText(row) ?? frame.module ?? '';
    return visible(`${mark(row)}${name}  ${at}${frame.inlined ? ' (inlined)' : ''}`.trimEnd());
  });
