// The library in Node: workers are threads, and share the bytes of files.
import {readFile} from 'node:fs/promises';
import {availableParallelism} from 'node:os';
import {Worker} from 'node:worker_threads';
import {Link, type WorkerLike} from '../src/engine/link.ts';
import type {FromWorker, ToWorker} from '../src/engine/protocol.ts';
import type {Bytes, Library} from './api.ts';
import {library} from './session.ts';

const MOST_WORKERS = 8;

/** A thread with the events of a browser's worker. */
class Thread implements WorkerLike {
  onmessage: WorkerLike['onmessage'] = null;
  onerror: WorkerLike['onerror'] = null;
  readonly #thread = new Worker(new URL(/* @vite-ignore */ './node-worker.js', import.meta.url));

  constructor() {
    this.#thread.on('message', (data: FromWorker) => this.onmessage?.({data} as MessageEvent<FromWorker>));
    this.#thread.on('error', (error: Error) => this.#fail(error.message));
    this.#thread.on('exit', () => this.#fail('the thread ended'));
  }

  postMessage(message: ToWorker): void {
    this.#thread.postMessage(message);
  }

  terminate(): void {
    void this.#thread.terminate();
  }

  #fail(message: string): void {
    this.onerror?.({message, preventDefault: () => undefined} as ErrorEvent);
  }
}

/** A file whose bytes are shared with workers, and not copied. They cannot read a Blob, so they get what arrayBuffer returns. */
class Shared extends Blob {
  readonly #bytes: SharedArrayBuffer;

  constructor(bytes: Uint8Array) {
    super();
    this.#bytes = new SharedArrayBuffer(bytes.length);
    new Uint8Array(this.#bytes).set(bytes);
  }

  override get size(): number {
    return this.#bytes.byteLength;
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#bytes as ArrayBufferLike as ArrayBuffer;
  }
}

const bytesOf = async (bytes: Bytes): Promise<Uint8Array> =>
  bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes instanceof Blob ? await bytes.arrayBuffer() : bytes);

let module: Promise<WebAssembly.Module> | undefined;

export const {analyze, open}: Library = library({
  async load() {
    module ??= readFile(new URL(/* @vite-ignore */ './crashglass.wasm', import.meta.url)).then(bytes =>
      WebAssembly.compile(bytes),
    );
    const compiled = await module;
    return () => new Link(new Thread(), compiled);
  },
  workers: Math.min(availableParallelism(), MOST_WORKERS),
  toFile: async bytes => new Shared(await bytesOf(bytes)),
});
