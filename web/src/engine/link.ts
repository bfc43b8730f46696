// One worker's life, from its start to its death, and the questions that are open in between.
import type {GivenFile, Part} from './given.ts';
import type {Answer, FromWorker, Request, SentFile, ToWorker} from './protocol.ts';
import type {Progress} from './types.ts';

/** A worker as the link uses it. */
export interface WorkerLike {
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(message: ToWorker): void;
  terminate(): void;
}

/** How often a worker is asked whether it lives, in ms. */
export const BEAT = 1000;
/** A worker that answered nothing to so many beats is dead. Beats and not time: a tab in the background has few. */
export const IDLE_BEATS = 2;
/** The same for one that is at work: it cannot answer then, but it tells of progress. */
export const BUSY_BEATS = 15;
/** A worker at work that has told of no progress for so many beats is said to be silent: the person may stop it then. */
export const SILENT_BEATS = 3;

/** Why an open question got no answer: the worker died, or was ended. */
export class WorkerDied extends Error {}

interface Question {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: Error) => void;
}

export class Link {
  /** Whether this page's workers can read files, which the first of them says before any is given one. */
  static #read = true;

  readonly ready: Promise<void>;
  onprogress: ((progress: Progress) => void) | null = null;
  /** Called at each beat for which a worker at work has been silent, with how many they are. */
  onsilence: ((beats: number) => void) | null = null;
  /** The memory of its program, in bytes, when it was last heard of. */
  memory = 0;
  /** Called once, and not when the worker was ended on purpose. */
  ondeath: ((reason: string) => void) | null = null;

  readonly #worker: WorkerLike;
  /** A name that no other worker has, in this tab or in another. */
  readonly #lock = `worker ${performance.timeOrigin} ${performance.now()} ${Math.random()}`;
  readonly #open = new Map<number, Question>();
  readonly #beat: ReturnType<typeof setInterval>;
  #isReady = false;
  #settleReady: {resolve: () => void; reject: (reason: Error) => void} | undefined;
  #unanswered = 0;
  #lastID = 0;
  #over = false;

  constructor(worker: WorkerLike, module: WebAssembly.Module) {
    this.#worker = worker;
    this.ready = new Promise((resolve, reject) => {
      this.#settleReady = {resolve, reject};
    });
    worker.onmessage = event => this.#hear(event.data);
    worker.onerror = event => {
      event.preventDefault();
      this.#die(`The program failed: ${event.message || 'it gave no reason'}.`);
    };
    worker.postMessage({kind: 'start', module, lock: this.#lock});
    this.#beat = setInterval(() => this.#check(), BEAT);
  }

  ask(request: Request, files: readonly GivenFile[] = []): Promise<Answer> {
    return files.length > 0 && !Link.#read ? this.#askWithBytes(request, files) : this.#ask(request, files);
  }

  /** Reads the files for a worker that cannot, and says of them what it would have said. */
  async #askWithBytes(request: Request, files: readonly GivenFile[]): Promise<Answer> {
    const sent = await Promise.all(files.map(async given => ({...given, file: await bytesOf(given.file)})));
    const answer = await this.#ask(request, sent);
    return request.op === 'take' ? {...answer, blobs: files.map(({file}) => file)} : answer;
  }

  #ask(request: Request, files: readonly SentFile[]): Promise<Answer> {
    if (this.#over) return Promise.reject(new WorkerDied('The worker is gone.'));
    return new Promise((resolve, reject) => {
      const id = ++this.#lastID;
      this.#open.set(id, {resolve, reject});
      this.#unanswered = 0;
      this.#worker.postMessage({kind: 'request', id, request, files});
    });
  }

  /** Gives the worker more of a file that is at a host. */
  give(path: string, part: Part): void {
    if (!this.#over) this.#worker.postMessage({kind: 'part', path, part});
  }

  /** Ends the worker. Its open questions are rejected with the reason. */
  end(reason: string): void {
    if (this.#over) return;
    this.#over = true;
    clearInterval(this.#beat);
    this.#worker.terminate();
    const error = new WorkerDied(reason);
    this.#settleReady?.reject(error);
    this.ready.catch(() => {}); // whoever waits for it knows; nobody has to
    for (const question of this.#open.values()) question.reject(error);
    this.#open.clear();
  }

  #die(reason: string): void {
    if (this.#over) return;
    this.end(reason);
    this.ondeath?.(reason);
  }

  #check(): void {
    const busy = !this.#isReady || this.#open.size > 0;
    if (this.#unanswered >= (busy ? BUSY_BEATS : IDLE_BEATS)) {
      this.#die('The program fell silent.');
      return;
    }
    this.#unanswered++;
    if (this.#open.size > 0 && this.#unanswered > SILENT_BEATS) this.onsilence?.(this.#unanswered - 1);
    this.#worker.postMessage({kind: 'ping'});
  }

  #hear(message: FromWorker): void {
    if (this.#over) return;
    this.#unanswered = 0;
    switch (message.kind) {
      case 'ready':
        this.#isReady = true;
        Link.#read = message.reads;
        this.#settleReady?.resolve();
        return;
      case 'progress':
        this.onprogress?.(message.progress);
        return;
      case 'answer':
        this.#take(message.id)?.resolve(message.answer);
        return;
      case 'failed':
        this.#take(message.id)?.reject(new Error(message.error));
        return;
      case 'dead':
        this.#die(message.reason);
        return;
      case 'locked':
        void this.#awaitEnd();
        return;
      case 'pong':
        this.memory = message.memory;
        return;
    }
  }

  /**
   * Waits for the worker's lock, which the browser takes from it when it is gone: no event tells of a worker that was killed or that
   * closed itself, and one that is at work answers no beat.
   */
  async #awaitEnd(): Promise<void> {
    await navigator.locks.request(this.#lock, () => undefined).catch(() => new Promise(() => {}));
    this.#die('The program ended, and gave no reason.');
  }

  #take(id: number): Question | undefined {
    const question = this.#open.get(id);
    this.#open.delete(id);
    return question;
  }
}

/** A file that is gone by now is sent as it is: the worker fails at it, and says so. */
const bytesOf = (file: Blob): Promise<Blob | ArrayBuffer> => file.arrayBuffer().catch(() => file);
