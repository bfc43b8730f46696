// Keeps a worker running that holds the given files, and replaces it when it dies.
//
// The Go program may run out of memory or stack, from which it cannot recover. It cannot receive a request to stop while
// it works, either. In all three cases the worker is replaced, and the new one gets the same files, in the same order and
// under the same numbers. The page keeps its contents, and its next request is answered.

import type {Thread} from '../report.ts';
import type {GivenFile, Part, Remote} from './given.ts';
import type {Indexes} from './indexes.ts';
import {BEAT, type Link} from './link.ts';
import type {
  Answer,
  ForceResult,
  KnownDump,
  Missing,
  ReportResult,
  Request,
  Scan,
  ScannedResult,
  TakeResult,
  WarmResult,
} from './protocol.ts';
import type {
  AddResult,
  CapturedRange,
  Checklist,
  Code,
  Engine,
  FetchParts,
  FetchWhole,
  FieldsResult,
  Format,
  Found,
  FrameVariables,
  Given,
  Kept,
  KeptNames,
  Made,
  MadeResult,
  ModuleGlobals,
  OneVariable,
  Opened,
  Pointer,
  Progress,
  Rendered,
  Sanitized,
  SanitizeResult,
} from './types.ts';

/** Shows the finished part of a report until the next one is done. */
type Early = (opened: Opened, done: Promise<unknown>) => Promise<void>;

/** Repeats a request that changed a worker's state, for its replacement: files that it took, or forced symbols. */
type Held = (link: Link) => Promise<unknown>;

/** After so many failed starts in a row, the page gives up. */
const MOST_STARTS = 3;

/** How often one request is repeated because parts of files at hosts were missing. A stack takes a few hundred rounds. */
const MOST_ROUNDS = 10_000;

/** Stands for no dump: the module is then one that only the symbol files name. */
const WITHOUT_DUMP = -1;

const NOTHING_ASKS = 'there is nothing that could ask the host for more of it';

/** A file at a host that was fetched as a whole is like any other file. */
const asTaken = (given: GivenFile): GivenFile => {
  const whole = given.remote?.parts.find(part => part.whole)?.whole;
  return whole ? {path: given.path, file: whole} : given;
};

/** How long, in ms, a large library is read before the certain part of the crashing thread is shown again. */
const PATIENCE = 250;

/** If the full report is done within this time, in ms, no partial report is shown before. */
const SOON = 10;

/** If the crashing thread took this long, in ms, the others will not be ready soon. */
const SLOW = 5 * SOON;

/** The warm-up's steps with the example, and its steps in all. After them the program is compiled as well as it will be. */
const EXAMPLE_STEPS = 3;
const WARM_STEPS = 6;

export class Supervisor implements Engine {
  onprogress: ((progress: Progress | null) => void) | null = null;
  onrestart: ((reason: string) => void) | null = null;
  onsilence: ((seconds: number) => void) | null = null;
  onopened: ((opened: Opened) => void) | null = null;
  onwarm: ((opened: Opened) => void) | null = null;
  fetchParts: FetchParts | null = null;
  fetchWhole: FetchWhole | null = null;

  readonly #start: () => Link;
  readonly #indexes: Indexes;
  readonly #example: readonly GivenFile[];
  readonly #held: Held[] = [];
  #link: Link;
  readonly #remotes = new Map<string, Remote>(); // files at hosts, by their paths
  readonly #refused = new Set<string>(); // paths of files at hosts that could not be fetched
  #blobs: Blob[] = []; // the files that the worker was given, by its numbers
  #reported = new Set<number>(); // dumps whose report the worker has made
  #failedStarts = 0;
  #isRestoring = false;
  #wasAsked = false;
  #hasScanned = false; // the worker scanned a file itself
  #restored: Promise<void> = Promise.resolve();
  #queue: Promise<unknown> = Promise.resolve();
  #next = 1;

  constructor(start: () => Link, indexes: Indexes, example: readonly GivenFile[]) {
    this.#start = start;
    this.#indexes = indexes;
    indexes.onprogress = progress => this.onprogress?.(progress);
    this.#example = example;
    this.#link = this.#open();
  }

  /** Settles when the first worker is ready, or could not be started. */
  get ready(): Promise<void> {
    return this.#link.ready;
  }

  set onkept(told: ((kept: Kept) => void) | null) {
    this.#indexes.onkept = told;
  }

  forget(): Promise<void> {
    return this.#indexes.clear();
  }

  /**
   * Warms the worker up while it is idle: with the example, and then step by step until the first request. No request
   * depends on the result.
   */
  async warm(): Promise<void> {
    const link = this.#link;
    try {
      for (let step = 0; step < WARM_STEPS && !this.#wasAsked; step++) {
        const {json} = await link.ask({op: 'warm'}, step < EXAMPLE_STEPS ? this.#example : []);
        const example = step === 0 ? (JSON.parse(json) as WarmResult).opened[0] : undefined;
        if (example) this.onwarm?.(example);
      }
    } catch {
      // If the worker died, it is replaced as usual. Any other error will occur again in a real request, which reports
      // it.
    }
    await this.#indexes.warm(() => this.#wasAsked);
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
    return this.#inTurn(async () => JSON.parse((await this.#askNamed({op: 'explain', dump, thread})).json));
  }

  variables(
    dump: number,
    thread: number,
    frame: number | null,
    one: OneVariable | null = null,
  ): Promise<readonly FrameVariables[]> {
    const which = one ?? {scope: 0, number: 0, elements: 0};
    const request = {op: 'variables', dump, thread, frame: frame ?? -1, ...which} as const;
    return this.#inTurn(async () => JSON.parse((await this.#askNamed(request)).json));
  }

  globals(dump: number, module: number, name: string, elements: number): Promise<ModuleGlobals> {
    return this.#inTurn(async () =>
      JSON.parse((await this.#askNamed({op: 'globals', dump, module, name, elements})).json),
    );
  }

  render(
    dump: number,
    format: Format,
    {masked = false, memory = false, values = false}: Rendered = {},
  ): Promise<string> {
    return this.#inTurn(async () => {
      const {bytes} = await this.#askNamed({op: 'render', dump, format, masked, memory, values});
      return new TextDecoder().decode(bytes ?? new Uint8Array(0));
    });
  }

  checklist(dump: number): Promise<Checklist> {
    return this.#inTurn(async () => JSON.parse((await this.#ask({op: 'checklist', dump})).json));
  }

  sanitize(dump: number, keep: {readonly memory: boolean; readonly names: boolean}): Promise<Sanitized> {
    return this.#inTurn(async () => {
      const result = JSON.parse((await this.#askNamed({op: 'sanitize', dump, ...keep})).json) as SanitizeResult;
      const {bytes} = await this.#ask({op: 'sanitized', dump});
      return {result, data: bytes ?? new Uint8Array(0)};
    });
  }

  slice(dump: number, keep: {readonly names: boolean; readonly symbols: KeptNames}): Promise<Made> {
    return this.#inTurn(async () => this.#made(dump, await this.#askNamed({op: 'slice', dump, ...keep})));
  }

  capsule(
    dump: number,
    keep: {readonly memory: boolean; readonly names: boolean; readonly symbols: KeptNames},
    files: readonly GivenFile[],
  ): Promise<Made> {
    return this.#inTurn(async () => this.#made(dump, await this.#askNamed({op: 'capsule', dump, ...keep}, files)));
  }

  async #made(dump: number, {json}: Answer): Promise<Made> {
    const {bytes} = await this.#ask({op: 'sanitized', dump});
    return {result: JSON.parse(json) as MadeResult, data: bytes ?? new Uint8Array(0)};
  }

  syms(dump: number | null, module: number): Promise<Uint8Array> {
    if (dump === null) {
      return this.#inTurn(
        async () => (await this.#ask({op: 'syms', dump: WITHOUT_DUMP, module})).bytes ?? new Uint8Array(0),
      );
    }
    return this.#inTurn(async () => (await this.#askNamed({op: 'syms', dump, module})).bytes ?? new Uint8Array(0));
  }

  force(dump: number, module: number, use: boolean): Promise<AddResult> {
    return this.#inTurn(async () => {
      const request = {op: 'force', dump, module, use} as const;
      const {again}: ForceResult = JSON.parse((await this.#ask(request)).json);
      this.#hold(link => link.ask(request));
      const updated: Opened[] = [];
      for (const other of again) updated.push(await this.#report(other));
      return {files: [], opened: [], updated};
    });
  }

  fields(dump: number, {type, offset}: {readonly type: number; readonly offset: number}): Promise<FieldsResult> {
    return this.#inTurn(async () => JSON.parse((await this.#ask({op: 'fields', dump, type, offset})).json));
  }

  file(dump: number, offset: number, size: number): Promise<Uint8Array> {
    return this.#inTurn(async () => (await this.#ask({op: 'file', dump, offset, size})).bytes ?? new Uint8Array(0));
  }

  memory(dump: number, address: string, size: number): Promise<Uint8Array | null> {
    return this.#inTurn(async () => (await this.#ask({op: 'memory', dump, address, size})).bytes);
  }

  disassemble(dump: number, address: string, before: number, after: number): Promise<Code> {
    return this.#inTurn(async () =>
      JSON.parse((await this.#askNamed({op: 'disassemble', dump, address, before, after})).json),
    );
  }

  pointers(dump: number, addresses: readonly string[]): Promise<readonly Pointer[]> {
    return this.#inTurn(async () => JSON.parse((await this.#askNamed({op: 'pointers', dump, addresses})).json));
  }

  given(): Promise<readonly Given[]> {
    return this.#inTurn(async () => JSON.parse((await this.#ask({op: 'given'})).json));
  }

  captured(dump: number): Promise<readonly CapturedRange[]> {
    return this.#inTurn(async () => JSON.parse((await this.#ask({op: 'captured', dump})).json));
  }

  find(dump: number, pattern: string, from: string): Promise<Found> {
    return this.#inTurn(async () => JSON.parse((await this.#ask({op: 'find', dump, pattern, from})).json));
  }

  stop(): void {
    this.#replace();
  }

  /** Runs one request after another, so that the death of a worker belongs to the current request. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    this.#wasAsked = true;
    const turn = this.#queue.then(work, work);
    const over = async (): Promise<void> => {
      if (this.#hasScanned) await this.#succeed().catch(() => undefined); // the old worker continues
      this.onprogress?.(null);
    };
    this.#queue = turn.then(over, over);
    return turn;
  }

  /**
   * Replaces a worker that scanned a large file itself, because WebAssembly never releases memory. The new worker gets
   * the index, so it need not scan.
   */
  async #succeed(): Promise<void> {
    this.#hasScanned = false;
    const old = this.#link;
    let kept = 0;
    for (;;) {
      const {json, blobs} = await old.ask({op: 'scanned'});
      const {key}: ScannedResult = JSON.parse(json);
      if (key === '' || !blobs[0]) break;
      if (await this.#indexes.keep(key, blobs[0])) kept++;
    }
    if (kept === 0 || old !== this.#link) return;
    this.#link = this.#open();
    old.end('It took too much memory.');
    this.#giveBack();
  }

  async #add(files: readonly GivenFile[]): Promise<AddResult> {
    for (const {path, remote} of files) {
      if (!remote) continue;
      this.#remotes.set(path, remote);
      this.#refused.delete(path);
    }
    const taken = await this.#take(await this.#current(), files, []);
    const result = {files: taken.files, opened: [] as Opened[], updated: [] as Opened[]};
    const batch: Held = link => this.#take(link, files, taken.opened); // under the same numbers
    for (const {dump} of taken.opened) {
      this.#next = Math.max(this.#next, dump + 1);
      result.opened.push(await (result.opened.length === 0 ? this.#first(dump, batch) : this.#report(dump)));
    }
    for (const dump of taken.again) result.updated.push(await this.#report(dump));
    this.#hold(batch);
    return result;
  }

  async #take(link: Link, files: readonly GivenFile[], known: readonly KnownDump[]): Promise<TakeResult> {
    const {json, blobs} = await link.ask(
      {op: 'take', next: this.#next, known},
      files.filter(({path}) => !this.#refused.has(path)).map(asTaken),
    );
    this.#blobs.push(...blobs);
    return JSON.parse(json);
  }

  #hold(held: Held): void {
    if (!this.#held.includes(held)) this.#held.push(held);
  }

  /**
   * The report of a dump, shown in parts as they are ready: first the frames that symbols cannot change, then the first
   * thread, then everything.
   */
  async #first(dump: number, batch: Held): Promise<Opened> {
    let waited = SOON;
    const early = async (opened: Opened, whole: Promise<unknown>): Promise<void> => {
      const show = (): void => {
        this.#hold(batch); // the page may ask about the shown part, even if the rest fails
        this.onopened?.(opened);
      };
      const later = setTimeout(show, waited);
      waited = 0; // after waiting for symbols, nothing else delays the report
      await whole.finally(() => clearTimeout(later));
    };
    const since = performance.now();
    const first = await this.#report(dump, early);
    if (performance.now() - since > SLOW) waited = 0;
    const whole = this.#report(dump);
    await early(first, whole);
    return whole;
  }

  /**
   * The report of a dump, for which other workers scan the needed symbol files. With early, it is the report of the first
   * thread, and early is called with the finished part until the scans are done.
   */
  async #report(dump: number, early?: Early, patience = 0): Promise<Opened> {
    for (;;) {
      const workers = this.#indexes.workers;
      const request = {op: 'report', dump, crashing: early !== undefined, workers, patience} as const;
      const {opened, scans, stale, wholes, waits}: ReportResult = JSON.parse((await this.#ask(request)).json);
      if (wholes.length > 0) {
        for (const path of wholes) await this.#fetchWhole(path);
        continue;
      }
      for (const key of stale) void this.#indexes.drop(key);
      if (opened[0] && scans.length === 0 && !waits) {
        if (!early) this.#reported.add(dump);
        return opened[0];
      }
      if (early && opened[0] && scans.length === 0) {
        const rest = this.#report(dump, early, PATIENCE);
        await early(opened[0], rest);
        return rest;
      }
      const done = Promise.all(scans.map(scan => this.#bring(scan)));
      await (early && opened[0] ? early(opened[0], done) : done);
    }
  }

  /** Gives the worker the index of a file, or nothing if it has to make the index itself. */
  async #bring(scan: Scan): Promise<void> {
    const index = await this.#indexes.bring(scan, this.#blobs[scan.file] ?? new Blob([]));
    await this.#ask({op: 'index', key: scan.key}, index ? [{path: scan.name, file: index}] : []);
  }

  /** Sends a request that needs a dump's symbols: a replaced worker has not read them yet. */
  async #askNamed(request: Request & {readonly dump: number}, files: readonly GivenFile[] = []): Promise<Answer> {
    await this.#current();
    if (!this.#reported.has(request.dump)) await this.#report(request.dump);
    return this.#ask(request, files);
  }

  /** Sends a request. If parts of files at hosts are missing, they are fetched, and the request is repeated. */
  async #ask(request: Request, files: readonly GivenFile[] = []): Promise<Answer> {
    for (let round = 0; ; round++) {
      const answer = await (await this.#current()).ask(request, files);
      if (!answer.missing?.length || round === MOST_ROUNDS) return answer;
      await Promise.all(answer.missing.map(missing => this.#fetch(missing)));
    }
  }

  /** Fetches parts of a file at a host, with the user's consent. */
  async #fetch({path, ranges}: Missing): Promise<void> {
    const remote = this.#remotes.get(path);
    if (!remote) return;
    const parts = (await this.fetchParts?.(remote, ranges)) ?? NOTHING_ASKS;
    if (typeof parts === 'string') return this.#refuse(path, parts);
    this.#give(path, remote, parts);
    const done = remote.parts.reduce((sum, {bytes}) => sum + bytes.length, 0);
    this.onprogress?.({phase: 'reading', file: path, done, total: 0});
  }

  /** Fetches a whole file from a host, if parts do not suffice. */
  async #fetchWhole(path: string): Promise<void> {
    const remote = this.#remotes.get(path);
    if (!remote) return;
    const whole = (await this.fetchWhole?.(remote)) ?? NOTHING_ASKS;
    if (typeof whole === 'string') return this.#refuse(path, whole);
    this.#give(path, remote, [{from: 0, bytes: new Uint8Array(0), whole}]);
    await this.#link.ask({op: 'whole', path, why: ''});
  }

  #give(path: string, remote: Remote, parts: readonly Part[]): void {
    remote.parts.push(...parts);
    for (const part of parts) this.#link.give(path, part);
  }

  /** Excludes a file at a host from further use. */
  async #refuse(path: string, why: string): Promise<void> {
    this.#remotes.delete(path);
    this.#refused.add(path);
    await this.#link.ask({op: 'whole', path, why});
  }

  /** The worker, once it holds the files of the one before it. */
  async #current(): Promise<Link> {
    await this.#restored;
    return this.#link;
  }

  #open(): Link {
    const link = this.#start();
    this.#blobs = [];
    this.#reported = new Set();
    this.#hasScanned = false;
    let started = false;
    link.ready.then(
      () => {
        started = true;
        this.#failedStarts = 0;
      },
      () => {}, // ondeath is called as well
    );
    link.onprogress = progress => {
      if (progress.phase === 'indexing') this.#hasScanned = true;
      this.onprogress?.(progress);
    };
    link.onsilence = beats => this.onsilence?.((beats * BEAT) / 1000);
    link.ondeath = reason => {
      if (!started && ++this.#failedStarts >= MOST_STARTS) return; // every request is rejected from now on
      this.#link = this.#open();
      this.#giveBack();
      const tell = (): void => this.onrestart?.(reason);
      this.#link.ready.then(tell, () => {});
    };
    return link;
  }

  /** Ends the worker in the middle of its work, and continues with another. */
  #replace(): void {
    const old = this.#link;
    this.#link = this.#open();
    old.end('The work was stopped.');
    this.#indexes.stop();
    this.#giveBack();
  }

  /** Gives the current worker the files of the last one. If it dies of them, it is replaced, and this continues. */
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
      const held = this.#held[i] as Held;
      try {
        // Reports are made again when a request needs them.
        await held(link);
        i++;
      } catch {
        this.#held.splice(i, 1); // a file that killed a worker is given to no other
      }
    }
  }
}
