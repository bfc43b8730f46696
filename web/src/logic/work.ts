// Work in progress, in words.
import type {Progress} from '../engine/types.ts';
import {amount, soFar, speed} from './format.ts';
import {baseName, visibleRow} from './text.ts';

const verbs = {reading: 'Reading', indexing: 'Indexing', walking: 'Walking the stacks of', writing: 'Writing'} as const;

/** "Reading libxul.sym, 412 of 980 MB, 1.1 GB/s". */
export function workWords(
  {progress, since}: {readonly progress: Progress | null; readonly since: number},
  now: number,
): string {
  if (!progress) return 'Reading';
  const words = [`${verbs[progress.phase]} ${visibleRow(baseName(progress.file))}`.trim()];
  if (progress.total > 0) words.push(howFar(progress));
  else if (progress.done > 1e6) words.push(soFar(progress.done));
  const seconds = (now - since) / 1000;
  if (progress.phase !== 'walking' && seconds > 0.5 && progress.done > 1e6) words.push(speed(progress.done / seconds));
  return words.join(', ');
}

// Stacks are counted and not measured.
const howFar = ({phase, done, total}: Progress): string =>
  phase === 'walking' ? `${Math.floor((100 * done) / total)} %` : amount(done, total);
