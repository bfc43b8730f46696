// Work in progress, in words.
import type {Progress} from '../engine/types.ts';
import {amount, soFar, speed} from '../text/format.ts';
import {baseName, counted, thin, visibleRow} from '../text/text.ts';

const verbs = {
  opening: 'Reading',
  reading: 'Reading',
  indexing: 'Indexing',
  walking: 'Walking the stacks of',
  writing: 'Writing',
} as const;

/** "Reading libxul.sym, 412 of 980 MB, 1.1 GB/s". */
export function workWords(
  {progress, since, silent = 0}: {readonly progress: Progress | null; readonly since: number; readonly silent?: number},
  now: number,
): string {
  if (silent > 0) return `${progress ? doing(progress) : 'Working'}, no progress for ${silent} s`;
  if (!progress) return 'Reading';
  const words = [doing(progress)];
  if (progress.total > (progress.phase === 'opening' ? 1 : 0)) words.push(howFar(progress));
  else if (progress.done > 1e6) words.push(soFar(progress.done));
  const seconds = (now - since) / 1000;
  if (!['walking', 'opening'].includes(progress.phase) && seconds > 0.5 && progress.done > 1e6)
    words.push(speed(progress.done / seconds));
  return words.join(', ');
}

/** "Loading the program, 1 MB so far", if the number of bytes is known. */
export const loadingWords = (coming: number): string =>
  coming > 0 ? `Loading the program, ${soFar(coming)}` : 'Loading the program';

const doing = ({phase, file}: Progress): string => `${verbs[phase]} ${visibleRow(baseName(file))}`.trim();

// Stacks and files are counted and not measured.
function howFar({phase, done, total}: Progress): string {
  if (phase === 'walking') return `${Math.floor((100 * done) / total)} %`;
  return phase === 'opening' ? `${thin(done)} of ${counted(total, 'file')}` : amount(done, total);
}
