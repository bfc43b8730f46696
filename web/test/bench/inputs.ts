// The symbols of corpus/perf in several sizes, each as a file and in a store as all of the programs know it.
import {spawnSync} from 'node:child_process';
import {closeSync, linkSync, mkdirSync, openSync, readFileSync, readSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import {corpus, project} from '../browser.ts';
import {say} from './turns.ts';

export interface Size {
  readonly name: string;
  readonly bytes: number;
}

export const SMALL: Size = {name: '10 MB', bytes: 10e6};
export const FULL: Size = {name: '109 MB', bytes: 0}; // as it is in the corpus
export const HALF: Size = {name: '500 MB', bytes: 500e6};

export interface Input {
  readonly store: string;
  readonly symbols: string;
}

export interface Inputs {
  /** The largest there is: CRASHGLASS_BENCH_MB says another size than 1 GB. */
  readonly largest: Size;
  of(bytes: number): Input;
}

export function makeInputs(folder: string): Inputs {
  const megabytes = Number(process.env['CRASHGLASS_BENCH_MB'] ?? 1000);
  const largest = {name: megabytes === 1000 ? '1 GB' : `${megabytes} MB`, bytes: megabytes * 1e6};
  const original = join(folder, 'original.sym');
  writeFileSync(original, gunzipSync(readFileSync(corpus('perf/minidump-stackwalk.sym.gz'))));
  const made = new Map<number, Input>();
  for (const {name, bytes} of [FULL, SMALL, HALF, largest]) {
    const symbols = join(folder, `${bytes}.sym`);
    if (bytes === 0) linkSync(original, symbols);
    else {
      say(`Making ${name} of symbols`);
      const args = ['-from', original, '-large', symbols, '-size', String(bytes)];
      const go = spawnSync(
        'go',
        ['test', './symbols/formats/breakpad', '-count=1', '-run', 'LargeSymbols', '-args', ...args],
        {
          cwd: project('.'),
          encoding: 'utf8',
        },
      );
      if (go.status !== 0) throw new Error(go.stdout + go.stderr);
    }
    made.set(bytes, {symbols, store: makeStore(join(folder, `store-${bytes}`), symbols)});
  }
  return {
    largest,
    of: bytes => {
      const input = made.get(bytes);
      if (!input) throw new Error(`no symbols of ${bytes} bytes`);
      return input;
    },
  };
}

/** A folder in Breakpad's layout. */
function makeStore(store: string, symbols: string): string {
  const head = Buffer.alloc(200);
  const file = openSync(symbols, 'r');
  readSync(file, head);
  closeSync(file);
  const [, , , id, name] = head.toString('latin1').split('\n', 1)[0]?.split(' ') ?? [];
  if (!id || !name) throw new Error('the symbols have no MODULE record');
  mkdirSync(join(store, name, id), {recursive: true});
  linkSync(symbols, join(store, name, id, `${name}.sym`));
  return store;
}
