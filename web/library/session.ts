// The library over the page's engine. The engine, its worker and its program are the page's own; what starts them is in browser.ts and node.ts.
import {MemoryCache} from '../src/engine/index-cache.ts';
import {Indexes} from '../src/engine/indexes.ts';
import type {Link} from '../src/engine/link.ts';
import {Pool} from '../src/engine/pool.ts';
import type {InputFile} from '../src/engine/protocol.ts';
import {Supervisor} from '../src/engine/supervisor.ts';
import {ALL_FRAMES, type Engine, type FileResult, NO_VARIABLE, type Opened} from '../src/engine/types.ts';
import type {Bytes, Dump, Library, NamedFile, Options, Session} from './api.ts';

/** What a system offers the library. */
export interface Host {
  /** Loads everything that workers need, once. What it returns starts one, without any request. */
  load(): Promise<() => Link>;
  /** How many workers may scan symbol files at once. */
  readonly workers: number;
  /** A file as this system passes it to a worker. */
  toFile(bytes: Bytes): Promise<Blob>;
}

/** The most elements of an array that are read. */
const ELEMENTS = 16;

const NAME = 'dump';

export function library(host: Host): Library {
  const open: Library['open'] = async (bytes, options = {}) => {
    options.signal?.throwIfAborted();
    const start = await host.load();
    const session = new Opener(host, start);
    try {
      await session.open({path: options.name ?? NAME, bytes}, options);
      return session;
    } catch (error) {
      session.close();
      throw error;
    }
  };
  const analyze: Library['analyze'] = async (bytes, options) => {
    const session = await open(bytes, options);
    try {
      const [dump, ...more] = session.dumps;
      if (!dump || more.length > 0)
        throw new Error(`The file has ${session.dumps.length} dumps: open() has a report of each.`);
      return JSON.parse(await dump.render('json'));
    } finally {
      session.close();
    }
  };
  return {analyze, open};
}

class Opener implements Session {
  dumps: readonly OneDump[] = [];
  files: readonly FileResult[] = [];
  readonly #host: Host;
  readonly #links = new Set<Link>();
  readonly #engine: Supervisor;

  constructor(host: Host, start: () => Link) {
    this.#host = host;
    const noted = (): Link => {
      const link = start();
      this.#links.add(link);
      return link;
    };
    this.#engine = new Supervisor(
      noted,
      new Indexes(new Pool(noted, host.workers), Promise.resolve(new MemoryCache())),
      [],
    );
  }

  async open(dump: NamedFile, {symbols = [], signal, onProgress}: Options): Promise<void> {
    this.#engine.onprogress = progress => progress && onProgress?.(progress);
    await this.#engine.ready;
    const {files, opened} = await this.#engine.add(await this.#inputs([...symbols, dump]), signal);
    this.files = files;
    this.dumps = opened.map(one => new OneDump(this.#engine, one));
    if (opened.length > 0) return;
    const why = files.find(({name}) => name === dump.path)?.message ?? 'there is no dump in it';
    throw new Error(`${dump.path}: ${why}`);
  }

  async add(symbols: readonly NamedFile[], signal?: AbortSignal): Promise<readonly FileResult[]> {
    const {files, opened, updated} = await this.#engine.add(await this.#inputs(symbols), signal);
    for (const {dump, report} of updated) for (const one of this.dumps) if (one.number === dump) one.report = report;
    this.dumps = [...this.dumps, ...opened.map(one => new OneDump(this.#engine, one))];
    this.files = [...this.files, ...files];
    return files;
  }

  close(): void {
    for (const link of this.#links) link.end('The session was closed.');
    this.#links.clear();
  }

  #inputs(files: readonly NamedFile[]): Promise<readonly InputFile[]> {
    return Promise.all(files.map(async ({path, bytes}) => ({path, file: await this.#host.toFile(bytes)})));
  }
}

class OneDump implements Dump {
  readonly name: string;
  readonly number: number;
  report: Opened['report'];
  readonly #engine: Engine;

  constructor(engine: Engine, {dump, name, report}: Opened) {
    this.#engine = engine;
    this.number = dump;
    this.name = name;
    this.report = report;
  }

  readonly thread: Dump['thread'] = thread => this.#engine.result({op: 'explain', dump: this.number, thread});
  readonly variables: Dump['variables'] = (thread, frame) =>
    this.#engine.result({op: 'variables', dump: this.number, thread, frame: frame ?? ALL_FRAMES, ...NO_VARIABLE});
  readonly globals: Dump['globals'] = (module, name) =>
    this.#engine.result({op: 'globals', dump: this.number, module, name, elements: ELEMENTS});
  readonly memory: Dump['memory'] = (address, size) =>
    this.#engine.bytes({op: 'memory', dump: this.number, address, size});
  readonly captured: Dump['captured'] = () => this.#engine.result({op: 'captured', dump: this.number});
  readonly disassemble: Dump['disassemble'] = (address, before, after) =>
    this.#engine.result({op: 'disassemble', dump: this.number, address, before, after});
  readonly render: Dump['render'] = (format, what) => this.#engine.render(this.number, format, what);
  readonly sanitize: Dump['sanitize'] = ({memory = false, names = false} = {}) =>
    this.#engine.made({op: 'sanitize', dump: this.number, memory, names});
}
