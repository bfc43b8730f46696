// How long the requester waits for a host, by the rules of `crashglass fetch`: for each part of a response, and for the whole.

export interface Limits {
  /** Milliseconds until a response begins, and for each part of it. */
  readonly wait: number;
  /** Bytes of a part: 8 KiB per second. */
  readonly least: number;
  /** Milliseconds for a whole response. */
  readonly most: number;
}

export const LIMITS: Limits = {wait: 30_000, least: 240 << 10, most: 2 * 60 * 60_000};

/** So many bytes are put into a Blob, which the browser may keep on disk. */
const LOOSE = 16 << 20;

/** The reason of a request that was aborted because it took too long. */
export class TooSlow extends Error {}

/** One request with its limits. It is aborted when they are exceeded, or when stop is. */
export class Patience {
  readonly #controller = new AbortController();
  readonly #limits: Limits;
  readonly #whole: ReturnType<typeof setTimeout>;
  #part: ReturnType<typeof setTimeout>;

  constructor(stop: AbortSignal | null, limits: Limits = LIMITS) {
    this.#limits = limits;
    this.#whole = this.#abortAfter(limits.most);
    this.#part = this.#abortAfter(limits.wait);
    if (stop?.aborted) this.#controller.abort(stop.reason);
    stop?.addEventListener('abort', () => this.#controller.abort(stop.reason), {signal: this.signal});
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  #abortAfter(time: number): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.#controller.abort(new TooSlow('it did not answer, or was too slow')), time);
  }

  /** The bytes of a response. A burst does not extend the deadline. */
  async bytes(response: Response): Promise<Blob> {
    const chunks: BlobPart[] = [];
    let [size, loose] = [0, 0];
    this.#next();
    const reader = response.body?.getReader();
    const stopped = new Promise<never>((_, reject) => {
      this.signal.addEventListener('abort', () => reject(this.signal.reason), {once: true});
    });
    stopped.catch(() => undefined); // it may fail after the last byte
    for (;;) {
      this.signal.throwIfAborted();
      const {done, value} = (await Promise.race([reader?.read(), stopped])) ?? {done: true, value: undefined};
      if (done) break;
      chunks.push(value);
      size += value.length;
      loose += value.length;
      if (loose >= LOOSE) {
        chunks.splice(0, chunks.length, new Blob(chunks));
        loose = 0;
      }
      if (size >= this.#limits.least) {
        size = 0;
        this.#next();
      }
    }
    return new Blob(chunks, {type: response.headers.get('content-type') ?? ''});
  }

  #next(): void {
    clearTimeout(this.#part);
    this.#part = this.#abortAfter(this.#limits.wait);
  }

  /** Ends the time. A response that is not read to its end is aborted. */
  end(): void {
    clearTimeout(this.#whole);
    clearTimeout(this.#part);
    this.#controller.abort();
  }
}
