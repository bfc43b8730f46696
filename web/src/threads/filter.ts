// Finding a thread: by a part of a function's, module's or thread's name, or by its id. Substrings only: patterns that a
// user types must not be able to stall the page.
import type {Report} from '../report.ts';
import {spellings} from '../text/spelling.ts';
import type {Group} from './groups.ts';

/** Whether a function, module or thread of the group contains the text; case is ignored. */
export function matches(report: Report, group: Group, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return true;
  if (group.names.some(name => name.toLowerCase().includes(wanted))) return true;
  if (group.threads.some(index => String(report.threads?.[index]?.thread_id ?? '') === wanted)) return true;
  return (group.first.frames ?? []).some(frame =>
    [frame.module, ...[frame, ...(frame.inlines ?? [])].flatMap(spellings)].some(name =>
      name?.toLowerCase().includes(wanted),
    ),
  );
}
