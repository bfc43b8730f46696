// The scan alone, of bytes that are in memory, by workers of Node with the page's own program, without a disk.
import {readFileSync} from 'node:fs';
import {Worker} from 'node:worker_threads';
import {project} from '../browser.ts';
import type {Contestant} from './turns.ts';

const text = new Map<string, SharedArrayBuffer>();

function load(path: string): SharedArrayBuffer {
  let shared = text.get(path);
  if (!shared) {
    const data = readFileSync(path);
    shared = new SharedArrayBuffer(data.length);
    new Uint8Array(shared).set(data);
    text.set(path, shared);
  }
  return shared;
}

/** Where a part may begin: at a FUNC record. */
function cut(data: Uint8Array, at: number): number {
  const piece = Buffer.from(data.slice(at, at + (1 << 20)));
  return at + piece.indexOf('\nFUNC ') + 1;
}

export const inMemory =
  (path: string, workers: number): Contestant =>
  async () => {
    const shared = load(path);
    const data = new Uint8Array(shared);
    const cuts = [0];
    for (let i = 1; i < workers; i++) cuts.push(cut(data, Math.floor((data.length / workers) * i)));
    cuts.push(data.length);
    const threads = cuts.slice(1).map(() => new Worker(project('web/test/bench/scanner.js'), {workerData: {shared}}));
    const next = (thread: Worker): Promise<unknown> =>
      new Promise((resolve, reject) => thread.once('message', resolve).once('error', reject));
    await Promise.all(threads.map(next)); // they have scanned something else before
    const start = performance.now();
    await Promise.all(
      threads.map((thread, i) => {
        const done = next(thread);
        thread.postMessage({from: cuts[i], to: cuts[i + 1]});
        return done;
      }),
    );
    const seconds = (performance.now() - start) / 1000;
    await Promise.all(threads.map(thread => thread.terminate()));
    return {seconds, memory: Number.NaN};
  };
