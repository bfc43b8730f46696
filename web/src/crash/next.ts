// The next steps that no other part of the page says: the panel shows the code to look at, and the list of symbols the files to get.
import type {Report} from '../report.ts';

/** The sentences of the steps. */
export const nextSteps = ({next_steps: steps, wanted_symbols: wanted}: Report): readonly string[] =>
  (steps ?? [])
    .filter(
      ({kind, module}) => kind !== 'look_at' && !(kind === 'get_symbols' && wanted?.some(w => w.module === module)),
    )
    .map(({text}) => text);
