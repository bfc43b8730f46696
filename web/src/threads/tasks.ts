// Tasks of a runtime, goroutines above all, grouped by state, creator and stack: a pool of four hundred idle ones is one line.
import type {Report, Task} from '../report.ts';
import {frameRows} from '../stack/frames.ts';
import {mark, placeText} from '../stack/names.ts';
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

/** The tasks of one runtime. */
export interface TaskSection {
  /** Of the section's element: the first one is #tasks. */
  readonly id: string;
  readonly title: string;
  readonly noun: string;
  readonly count: number;
  readonly groups: readonly TaskGroup[];
}

const titles: Record<string, string> = {
  goroutine: 'Goroutines',
  python_thread: 'Threads of Python',
  javascript_thread: 'Threads of JavaScript',
};

/** A section for each runtime, in the order of the report. */
export const taskSections = (report: Report): TaskSection[] =>
  [...grouped(report.tasks ?? [], task => task.kind)].map(([kind, tasks], n) => ({
    id: n === 0 ? 'tasks' : `tasks-${kind}`,
    title: titles[kind] ?? 'Tasks',
    noun: kind === 'goroutine' ? kind : 'thread',
    count: tasks.length,
    groups: taskGroups(tasks),
  }));

const mostIDs = 16;

/** The groups, the largest first, then in the dump's order. */
function taskGroups(tasks: readonly Task[]): TaskGroup[] {
  const byStack = grouped(tasks, task =>
    JSON.stringify([
      task.state,
      task.created_by,
      told(task),
      task.end.kind,
      (task.frames ?? []).map(frame => [frame.offset, frame.function]),
    ]),
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

/** What else is known of a task: its exception, its labels and what it has deferred. */
export const told = ({exception: e, labels, deferred}: Task): string =>
  visible(
    [
      e ? `, ${e.handled ? 'handling' : 'raising'} ${e.type}${e.message ? `: ${e.message}` : ''}` : '',
      labels?.length ? `, labels ${labels.map(({name, value}) => `${name}=${value}`).join(' ')}` : '',
      deferred?.length ? `, deferred ${deferred.join(', ')}` : '',
    ].join(''),
  );

const lines = (task: Task): string[] =>
  frameRows(task, false).map(row => {
    const {frame} = row;
    const name = frame.function ?? frame.module_offset ?? frame.offset;
    const at = placeText(row) ?? frame.module ?? '';
    return visible(`${mark(row)}${name}  ${at}${frame.inlined ? ' (inlined)' : ''}`.trimEnd());
  });
