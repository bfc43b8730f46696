// The offer to open earlier files again.
import {visibleRow} from '../text/text.ts';

export interface Again {
  /** Names of files and folders that were open before. */
  readonly offer: readonly string[];
  /** Names of earlier folders of symbols that are not open here. */
  readonly folders: readonly string[];
  /** How many files of this tab a reload opens again. */
  readonly stored: number;
}

export const nothingAgain: Again = {offer: [], folders: [], stored: 0};

const mostNames = 3;

/** "Open again: a.dmp, app.sym and 4 more". */
export function againWords(names: readonly string[]): string {
  const rest = names.length - mostNames;
  const first = names.slice(0, mostNames).map(visibleRow).join(', ');
  return `Open again: ${first}${rest > 0 ? ` and ${rest} more` : ''}`;
}
