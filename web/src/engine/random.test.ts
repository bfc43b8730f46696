// The engine against a model, in random order: files are opened, opening is cancelled, dumps are closed and asked about, workers
// die. CRASHGLASS_SEED repeats one run.
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {BAD, fileOf, GoWorker} from '../../test/go-worker.ts';
import {MemoryCache} from './index-cache.ts';
import {Indexes} from './indexes.ts';
import {Link} from './link.ts';
import {Pool} from './pool.ts';
import type {InputFile} from './protocol.ts';
import {Supervisor} from './supervisor.ts';
import type {Opened} from './types.ts';

const KINDS = [
  'open',
  'cancel',
  'close',
  'kill',
  'ask',
  'force',
  'stop',
  'wait',
  'work',
  'work',
  'work',
  'work',
] as const;

/** One operation; the choices are made by the random number, whatever is open then. */
interface Step {
  readonly kind: (typeof KINDS)[number];
  readonly choice: number;
}

/** Numbers below 2^32, by Mulberry32. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  };
}

function stepsFrom(seed: number, count: number): Step[] {
  const next = numbersFrom(seed);
  return Array.from({length: count}, () => ({kind: KINDS[next() % KINDS.length] ?? 'work', choice: next()}));
}

const settle = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

class Run {
  readonly #workers: GoWorker[] = [];
  readonly #engine: Supervisor;
  readonly #shown = new Map<number, string>(); // the texts of the dumps that the page shows
  readonly #ever = new Map<number, string>(); // and of those that it has shown
  readonly #lost = new Set<number>(); // by a worker that died of their files
  readonly #forced = new Set<string>();
  readonly #running = new Set<AbortController>();
  #add = 0;
  #failure: string | null = null;

  constructor() {
    const start = (): Link => {
      const worker = new GoWorker();
      this.#workers.push(worker);
      return new Link(worker, {} as WebAssembly.Module);
    };
    const indexes = new Indexes(new Pool(start, 0), Promise.resolve(new MemoryCache()));
    this.#engine = new Supervisor(start, indexes, []);
    this.#engine.onopened = opened => this.#show(opened);
  }

  /** What went wrong, or null. */
  async play(steps: readonly Step[]): Promise<string | null> {
    for (const step of steps) {
      this.#do(step);
      await settle();
      if (this.#failure) return this.#failure;
    }
    return (await this.#end()) ?? this.#failure;
  }

  #do({kind, choice}: Step): void {
    const worker = this.#workers.at(-1);
    const shown = [...this.#shown.keys()];
    const dump = shown[choice % Math.max(1, shown.length)];
    if (kind === 'work') worker?.work();
    else if (kind === 'wait') vi.advanceTimersByTime(20);
    else if (kind === 'open') void this.#open(choice);
    else if (kind === 'cancel') for (const running of this.#running) running.abort();
    else if (kind === 'stop' && choice % 4 === 0) this.#engine.stop();
    else if (kind === 'kill' && choice % 4 === 0) this.#kill();
    else if (dump === undefined) return;
    else if (kind === 'close') this.#close(dump);
    else if (kind === 'force') void this.#force(dump);
    else if (kind === 'ask') void this.#request(dump);
  }

  /** Files of a few names: symbols, logs of two dumps, the same dump again, dumps without a report, and other dumps. */
  async #open(choice: number): Promise<void> {
    const add = ++this.#add;
    const files: InputFile[] = Array.from({length: 1 + (choice % 3)}, (_, i) => {
      const kind = (choice >>> (4 * i)) % 16;
      const one = kind < 5 ? 'same' : kind === 5 ? BAD : `${add}.${i}`;
      const dumps = kind < 2 ? [] : kind < 4 ? [`${add}.${i}.0`, `${add}.${i}.1`] : [one];
      return {path: `${'abc'[(choice >>> (12 + i)) % 3]}.dmp`, file: fileOf({dumps, symbols: kind < 2})};
    });
    const stop = new AbortController();
    this.#running.add(stop);
    try {
      // The engine starts an add when the ones before it are over.
      const result = await this.#engine.add(files, stop.signal);
      for (const opened of result.opened) this.#show(opened);
      for (const {dump, report} of result.updated) this.#same(dump, textOf(report));
    } catch {
      // It was cancelled, or the worker died: its dumps count as far as they were shown.
    }
    this.#running.delete(stop);
  }

  #show({dump, report}: Opened): void {
    const text = textOf(report);
    this.#same(dump, text);
    if (this.#ever.has(dump)) return; // a part of it was shown before
    this.#ever.set(dump, text);
    this.#shown.set(dump, text);
  }

  #same(dump: number, text: string): void {
    const before = this.#ever.get(dump) ?? text;
    if (before !== text) this.#failure ??= `dump ${dump} is ${before}, and the answer is about ${text}`;
  }

  #close(dump: number): void {
    this.#shown.delete(dump);
    void this.#engine.close([dump]).catch(() => undefined); // of a worker that died meanwhile
  }

  async #force(dump: number): Promise<void> {
    const text = this.#shown.get(dump) ?? '';
    try {
      await this.#engine.force(dump, 0, true);
      this.#forced.add(text);
    } catch {}
  }

  async #request(dump: number): Promise<void> {
    try {
      this.#same(dump, (await this.#engine.result({op: 'explain', dump, thread: 0})) as unknown as string);
    } catch {
      // A worker died; whether the next one answers is asked at the end.
    }
  }

  /** A worker that dies while it takes files again died of these files. */
  #kill(): void {
    const worker = this.#workers.at(-1);
    if (!worker?.started) return;
    for (const message of worker.inbox) {
      if (message.kind !== 'request') continue;
      const {request} = message;
      if (request.op === 'open') for (const {dump} of request.known) this.#lost.add(dump);
      if (request.op === 'force') this.#forced.delete(this.#ever.get(request.dump) ?? '');
    }
    worker.die();
  }

  /** Lets all work end. Then each dump that is shown is answered, and the worker holds no other. */
  async #end(): Promise<string | null> {
    await this.#rest();
    for (const [dump, text] of this.#shown) {
      if (this.#lost.has(dump)) continue;
      let answer: unknown = 'nothing';
      this.#engine.result({op: 'explain', dump, thread: 0}).then(
        thread => (answer = thread),
        error => (answer = error.message),
      );
      await this.#rest();
      if (answer !== text) return `dump ${dump} is ${text}, and the answer at the end is: ${answer}`;
    }
    const worker = this.#workers.at(-1);
    const open = worker?.dumps.map(({dump}) => dump).sort((a, b) => a - b) ?? [];
    const want = [...this.#shown.keys()].filter(dump => !this.#lost.has(dump)).sort((a, b) => a - b);
    if (open.join() !== want.join()) return `the worker holds ${open.join()}, the page shows ${want.join()}`;
    for (const text of this.#forced) if (!worker?.forced.has(text)) return `${text} is no longer forced`;
    return null;
  }

  async #rest(): Promise<void> {
    for (let idle = 0; idle < 3; idle++) {
      const worker = this.#workers.at(-1);
      if (worker?.inbox.length) idle = 0;
      worker?.work();
      vi.advanceTimersByTime(20);
      await settle();
    }
  }
}

const textOf = (report: unknown): string => (report as {text: string}).text;

const play = (steps: readonly Step[]): Promise<string | null> => new Run().play(steps);

/** A shorter sequence that fails as well. */
async function shrunk(steps: readonly Step[]): Promise<readonly Step[]> {
  let least = steps;
  for (let size = least.length >> 1; size > 0; size >>= 1) {
    for (let from = 0; from < least.length; ) {
      const without = [...least.slice(0, from), ...least.slice(from + size)];
      if (await play(without)) least = without;
      else from += size;
    }
  }
  return least;
}

beforeEach(
  () => void vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance']}),
);
afterEach(() => void vi.useRealTimers());

const seed = process.env['CRASHGLASS_SEED'];
const seeds = seed === undefined ? Array.from({length: 100}, (_, i) => i + 1) : [Number(seed)];

test('whatever is opened, cancelled, closed and killed, each answer is about its dump, and nothing is lost', async () => {
  for (const seed of seeds) {
    const steps = stepsFrom(seed, 60);
    const failure = await play(steps);
    if (!failure) continue;
    const least = await shrunk(steps);
    const list = least.map(({kind, choice}) => `${kind} ${choice}`).join(', ');
    expect.unreachable(
      `seed ${seed}: ${failure}. Of ${steps.length} steps these suffice: ${await play(least)}: ${list}`,
    );
  }
});
