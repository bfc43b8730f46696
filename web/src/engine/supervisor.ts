// Runs the worker that has the open files, and replaces it when it dies.
//
// The Go program may run out of memory or stack, from which it cannot recover. It cannot receive a request to stop while it works, either. In all three cases
// the worker is replaced, and the new one gets the same files, in the same order and under the same numbers. The page keeps its contents, and its next request
// is answered.
//
// A number names one dump for the life of the page. Each answer about a dump says which file it is about, and another file's is an error.

import type {Report} from '../report.ts';
import type {Example} from './assets.ts';
import {NEED_SYMBOLS} from './generated/messages.ts';
import type {Indexes} from './indexes.ts';
import {BEAT, type Link, WorkerEnded} from './link.ts';
import type {
  Answered,
  InputFile,
  KnownDump,
  Missing,
  Opened,
  OpenResult,
  Part,
  Progress,
  Remote,
  Request,
  Results,
  Scan,
} from './protocol.ts';
import {Batch, Replay, type ReplayItem} from './replay.ts';
import {
  type AddResult,
  type Engine,
  type ExampleResult,
  type FetchParts,
  type FetchWhole,
  type Format,
  type Made,
  type Query,
  type Rendered,
  type StoredIndexes,
  WITHOUT_DUMP,
} from './types.ts';

/** Shows the finished part of a report until the next one is done. */
type Early = (opened: Opened, done: Promise<unknown>) => Promise<void>;

type Regions = NonNullable<Report['memory_regions']>;

interface Wanted {
  /** Shows the certain part of the crashing thread; the report is of that thread. */
  readonly early?: Early;
  readonly patience?: number;
  /** The regions of memory that the page has of the dump: the worker does not send them again. */
  readonly regions?: Regions;
}

/** A worker, with what is known of it. What an old one still answers never counts for the next. */
interface Instance {
  readonly link: Link;
  /** The files that were sent to it, by its numbers. */
  readonly blobs: Blob[];
  /** The dumps whose report it has made. */
  readonly reported: Set<number>;
  /** It scanned a file itself. */
  scanned: boolean;
}

/** After so many failed starts in a row, the page gives up. */
const MOST_STARTS = 3;

/** How often one request is repeated because parts of files at hosts were missing. A stack takes a few hundred rounds. */
const MOST_ROUNDS = 10_000;

const WHOLE_REPORT = {masked: false, memory: false, values: false};

const NO_REQUESTER = 'nothing can request more of it from the host';

/** A file at a host that was fetched as a whole is like any other file. */
const asOpened = (input: InputFile): InputFile => {
  const whole = input.remote?.parts.find(part => part.whole)?.whole;
  return whole ? {path: input.path, file: whole} : input;
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
  readonly #examples: readonly Example[];
  readonly #replay = new Replay();
  readonly #identities = new Map<number, string>(); // of the open dumps, by their numbers
  #now: Instance;
  readonly #remotes = new Map<string, Remote>(); // files at hosts, by their paths
  readonly #refused = new Set<string>(); // paths of files at hosts that could not be fetched
  #failedStarts = 0;
  #isRestoring = false;
  #wasSent = false;
  #restored: Promise<void> = Promise.resolve();
  #queue: Promise<unknown> = Promise.resolve();
  #next = 1;

  constructor(start: () => Link, indexes: Indexes, examples: readonly Example[]) {
    this.#start = start;
    this.#indexes = indexes;
    indexes.onprogress = progress => this.onprogress?.(progress);
    this.#examples = examples;
    this.#now = this.#open();
  }

  /** Settles when the first worker is ready, or could not be started. */
  get ready(): Promise<void> {
    return this.#now.link.ready;
  }

  set onstored(listener: ((stored: StoredIndexes) => void) | null) {
    this.#indexes.onstored = listener;
  }

  forget(): Promise<void> {
    return this.#indexes.clear();
  }

  /** Warms the worker up while it is idle: with the example, and then step by step until the first request. No request depends on the result. */
  async warm(): Promise<void> {
    const {link} = this.#now;
    try {
      for (let step = 0; step < WARM_STEPS && !this.#wasSent; step++) {
        const {result} = await link.request({op: 'warm'}, step < EXAMPLE_STEPS ? (this.#examples[0]?.files ?? []) : []);
        const example = step === 0 ? result.opened[0] : undefined;
        if (example) this.onwarm?.(example);
      }
    } catch {
      // If the worker died, it is replaced as usual. Any other error will occur again in a real request, which reports it.
    }
    await this.#indexes.warm(() => this.#wasSent);
  }

  add(files: readonly InputFile[], signal?: AbortSignal): Promise<AddResult> {
    return this.#inTurn(async () => {
      await this.#current();
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

  async example(number: number): Promise<ExampleResult> {
    const {files, sources} = this.#examples[number] ?? {files: [], sources: []};
    return {...(await this.add(files)), sources};
  }

  close(dumps: readonly number[]): Promise<void> {
    return this.#inTurn(async () => {
      this.#replay.close(dumps);
      for (const dump of dumps) this.#identities.delete(dump);
      await this.#send({op: 'close', dumps});
    });
  }

  async result<Q extends Query>(query: Q): Promise<Results[Q['op']]> {
    return (await this.#request(query)).result;
  }

  async bytes(query: Query): Promise<Uint8Array | null> {
    return (await this.#request(query)).bytes;
  }

  async made<Q extends Query>(query: Q, files?: readonly InputFile[]): Promise<Made<Results[Q['op']]>> {
    const {result, bytes} = await this.#request(query, files);
    return {result, data: bytes ?? new Uint8Array(0)};
  }

  async render(dump: number, format: Format, what?: Rendered): Promise<string> {
    const {data} = await this.made({op: 'render', dump, format, ...WHOLE_REPORT, ...what});
    return new TextDecoder().decode(data);
  }

  force(dump: number, module: number, use: boolean): Promise<AddResult> {
    return this.#inTurn(async () => {
      const request = {op: 'force', dump, module, use} as const;
      const {again} = (await this.#send(request)).result;
      this.#replay.add(request);
      const updated: Opened[] = [];
      for (const other of again) updated.push(await this.#report(other));
      return {files: [], opened: [], updated};
    });
  }

  stop(): void {
    this.#replace();
  }

  /** Sends a request of the page in its turn. */
  #request<R extends Request>(request: R, files?: readonly InputFile[]): Promise<Answered<R>> {
    return this.#inTurn(async () => {
      const dump = dumpOf(request);
      if (dump !== undefined && NEED_SYMBOLS.has(request.op) && !(await this.#current()).reported.has(dump))
        await this.#report(dump);
      return this.#send(request, files);
    });
  }

  /** Runs one request after another, so that the death of a worker belongs to the current request. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    this.#wasSent = true;
    const turn = this.#queue.then(work, work);
    const ended = async (): Promise<void> => {
      if (this.#now.scanned) await this.#renew().catch(() => undefined); // the old worker continues
      this.onprogress?.(null);
    };
    this.#queue = turn.then(ended, ended);
    return turn;
  }

  /** Replaces a worker that scanned a large file itself, because WebAssembly never releases memory. The new worker gets the index, so it need not scan. */
  async #renew(): Promise<void> {
    const old = this.#now;
    old.scanned = false;
    let stored = 0;
    for (;;) {
      const {result, blobs} = await old.link.request({op: 'scanned'});
      const {key} = result;
      if (key === '' || !blobs[0]) break;
      if (await this.#indexes.keep(key, blobs[0])) stored++;
    }
    if (stored === 0 || old !== this.#now) return;
    this.#now = this.#open();
    old.link.end('It took too much memory.');
    this.#startRestore();
  }

  async #add(files: readonly InputFile[]): Promise<AddResult> {
    for (const {path, remote} of files) {
      if (!remote) continue;
      this.#remotes.set(path, remote);
      this.#refused.delete(path);
    }
    const at = await this.#current();
    const added = await this.#openFiles(at, files, null);
    const batch = new Batch(files, added);
    const result = {files: added.files, opened: [] as Opened[], updated: [] as Opened[]};
    try {
      for (const {dump} of added.opened)
        result.opened.push(await (result.opened.length === 0 ? this.#first(dump, batch, at) : this.#report(dump)));
      for (const dump of added.again) result.updated.push(await this.#report(dump));
    } catch (error) {
      // The page never shows the other dumps. A worker that has ended has none.
      at.link.request({op: 'close', dumps: batch.others}).catch(() => undefined);
      throw error;
    }
    batch.dumps = added.opened;
    this.#replay.add(batch);
    return result;
  }

  /** Gives a worker files: new ones, or those of a batch again, of which only the open dumps are opened. */
  async #openFiles(at: Instance, files: readonly InputFile[], known: readonly KnownDump[] | null): Promise<OpenResult> {
    const {result, blobs} = await at.link.request(
      {op: 'open', next: this.#next, known: known ?? [], restores: known !== null},
      files.filter(({path}) => !this.#refused.has(path)).map(asOpened),
    );
    at.blobs.push(...blobs);
    for (const {dump, identity} of result.opened) {
      this.#next = Math.max(this.#next, dump + 1);
      this.#identities.set(dump, identity);
    }
    return result;
  }

  /** The report of a dump, shown in parts as they are ready: first the frames that symbols cannot change, then the first thread, then everything. */
  async #first(dump: number, batch: Batch, at: Instance): Promise<Opened> {
    let waited = SOON;
    const early = async (opened: Opened, whole: Promise<unknown>): Promise<void> => {
      const show = (): void => {
        if (at !== this.#now) return; // the next worker does not have the dump
        batch.dumps = batch.opened.filter(one => one.dump === dump);
        this.#replay.add(batch); // the page may query the shown part, even if the rest fails
        this.onopened?.(opened);
      };
      const timer = setTimeout(show, waited);
      waited = 0; // after waiting for symbols, nothing else delays the report
      await whole.finally(() => clearTimeout(timer));
    };
    const since = performance.now();
    const first = await this.#report(dump, {early});
    if (performance.now() - since > SLOW) waited = 0;
    const whole = this.#report(dump, {regions: first.report.memory_regions ?? []});
    await early(first, whole);
    return whole;
  }

  /**
   * The report of a dump, for which other workers scan the needed symbol files. With early, it is the report of the first
   * thread, and early is called with the finished part until the scans are done.
   */
  async #report(dump: number, {early, patience = 0, regions = []}: Wanted = {}): Promise<Opened> {
    for (;;) {
      const workers = this.#indexes.workers;
      const crashing = early !== undefined;
      const request = {op: 'report', dump, crashing, workers, patience, regions: regions.length} as const;
      const {result, by} = await this.#send(request);
      const {opened, scans, stale, wholes, waits} = result;
      if (wholes.length > 0) {
        for (const path of wholes) await this.#fetchWhole(path);
        continue;
      }
      for (const key of stale) void this.#indexes.drop(key);
      if (opened[0] && scans.length === 0 && !waits) {
        if (!early) by.reported.add(dump);
        return withRegions(opened[0], regions);
      }
      if (early && opened[0] && scans.length === 0) {
        const rest = this.#report(dump, {early, patience: PATIENCE});
        await early(opened[0], rest);
        return rest;
      }
      const done = Promise.all(scans.map(scan => this.#obtain(scan, by)));
      await (early && opened[0] ? early(opened[0], done) : done);
    }
  }

  /** Gives the worker the index of a file, or nothing if it has to make the index itself. */
  async #obtain(scan: Scan, by: Instance): Promise<void> {
    const index = await this.#indexes.obtain(scan, by.blobs[scan.file] ?? new Blob([]));
    await this.#send({op: 'index', key: scan.key}, index ? [{path: scan.name, file: index}] : []);
  }

  /** Sends a request. If parts of files at hosts are missing, they are fetched, and the request is repeated. Rejects if the answer is about another dump. */
  async #send<R extends Request>(
    request: R,
    files: readonly InputFile[] = [],
  ): Promise<Answered<R> & {readonly by: Instance}> {
    for (let round = 0; ; round++) {
      const by = await this.#current();
      const answer = await by.link.request(request, files);
      const about = this.#identities.get(dumpOf(request) ?? WITHOUT_DUMP) ?? '';
      if (answer.about !== about) throw new Error(`The answer is about "${answer.about}" in place of "${about}".`);
      if (!answer.missing?.length || round === MOST_ROUNDS) return {...answer, by};
      await Promise.all(answer.missing.map(missing => this.#fetch(missing)));
    }
  }

  /** Fetches parts of a file at a host, with the user's consent. */
  async #fetch({path, ranges}: Missing): Promise<void> {
    const remote = this.#remotes.get(path);
    if (!remote) return;
    const parts = (await this.fetchParts?.(remote, ranges)) ?? NO_REQUESTER;
    if (typeof parts === 'string') return this.#refuse(path, parts);
    this.#addParts(path, remote, parts);
    const done = remote.parts.reduce((sum, {bytes}) => sum + bytes.length, 0);
    this.onprogress?.({phase: 'reading', file: path, done, total: 0});
  }

  /** Fetches a whole file from a host, if parts do not suffice. */
  async #fetchWhole(path: string): Promise<void> {
    const remote = this.#remotes.get(path);
    if (!remote) return;
    const whole = (await this.fetchWhole?.(remote)) ?? NO_REQUESTER;
    if (typeof whole === 'string') return this.#refuse(path, whole);
    this.#addParts(path, remote, [{from: 0, bytes: new Uint8Array(0), whole}]);
    await this.#now.link.request({op: 'whole', path, why: ''});
  }

  #addParts(path: string, remote: Remote, parts: readonly Part[]): void {
    remote.parts.push(...parts);
    for (const part of parts) this.#now.link.sendPart(path, part);
  }

  /** Excludes a file at a host from further use. */
  async #refuse(path: string, why: string): Promise<void> {
    this.#remotes.delete(path);
    this.#refused.add(path);
    await this.#now.link.request({op: 'whole', path, why});
  }

  /** The worker, once it holds the files of the one before it. */
  async #current(): Promise<Instance> {
    await this.#restored;
    return this.#now;
  }

  #open(): Instance {
    const link = this.#start();
    const opened: Instance = {link, blobs: [], reported: new Set(), scanned: false};
    let started = false;
    link.ready.then(
      () => {
        started = true;
        this.#failedStarts = 0;
      },
      () => {}, // ondeath is called as well
    );
    link.onprogress = progress => {
      if (progress.phase === 'indexing') opened.scanned = true;
      this.onprogress?.(progress);
    };
    link.onsilence = beats => this.onsilence?.((beats * BEAT) / 1000);
    link.ondeath = reason => {
      if (!started && ++this.#failedStarts >= MOST_STARTS) return; // every request is rejected from now on
      this.#now = this.#open();
      this.#startRestore();
      const notify = (): void => this.onrestart?.(reason);
      this.#now.link.ready.then(notify, () => {});
    };
    return opened;
  }

  /** Ends the worker in the middle of its work, and continues with another. */
  #replace(): void {
    const old = this.#now;
    this.#now = this.#open();
    old.link.end('The work was stopped.');
    this.#indexes.stop();
    this.#startRestore();
  }

  /** Gives the current worker the files of the last one. If it is replaced meanwhile, this continues with the next. */
  #startRestore(): void {
    if (this.#isRestoring) return;
    this.#isRestoring = true;
    this.#restored = this.#restore();
  }

  async #restore(): Promise<void> {
    for (let at = this.#now; !(await this.#replayTo(at)); at = this.#now);
    this.#isRestoring = false;
  }

  /** Sends a worker all files and requests; false if it was replaced meanwhile. Reports are made again when a request needs them. */
  async #replayTo(at: Instance): Promise<boolean> {
    const done = new Set<ReplayItem>();
    await at.link.ready.catch(() => undefined); // if no worker can be started any more, every request is rejected
    for (let item = this.#replay.after(done); item && at === this.#now; item = this.#replay.after(done)) {
      done.add(item);
      try {
        await (item instanceof Batch ? this.#openFiles(at, item.files, item.dumps) : at.link.request(item));
      } catch (error) {
        // A file that killed a worker is sent to no other one. Files that were being opened when the page ended the worker are.
        if (!(error instanceof WorkerEnded)) this.#replay.drop(item);
      }
    }
    return at === this.#now;
  }
}

/** A report that came without the regions that the page has. */
const withRegions = (opened: Opened, regions: Regions): Opened =>
  opened.report.memory_regions === null && regions.length > 0
    ? {...opened, report: {...opened.report, memory_regions: regions}}
    : opened;

/** The open dump that a request is about. */
const dumpOf = (request: Request): number | undefined =>
  'dump' in request && request.dump !== WITHOUT_DUMP ? request.dump : undefined;
