// Keeps a worker alive that holds the files which were given, whatever happens to the one before it.
//
// The Go program may run out of memory or out of stack, and neither can be recovered there; it may also be asked to stop,
// which it cannot hear while it works. All three end the same way: the worker is replaced, and the new one is given the
// files again, in the same order and under the same numbers. What the page shows stays; what it asks next is answered.

import type {Thread} from '../report.ts';
import type {Link} from './link.ts';
import type {AddAnswer, Answer, GivenFile, KnownDump, Request} from './protocol.ts';
import type {AddResult, CapturedRange, Code, Engine, Format, Found, Progress} from './types.ts';

/** Files that were taken together, and the numbers that the dumps among them have. */
interface Batch {
  readonly files: readonly GivenFile[];
  readonly known: readonly KnownDump[];
}

/** A browser that cannot start the worker so many times in a row will not. */
const MOST_STARTS = 3;

/** After so many steps the scanner is compiled as well as it will be. */
const WARM_STEPS = 5;

export class Supervisor implements Engine {
  onprogress: ((progress: Progress | null) => void) | null = null;
  onrestart: ((reason: string) => void) | null = null;

  readonly #start: () => Link;
  readonly #example: readonly GivenFile[];
  readonly #held: Batch[] = [];
  #link: Link;
  #failedStarts = 0;
  #isRestoring = false;
  #wasAsked = false;
  #restored: Promise<void> = Promise.resolve();
  #queue: Promise<unknown> = Promise.resolve();
  #next = 1;

  constructor(start: () => Link, example: readonly GivenFile[]) {
    this.#start = start;
    this.#example = example;
    this.#link = this.#open();
  }

  /** Settles when the first worker is ready, or could not be started. */
  get ready(): Promise<void> {
    return this.#link.ready;
  }

  /**
   * Prepares the worker for the first dump while there is nothing else to do: with the example, and then step by step
   * until it is asked anything. Whatever comes of it, nobody waits for it.
   */
  async warm(): Promise<void> {
    const link = this.#link;
    try {
      for (let step = 0; step < WARM_STEPS && !this.#wasAsked; step++) {
        await link.ask({op: 'warm'}, step === 0 ? this.#example : []);
      }
    } catch {
      // A worker that died of it is replaced as ever, and whatever else went wrong will go wrong where somebody sees it.
    }
  }

  add(files: readonly GivenFile[], signal?: AbortSignal): Promise<AddResult> {
    return this.#inTurn(async () => {
      await this.#restored;
      signal?.throwIfAborted();
      const stop = (): void => this.#replace();
      signal?.addEventListener('abort', stop, {once: true});
      try {
        return await this.#add(files);
      } catch (error) {
        signal?.throwIfAborted();
        throw error;
      } finally {
        signal?.removeEventListener('abort', stop);
      }
    });
  }

  example(): Promise<AddResult> {
    return this.add(this.#example);
  }

  explain(dump: number, thread: number): Promise<Thread> {
    return this.#inTurn(async () => JSON.parse((await this.#ask({op: 'explain', dump, thread})).json));
  }

  render(dump: number, format: Format): Promise<string> {
    return this.#inTurn(async () => {
      const {bytes} = await this.#ask({op: 'render', dump, format});
      return new TextDecoder().decode(bytes ?? new Uint8Array(0));
    });
  }

  memory(dump: number, address: string, size: number): Promise<Uint8Array | null> {
    return this.#inTurn(async () => (await this.#ask({op: 'memory', dump, address, size})).bytes);
  }

  disassemble(dump: number, address: string, before: number, after: number): Promise<Code> {
    return this.#inTurn(async () =>
      JSON.parse((await this.#ask({op: 'disassemble', dump, address, before, after})).json),
    );
  }

  captured(dump: number): Promise<readonly CapturedRange[]> {
    return this.#inTurn(async () => JSON.parse((await this.#ask({op: 'captured', dump})).json));
  }

  find(dump: number, pattern: string, from: string): Promise<Found> {
    return this.#inTurn(async () => JSON.parse((await this.#ask({op: 'find', dump, pattern, from})).json));
  }

  /** One request after the other: a worker that dies then dies of the one that it was at. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    this.#wasAsked = true;
    const turn = this.#queue.then(work, work);
    const over = (): void => this.onprogress?.(null);
    this.#queue = turn.then(over, over);
    return turn;
  }

  async #add(files: readonly GivenFile[]): Promise<AddResult> {
    const answer = await this.#ask({op: 'add', next: this.#next, known: []}, files);
    const result: AddAnswer = JSON.parse(answer.json);
    const known = result.opened.map(({name, dump}) => ({name, dump}));
    for (const {dump} of known) this.#next = Math.max(this.#next, dump + 1);
    this.#held.push({files, known});
    return result;
  }

  async #ask(request: Request, files: readonly GivenFile[] = []): Promise<Answer> {
    await this.#restored;
    return this.#link.ask(request, files);
  }

  #open(): Link {
    const link = this.#start();
    let started = false;
    link.ready.then(
      () => {
        started = true;
        this.#failedStarts = 0;
      },
      () => {}, // ondeath is called as well
    );
    link.onprogress = progress => this.onprogress?.(progress);
    link.ondeath = reason => {
      if (!started && ++this.#failedStarts >= MOST_STARTS) return; // every question is rejected from now on
      this.#link = this.#open();
      this.#giveBack();
      const tell = (): void => this.onrestart?.(reason);
      this.#link.ready.then(tell, () => {});
    };
    return link;
  }

  /** Ends the worker in the middle of its work, and goes on with another. */
  #replace(): void {
    const old = this.#link;
    this.#link = this.#open();
    old.end('The work was stopped.');
    this.#giveBack();
  }

  /** Gives the current worker what the last one held. One that dies of it is replaced, and the same work goes on. */
  #giveBack(): void {
    if (this.#isRestoring) return;
    this.#isRestoring = true;
    this.#restored = this.#restore().finally(() => {
      this.#isRestoring = false;
    });
  }

  async #restore(): Promise<void> {
    let link = this.#link;
    for (let i = 0; i < this.#held.length; ) {
      if (link !== this.#link) {
        link = this.#link;
        i = 0;
      }
      try {
        await link.ready;
      } catch {
        if (link === this.#link) return; // no worker can be started any more
        continue;
      }
      const batch = this.#held[i] as Batch;
      try {
        await link.ask({op: 'add', next: this.#next, known: batch.known}, batch.files);
        i++;
      } catch {
        this.#held.splice(i, 1); // what killed a worker is given to no other
      }
    }
  }
}
