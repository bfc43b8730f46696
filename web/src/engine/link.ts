// The connection to one worker, from its start to its end, with its pending requests.
import type {Answer, Answered, FromWorker, InputFile, Part, Request, SentFile, ToWorker} from './protocol.ts';
import type {Progress} from './types.ts';

/** The part of Worker that the link uses. */
export interface WorkerLike {
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(message: ToWorker): void;
  terminate(): void;
}

/** How often a worker gets a ping, in ms. */
export const BEAT = 1000;
/** A worker that did not answer so many beats is dead. Beats and not time: a background tab has few beats. */
export const IDLE_BEATS = 2;
/** The same for a busy worker: it cannot answer, but it reports progress. */
export const BUSY_BEATS = 15;
/** A busy worker without progress for so many beats is reported as silent, so that the user may stop it. */
export const SILENT_BEATS = 3;

/** Why a request got no answer: the worker died, or was ended. */
export class WorkerDied extends Error {}
/** The worker was ended on purpose, so the request is not the reason. */
export class WorkerEnded extends WorkerDied {}

interface Pending {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: Error) => void;
}

export class Link {
  /** Whether this page's workers can read files. The first worker says so before it gets a file. */
  static #read = true;

  readonly ready: Promise<void>;
  onprogress: ((progress: Progress) => void) | null = null;
  /** Called at each beat without progress of a busy worker, with their number. */
  onsilence: ((beats: number) => void) | null = null;
  /** The last reported memory of its program, in bytes. */
  memory = 0;
  /** Called once when the worker dies, and not if it was ended on purpose. */
  ondeath: ((reason: string) => void) | null = null;

  readonly #worker: WorkerLike;
  /** A name that is unique among the workers of all tabs. */
  readonly #lock = `worker ${performance.timeOrigin} ${performance.now()} ${Math.random()}`;
  readonly #pending = new Map<number, Pending>();
  readonly #beat: ReturnType<typeof setInterval>;
  #isReady = false;
  #settleReady: {resolve: () => void; reject: (reason: Error) => void} | undefined;
  #unanswered = 0;
  #lastID = 0;
  #isEnded = false;

  constructor(worker: WorkerLike, module: WebAssembly.Module) {
    this.#worker = worker;
    this.ready = new Promise((resolve, reject) => {
      this.#settleReady = {resolve, reject};
    });
    worker.onmessage = event => this.#receive(event.data);
    worker.onerror = event => {
      event.preventDefault();
      this.#die(`The program failed: ${event.message || 'it gave no reason'}.`);
    };
    worker.postMessage({kind: 'start', module, lock: this.#lock});
    this.#beat = setInterval(() => this.#check(), BEAT);
  }

  async request<R extends Request>(request: R, files: readonly InputFile[] = []): Promise<Answered<R>> {
    const withBytes = files.length > 0 && !Link.#read;
    const {json, ...answer} = await (withBytes
      ? this.#requestWithBytes(request, files)
      : this.#request(request, files));
    return {...answer, result: json === '' ? null : JSON.parse(json)};
  }

  /** Reads the files for a worker that cannot, with the same error messages. */
  async #requestWithBytes(request: Request, files: readonly InputFile[]): Promise<Answer> {
    const sent = await Promise.all(files.map(async input => ({...input, file: await bytesOf(input.file)})));
    const answer = await this.#request(request, sent);
    return request.op === 'open' ? {...answer, blobs: files.map(({file}) => file)} : answer;
  }

  #request(request: Request, files: readonly SentFile[]): Promise<Answer> {
    if (this.#isEnded) return Promise.reject(new WorkerDied('The worker is gone.'));
    return new Promise((resolve, reject) => {
      const id = ++this.#lastID;
      this.#pending.set(id, {resolve, reject});
      this.#unanswered = 0;
      this.#worker.postMessage({kind: 'request', id, request, files});
    });
  }

  /** Sends the worker more parts of a file at a host. */
  sendPart(path: string, part: Part): void {
    if (!this.#isEnded) this.#worker.postMessage({kind: 'part', path, part});
  }

  /** Ends the worker. Its pending requests are rejected with the reason. */
  end(reason: string): void {
    this.#end(new WorkerEnded(reason));
  }

  #end(error: WorkerDied): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearInterval(this.#beat);
    this.#worker.terminate();
    this.#settleReady?.reject(error);
    this.ready.catch(() => {}); // a request that waits for it fails; without one the error is ignored
    for (const pending of this.#pending.values()) pending.reject(error);
    this.#pending.clear();
  }

  #die(reason: string): void {
    if (this.#isEnded) return;
    this.#end(new WorkerDied(reason));
    this.ondeath?.(reason);
  }

  #check(): void {
    const busy = !this.#isReady || this.#pending.size > 0;
    if (this.#unanswered >= (busy ? BUSY_BEATS : IDLE_BEATS)) {
      this.#die('The program fell silent.');
      return;
    }
    this.#unanswered++;
    if (this.#pending.size > 0 && this.#unanswered > SILENT_BEATS) this.onsilence?.(this.#unanswered - 1);
    this.#worker.postMessage({kind: 'ping'});
  }

  #receive(message: FromWorker): void {
    if (this.#isEnded) return;
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
        this.#remove(message.id)?.resolve(message.answer);
        return;
      case 'failed':
        this.#remove(message.id)?.reject(new Error(message.error));
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
   * Waits for the worker's lock, which the browser releases when the worker is gone. No event reports a worker that was killed or
   * that closed itself, and a busy worker answers no beat.
   */
  async #awaitEnd(): Promise<void> {
    await navigator.locks.request(this.#lock, () => undefined).catch(() => new Promise(() => {}));
    this.#die('The program ended, and gave no reason.');
  }

  #remove(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }
}

/** A file that was removed meanwhile is sent as it is: the worker's read fails with the reason. */
const bytesOf = (file: Blob): Promise<Blob | ArrayBuffer> => file.arrayBuffer().catch(() => file);
