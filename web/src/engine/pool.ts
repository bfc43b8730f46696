// The workers that hold no dump: each scans a file, or a part of one, and forgets it. They share one compiled module.
// They start when there is a scan, or when the page is idle.

import {type Link, WorkerDied} from './link.ts';
import type {InputFile} from './protocol.ts';
import type {Progress} from './types.ts';

/** A part of a file that is to be scanned. */
export interface Part {
  readonly file: InputFile;
  readonly from: number;
  readonly to: number;
  readonly onprogress: (progress: Progress) => void;
}

interface Job extends Part {
  readonly resolve: (index: Blob) => void;
  readonly reject: (reason: unknown) => void;
}

/** How many are started in advance: an idle worker needs some megabytes. */
const READY = 2;

/** An idle worker that used more memory than this is ended: WebAssembly never releases memory. */
const MOST_MEMORY = 96 << 20;

/** After so many steps the browser has optimised the scanner. */
const WARM_STEPS = 5;

export class Pool {
  /** How many may work at once. */
  readonly most: number;
  readonly #start: () => Link;
  readonly #links = new Set<Link>();
  readonly #idle: Link[] = [];
  readonly #jobs: Job[] = [];

  constructor(start: () => Link, most: number) {
    this.#start = start;
    this.most = most;
  }

  /** Starts workers and warms each up, step by step, until there is something to do. */
  async warm(isBusy: () => boolean): Promise<void> {
    if (isBusy()) return;
    while (this.#links.size < Math.min(READY, this.most)) this.#idle.push(this.#open());
    for (const link of [...this.#idle]) {
      for (let step = 0; step < WARM_STEPS && this.#idle.includes(link) && !isBusy(); step++) {
        await link.request({op: 'warm'}).catch(() => undefined); // it died, and another one is started when needed
      }
    }
  }

  /** The index of a part. Rejects with WorkerDied if the worker died, or stop was called. */
  scan(part: Part): Promise<Blob> {
    return new Promise((resolve, reject) => {
      this.#jobs.push({...part, resolve, reject});
      this.#next();
    });
  }

  /** Ends all workers. New ones are started when needed. */
  stop(): void {
    const links = [...this.#links];
    this.#links.clear();
    this.#idle.length = 0;
    for (const job of this.#jobs.splice(0)) job.reject(new WorkerDied('The work was stopped.'));
    for (const link of links) link.end('The work was stopped.');
  }

  #next(): void {
    while (this.#jobs.length > 0) {
      const link = this.#idle.pop() ?? (this.#links.size < this.most ? this.#open() : null);
      const job = link && this.#jobs.shift();
      if (!link || !job) return;
      void this.#do(link, job);
    }
  }

  async #do(link: Link, {file, from, to, onprogress, resolve, reject}: Job): Promise<void> {
    link.onprogress = onprogress;
    try {
      const {blobs} = await link.request({op: 'scan', from, to}, [file]);
      resolve(blobs[0] ?? new Blob([]));
    } catch (error) {
      reject(error);
    } finally {
      link.onprogress = null;
      if (link.memory > MOST_MEMORY) this.#end(link);
      else if (this.#links.has(link)) this.#idle.push(link);
      this.#next();
    }
  }

  #end(link: Link): void {
    this.#links.delete(link);
    link.end('It took too much memory.');
  }

  #open(): Link {
    const link = this.#start();
    this.#links.add(link);
    link.ready.catch(() => {}); // the next request reports it
    link.ondeath = () => {
      this.#links.delete(link);
      if (this.#idle.includes(link)) this.#idle.splice(this.#idle.indexOf(link), 1);
    };
    return link;
  }
}
