// A worker for tests of the engine that holds and numbers dumps as wasm/viewer does (open.go), and works only when the test lets
// it: each message waits in its inbox.
import type {WorkerLike} from '../src/engine/link.ts';
import type {FromWorker, KnownDump, Request, ToWorker} from '../src/engine/protocol.ts';

/** The text of a dump whose report fails. */
export const BAD = 'bad';

/** What a file has: the texts of its dumps, and whether it has symbols. */
export interface Content {
  readonly dumps: readonly string[];
  readonly symbols: boolean;
}

/** A file of that content. */
export function fileOf(content: Content): Blob {
  const file = new Blob([]);
  contents.set(file, content);
  return file;
}

const contents = new WeakMap<Blob, Content>();

type SentRequest = Extract<ToWorker, {kind: 'request'}>;

interface Dump extends KnownDump {
  readonly name: string;
  readonly text: string;
}

export class GoWorker implements WorkerLike {
  onmessage: WorkerLike['onmessage'] = null;
  onerror: WorkerLike['onerror'] = null;
  readonly dumps: Dump[] = [];
  readonly forced = new Set<string>();
  readonly inbox: ToWorker[] = [];
  started = false;
  ended = false;

  postMessage(message: ToWorker): void {
    // Beats are no part of these tests.
    if (message.kind === 'ping') queueMicrotask(() => this.#say({kind: 'pong', memory: 0}));
    else this.inbox.push(message);
  }

  terminate(): void {
    this.ended = true;
  }

  /** Handles the oldest message. */
  work(): void {
    const message = this.inbox.shift();
    if (message?.kind === 'start') {
      this.started = true;
      this.#say({kind: 'ready', reads: true});
    } else if (message?.kind === 'request') this.#answer(message);
  }

  /** The worker dies, of the request that it works on or of nothing. */
  die(): void {
    this.#say({kind: 'dead', reason: 'The program ended.'});
  }

  #say(data: FromWorker): void {
    if (!this.ended) this.onmessage?.({data} as MessageEvent<FromWorker>);
  }

  #answer({id, request, files}: SentRequest): void {
    try {
      const about = 'dump' in request ? this.#dump(request.dump).identity : '';
      const json = JSON.stringify(this.#value(request, files));
      const blobs = request.op === 'open' ? files.map(({file}) => file as Blob) : [];
      this.#say({kind: 'answer', id, answer: {json, bytes: null, about, blobs}});
    } catch (error) {
      this.#say({kind: 'failed', id, error: (error as Error).message});
    }
  }

  #value(request: Request, files: SentRequest['files']): unknown {
    switch (request.op) {
      case 'open':
        return this.#openFiles(request, files);
      case 'close':
        this.dumps.splice(0, this.dumps.length, ...this.dumps.filter(({dump}) => !request.dumps.includes(dump)));
        return null;
      case 'report': {
        const {dump, name, text} = this.#dump(request.dump);
        if (text === BAD) throw new Error('no report');
        return {opened: [{dump, name, report: {text}}], scans: [], stale: [], wholes: [], waits: false};
      }
      case 'force':
        this.forced.add(this.#dump(request.dump).text);
        return {again: [request.dump]};
      case 'explain':
        return this.#dump(request.dump).text;
      default:
        throw new Error(`no answer to ${request.op}`);
    }
  }

  #dump(number: number): Dump {
    const found = this.dumps.find(({dump}) => dump === number);
    if (!found) throw new Error(`viewer: dump ${number} is not open`);
    return found;
  }

  #openFiles({next, known, restores}: Extract<Request, {op: 'open'}>, files: SentRequest['files']): unknown {
    const again = files.some(({file}) => contents.get(file as Blob)?.symbols) ? this.dumps.map(({dump}) => dump) : [];
    const opened: Dump[] = [];
    const left = [...known];
    for (const {path, file} of files) {
      const texts = contents.get(file as Blob)?.dumps ?? [];
      for (const [i, text] of texts.entries()) {
        const name = texts.length > 1 ? `${path} (${i + 1} of ${texts.length})` : path;
        const identity = `${text} ${name}`;
        const at = left.findIndex(one => one.identity === identity);
        const dump = restores ? left.splice(at, at < 0 ? 0 : 1)[0]?.dump : next++;
        if (dump === undefined) continue;
        if (this.dumps.some(other => other.dump === dump)) throw new Error(`viewer: dump ${dump} is open already`);
        const one = {dump, name, identity, text};
        opened.push(one);
        this.dumps.push(one);
      }
    }
    const kinds = files.map(({path, file}) => {
      const content = contents.get(file as Blob);
      return {name: path, kind: content?.symbols ? 'symbols' : content?.dumps.length ? 'dump' : 'other', message: null};
    });
    return {files: kinds, opened: opened.map(({dump, identity}) => ({dump, identity})), again};
  }
}
