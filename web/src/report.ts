// The report, as core/report writes it. Its types are generated.
//
// Addresses are strings, because JavaScript's numbers would round them. Most fields may be null or missing: half a dump is the
// normal case. Strings come out of dumps and symbol files and may contain anything; text.ts escapes them.
import type {Report} from './engine/generated/report.ts';

export type * from './engine/generated/report.ts';

/** The end of a stack whose other frames depend on symbols that are still being read. */
export const symbolsAwaited = 'symbols_awaited';

/** The end of a stack that was not walked, because another thread was requested. */
export const notWalked = 'not_walked';

/** Whether a stack of the report waits for symbols that are still being read. */
export const awaitsSymbols = (report: Report | undefined): boolean =>
  (report?.threads ?? []).some(({end}) => end.kind === symbolsAwaited);
