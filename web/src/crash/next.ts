// What to do next: the sentences are the engine's, and this finds the code in them.
import type {Report} from '../report.ts';
import {visible} from '../text/text.ts';
import {codeWords, type Words} from '../text/words-in-text.ts';

/** The steps in words, each in runs of text and code. A report of an older engine has none. */
export const nextSteps = ({next_steps: steps}: Report): readonly (readonly Words[])[] =>
  (steps ?? []).map(({text}) => codeWords(visible(text)));
