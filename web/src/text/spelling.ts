// Names of functions in their two spellings: demangled, and raw as linkers have them.
//
// The engine has both names if it knows both. To show the other one, the `function` of all frames is replaced in the report, so that stacks, sentences and
// copies agree.
import type {Frame, Inline, Report, Thread} from '../report.ts';
import {tilde} from './names.ts';

interface Spelled {
  readonly function: string | null;
  readonly linkage_function: string | null;
  readonly readable_function: string | null;
}

/** The name as linkers have it; null where that is not known. */
const raw = (f: Spelled): string | null => f.linkage_function ?? (f.readable_function === null ? null : f.function);

/** The demangled name; null if there is only the raw one, or if that is unknown. */
const readable = (f: Spelled): string | null =>
  f.readable_function ?? (f.linkage_function === null ? null : f.function);

/** The other names of a function, for those who search. */
export const spellings = (f: Spelled): (string | null)[] => [f.function, f.linkage_function, f.readable_function];

function spelled<T extends Spelled>(f: T, asRaw: boolean): T {
  const [linkage, read] = [raw(f), readable(f)];
  if (linkage === null || read === null) return f;
  return {...f, function: asRaw ? linkage : read, linkage_function: linkage, readable_function: read};
}

function frame(f: Frame, asRaw: boolean): Frame {
  const named = spelled(f, asRaw);
  if (!f.inlines) return named;
  return {...named, inlines: f.inlines.map((inline: Inline) => spelled(inline, asRaw))};
}

const thread = (t: Thread, asRaw: boolean): Thread =>
  t.frames ? {...t, frames: t.frames.map(f => frame(f, asRaw))} : t;

/** The report with names in one spelling; what has only one keeps it. */
export function inSpelling(report: Report, asRaw: boolean): Report {
  if (!report.threads) return report;
  const {verdict} = report;
  return {
    ...report,
    threads: report.threads.map(t => thread(t, asRaw)),
    verdict: {...verdict, where: whereIn(report, verdict.where, asRaw)},
  };
}

// The verdict names one of the crashed thread's functions, with a mark if it may be another one.
function whereIn(report: Report, where: string | null, asRaw: boolean): string | null {
  if (where === null) return null;
  if (where.startsWith(tilde)) return tilde + whereIn(report, where.slice(tilde.length), asRaw);
  const frames = report.threads?.find(t => t.crashed)?.frames ?? [];
  const named = frames.flatMap(f => [f, ...(f.inlines ?? [])]).find(f => spellings(f).includes(where));
  return named ? spelled<Spelled>(named, asRaw).function : where;
}

/** Whether any function of the report has two spellings. */
export const hasSpellings = (report: Report): boolean =>
  (report.threads ?? []).some(t =>
    (t.frames ?? []).some(f => [f, ...(f.inlines ?? [])].some(n => raw(n) !== null && readable(n) !== null)),
  );
