// Symbols that are large enough for an index worth keeping, and for workers that scan them.
import {readFileSync, writeFileSync} from 'node:fs';
import {project} from './browser.ts';

/** Writes the example's symbols with functions of no program behind them. */
export function writeLarge(path: string, variant: number): void {
  const lines = [readFileSync(project('web/example/desk.sym'), 'utf8')];
  for (let i = 0; i < 120_000; i++) {
    const at = (2 ** 30 + 256 * i).toString(16);
    lines.push(`FUNC ${at} 100 0 padding_${variant}_${i}\n${at} 100 1 0\n`);
  }
  writeFileSync(path, lines.join(''));
}
