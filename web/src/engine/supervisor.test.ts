import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {MemoryCache} from './index-cache.ts';
import {Indexes} from './indexes.ts';
import {BEAT, BUSY_BEATS, IDLE_BEATS, Link, SILENT_BEATS, type WorkerLike} from './link.ts';
import {Pool} from './pool.ts';
import type {FromWorker, InputFile, Scan, ToWorker} from './protocol.ts';
import {Supervisor} from './supervisor.ts';

type SentRequest = Extract<ToWorker, {kind: 'request'}>;

// A worker whose program is the test: it records what it is asked, and answers when and as it is told.
class FakeWorker implements WorkerLike {
  onmessage: WorkerLike['onmessage'] = null;
  onerror: WorkerLike['onerror'] = null;
  readonly sent: SentRequest[] = [];
  ended = false;
  constructor(readonly behaviour: Behaviour) {}
  postMessage(message: ToWorker): void {
    if (message.kind === 'request') this.sent.push(message);
    queueMicrotask(() => this.behaviour(message, reply => this.say(reply)));
  }
  terminate(): void {
    this.ended = true;
  }
  say(data: FromWorker): void {
    if (!this.ended) this.onmessage?.({data} as MessageEvent<FromWorker>);
  }
}

type Behaviour = (message: ToWorker, say: (reply: FromWorker) => void) => void;

const answerWith = (
  say: (reply: FromWorker) => void,
  id: number,
  value: unknown,
  more: {blobs?: Blob[]; bytes?: Uint8Array; about?: string} = {},
): void => say({kind: 'answer', id, answer: {json: JSON.stringify(value), bytes: null, about: '', blobs: [], ...more}});

// The fake's dumps have their numbers for identities.
const about = (request: SentRequest['request']): {about: string} => ({
  about: 'dump' in request ? `${request.dump}` : '',
});

// Opens every file named *.dmp under the next number, or in its order under the known ones.
const wellBehaved: Behaviour = (message, say) => {
  if (message.kind === 'start') say({kind: 'ready', reads: true});
  if (message.kind === 'ping') say({kind: 'pong', memory: 1 << 20});
  if (message.kind !== 'request') return;
  const {id, request, files} = message;
  if (request.op === 'report') {
    const opened = [{dump: request.dump, name: 'a.dmp', report: {crashing: request.crashing}}];
    answerWith(say, id, {opened, scans: [], stale: [], wholes: [], waits: false}, about(request));
  } else if (request.op === 'open') {
    const dumps = files.filter(file => file.path.endsWith('.dmp'));
    const numbers = request.restores ? request.known.map(({dump}) => dump) : dumps.map((_, i) => request.next + i);
    const opened = numbers.map(dump => ({dump, identity: `${dump}`}));
    answerWith(say, id, {files: [], opened, again: []}, {blobs: files.map(({file}) => file as Blob)});
  } else if (request.op === 'warm') {
    answerWith(say, id, {opened: files.map(({path}) => ({dump: 1, name: path, report: {}}))});
  } else {
    answerWith(say, id, {thread_id: 7}, {bytes: new TextEncoder().encode('text'), ...about(request)});
  }
};

const inputs = (...paths: string[]): InputFile[] => paths.map(path => ({path, file: new Blob([])}));

let workers: FakeWorker[];
let next: Behaviour[];

const supervise = (...behaviours: Behaviour[]): Supervisor => superviseWith(0, ...behaviours);

// With so many workers beside the one that holds the dumps.
const superviseWith = (others: number, ...behaviours: Behaviour[]): Supervisor => {
  next = behaviours;
  const start = (): Link => {
    const worker = new FakeWorker(next.shift() ?? wellBehaved);
    workers.push(worker);
    return new Link(worker, {} as WebAssembly.Module);
  };
  const indexes = new Indexes(new Pool(start, others), Promise.resolve(new MemoryCache()));
  return new Supervisor(start, indexes, [{files: inputs('example.dmp'), sources: []}]);
};

const numbers = (result: {opened: readonly {dump: number}[]}): number[] => result.opened.map(({dump}) => dump);
const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);
const ops = (worker: FakeWorker | undefined): string[] => worker?.sent.map(({request}) => request.op) ?? [];
const inputsOf = (worker: FakeWorker | undefined): string[] =>
  worker?.sent.filter(({request}) => request.op === 'open').map(({files}) => files.map(f => f.path).join()) ?? [];

beforeEach(() => {
  vi.useFakeTimers();
  workers = [];
});
afterEach(() => vi.useRealTimers());

test('a worker that can read no files is given bytes, and its answers have the files all the same', async () => {
  const sent: unknown[] = [];
  const engine = supervise((message, say) => {
    if (message.kind === 'start') return say({kind: 'ready', reads: false});
    if (message.kind === 'request' && message.request.op === 'open') sent.push(message.files[0]?.file);
    wellBehaved(message, say);
  });
  await engine.ready;
  const {opened} = await engine.add([{path: 'a.dmp', file: new Blob(['MDMP'])}]);
  expect(opened).toHaveLength(1);
  expect(sent.map(file => new TextDecoder().decode(file as ArrayBuffer))).toEqual(['MDMP']);
});

test('dumps are numbered as they come', async () => {
  const engine = supervise();
  expect(numbers(await engine.add(inputs('a.dmp', 'a.sym', 'b.dmp')))).toEqual([1, 2]);
  expect(numbers(await engine.example(0))).toEqual([3]);
  expect(await engine.result({op: 'explain', dump: 1, thread: 0})).toEqual({thread_id: 7});
  expect(await engine.render(1, 'text')).toBe('text');
  expect(workers.length).toBe(1);
});

test('a worker that dies is replaced at once, and holds the same under the same numbers', async () => {
  const engine = supervise();
  const reasons: string[] = [];
  engine.onrestart = reason => reasons.push(reason);
  await engine.add(inputs('a.dmp'));
  await engine.add(inputs('b.dmp', 'b.sym'));
  workers[0]?.say({kind: 'dead', reason: 'The program ended: out of memory.'});
  await settle();
  expect(reasons).toEqual(['The program ended: out of memory.']);
  expect(workers[0]?.ended).toBe(true);
  expect(inputsOf(workers[1])).toEqual(['a.dmp', 'b.dmp,b.sym']);
  expect(workers[1]?.sent.map(({request}) => request)).toEqual([
    {op: 'open', next: 3, known: [{dump: 1, identity: '1'}], restores: true},
    {op: 'open', next: 3, known: [{dump: 2, identity: '2'}], restores: true},
  ]);
  expect(numbers(await engine.add(inputs('c.dmp')))).toEqual([3]);
});

test('the request that a worker died of is rejected with the reason, and never repeated', async () => {
  const dying: Behaviour = (message, say) => {
    if (message.kind === 'request' && message.files[0]?.path === 'evil.dmp') say({kind: 'dead', reason: 'No more.'});
    else wellBehaved(message, say);
  };
  const engine = supervise(dying);
  await engine.add(inputs('a.dmp'));
  await expect(engine.add(inputs('evil.dmp'))).rejects.toThrow('No more.');
  expect(numbers(await engine.add(inputs('b.dmp')))).toEqual([2]);
  expect(inputsOf(workers[1])).toEqual(['a.dmp', 'b.dmp']);
});

test('files that kill the next worker too are left out, the others are not', async () => {
  const dying: Behaviour = (message, say) => {
    if (message.kind === 'request' && message.files[0]?.path === 'b.dmp') say({kind: 'dead', reason: 'No.'});
    else wellBehaved(message, say);
  };
  const engine = supervise(wellBehaved, dying);
  for (const name of ['a.dmp', 'b.dmp', 'c.dmp']) await engine.add(inputs(name));
  workers[0]?.say({kind: 'dead', reason: 'First.'});
  await settle();
  expect(await engine.result({op: 'explain', dump: 3, thread: 0})).toEqual({thread_id: 7});
  expect(inputsOf(workers[1])).toEqual(['a.dmp', 'b.dmp']);
  expect(inputsOf(workers[2])).toEqual(['a.dmp', 'c.dmp']);
  expect(ops(workers[2])).toEqual(['open', 'open', 'report', 'explain']);
});

test('a silent worker is replaced: soon when idle, later at work, never while it reports progress', async () => {
  const engine = supervise((message, say) => message.kind === 'start' && say({kind: 'ready', reads: true}));
  let restarts = 0;
  engine.onrestart = () => restarts++;
  await vi.advanceTimersByTimeAsync(BEAT * IDLE_BEATS);
  expect(restarts).toBe(0);
  await vi.advanceTimersByTimeAsync(BEAT);
  expect(restarts).toBe(1);

  next = [wellBehaved];
  const working: Behaviour = (message, say) => message.kind !== 'request' && wellBehaved(message, say);
  const slow = supervise(working);
  slow.onrestart = () => restarts++;
  const answer = slow.add(inputs('a.dmp')).catch(error => error.message);
  const worker = workers.at(-1);
  const mute: Behaviour = () => {};
  await settle();
  Object.assign(worker ?? {}, {behaviour: mute});
  await vi.advanceTimersByTimeAsync(BEAT * (BUSY_BEATS - 1));
  worker?.say({kind: 'progress', progress: {phase: 'indexing', file: 'a', done: 1, total: 2}});
  await vi.advanceTimersByTimeAsync(BEAT * BUSY_BEATS);
  expect(restarts).toBe(1);
  await vi.advanceTimersByTimeAsync(BEAT);
  expect(restarts).toBe(2);
  expect(await answer).toBe('The program fell silent.');
});

test('a worker at work that tells of no progress is said to be silent, second by second, and can be stopped', async () => {
  const hanging: Behaviour = (message, say) => {
    if (message.kind === 'start') say({kind: 'ready', reads: true});
    else if (message.kind === 'request' && message.request.op !== 'explain') wellBehaved(message, say);
  };
  const engine = supervise(hanging);
  await engine.add(inputs('a.dmp'));
  const said: number[] = [];
  engine.onsilence = seconds => said.push(seconds);
  const explained = engine.result({op: 'explain', dump: 1, thread: 0}).catch(error => error.message);
  await settle();
  await vi.advanceTimersByTimeAsync(BEAT * (SILENT_BEATS + 3));
  expect(said).toEqual([SILENT_BEATS, SILENT_BEATS + 1, SILENT_BEATS + 2]);
  engine.stop();
  expect(await explained).toBe('The work was stopped.');
  expect(await engine.result({op: 'explain', dump: 1, thread: 0})).toEqual({thread_id: 7});
});

test('an aborted add ends the worker and keeps what was held', async () => {
  const hanging: Behaviour = (message, say) => {
    if (message.kind !== 'request' || message.files[0]?.path !== 'big.sym') wellBehaved(message, say);
  };
  const engine = supervise(hanging);
  await engine.add(inputs('a.dmp'));
  const stop = new AbortController();
  const adding = engine.add(inputs('big.sym'), stop.signal);
  const queued = engine.result({op: 'explain', dump: 1, thread: 0});
  await settle();
  stop.abort(new Error('changed my mind'));
  await expect(adding).rejects.toThrow('changed my mind');
  expect(await queued).toEqual({thread_id: 7});
  expect(workers.map(worker => worker.ended)).toEqual([true, false]);
  expect(ops(workers[1])).toEqual(['open', 'report', 'explain']);
});

test('a dump that is dropped after a cancelled drop has a number that no dump had before', async () => {
  const hanging: Behaviour = (message, say) => {
    const isSecond = message.kind === 'request' && message.request.op === 'report' && message.request.dump === 2;
    if (!isSecond) wellBehaved(message, say);
  };
  const engine = supervise(hanging);
  const shown: number[] = [];
  engine.onopened = ({dump}) => shown.push(dump);
  const stop = new AbortController();
  const adding = engine.add(inputs('a.dmp', 'b.dmp', 'c.dmp'), stop.signal);
  await vi.advanceTimersByTimeAsync(100);
  stop.abort(new Error('changed my mind'));
  await expect(adding).rejects.toThrow('changed my mind');
  expect(numbers(await engine.add(inputs('d.dmp')))).toEqual([4]);
  expect(shown).toEqual([]);
});

test('a dump that is open is still open after two cancels in a row', async () => {
  const slow: Behaviour = (message, say) => message.kind !== 'request' && wellBehaved(message, say);
  const engine = supervise(wellBehaved, slow);
  await engine.add(inputs('a.dmp'));
  engine.stop();
  await settle();
  engine.stop(); // while the second worker gets a.dmp
  await settle();
  expect(workers.map(inputsOf)).toEqual([['a.dmp'], ['a.dmp'], ['a.dmp']]);
  expect(await engine.result({op: 'explain', dump: 1, thread: 0})).toEqual({thread_id: 7});
});

test('an answer about another dump is an error', async () => {
  const mixing: Behaviour = (message, say) => {
    const isExplain = message.kind === 'request' && message.request.op === 'explain';
    if (isExplain) answerWith(say, message.id, {thread_id: 7}, {about: '2'});
    else wellBehaved(message, say);
  };
  const engine = supervise(mixing);
  await engine.add(inputs('a.dmp', 'b.dmp'));
  await expect(engine.result({op: 'explain', dump: 1, thread: 0})).rejects.toThrow(
    'The answer is about "2" in place of "1".',
  );
  expect(await engine.result({op: 'explain', dump: 2, thread: 0})).toEqual({thread_id: 7});
});

test('a dump that was closed is not given to the next worker, nor are files without another use', async () => {
  const engine = supervise();
  await engine.add(inputs('a.dmp', 'b.dmp'));
  await engine.add(inputs('c.dmp'));
  await engine.close([1, 3]);
  engine.stop();
  await engine.result({op: 'explain', dump: 2, thread: 0});
  expect(workers[1]?.sent.map(({request}) => request)).toMatchObject([
    {op: 'open', known: [{dump: 2}], restores: true},
    {op: 'report', dump: 2},
    {op: 'explain', dump: 2},
  ]);
  expect(inputsOf(workers[1])).toEqual(['a.dmp,b.dmp']);
});

test('an add that is aborted before its turn costs nothing', async () => {
  const engine = supervise();
  await expect(engine.add(inputs('a.dmp'), AbortSignal.abort(new Error('no')))).rejects.toThrow('no');
  expect(workers.map(worker => worker.sent.length)).toEqual([0]);
});

test('an error of one request is not the end of the worker', async () => {
  const failing: Behaviour = (message, say) => {
    if (message.kind === 'request' && message.request.op === 'explain') {
      say({kind: 'failed', id: message.id, error: 'thread 9: the dump has 2'});
    } else wellBehaved(message, say);
  };
  const engine = supervise(failing);
  await engine.add(inputs('a.dmp'));
  await expect(engine.result({op: 'explain', dump: 1, thread: 9})).rejects.toThrow('thread 9: the dump has 2');
  expect(numbers(await engine.add(inputs('b.dmp')))).toEqual([2]);
  expect(workers.length).toBe(1);
});

test('a browser that cannot start the worker is tried a few times only', async () => {
  const stillborn: Behaviour = (message, say) => message.kind === 'start' && say({kind: 'dead', reason: 'No memory.'});
  const engine = supervise(stillborn, stillborn, stillborn, stillborn);
  await expect(engine.ready).rejects.toThrow('No memory.');
  await vi.advanceTimersByTimeAsync(BEAT * 100);
  expect(workers.length).toBe(3);
  await expect(engine.add(inputs('a.dmp'))).rejects.toThrow('The worker is gone.');
});

test('the worker is prepared with the example, of which the page hears once, and then without any files', async () => {
  const engine = supervise();
  const warmed: unknown[] = [];
  engine.onwarm = opened => warmed.push(opened);
  await engine.warm();
  expect(warmed).toEqual([{dump: 1, name: 'example.dmp', report: {}}]);
  const sent = workers[0]?.sent.map(({request, files}) => [request.op, files.length]) ?? [];
  expect(sent).toEqual([...Array(3).fill(['warm', 1]), ...Array(3).fill(['warm', 0])]);
});

test('a request waits for one step of the warm-up at most', async () => {
  const engine = supervise();
  const warm = engine.warm();
  const adding = engine.add(inputs('a.dmp'));
  await Promise.all([warm, adding]);
  expect(ops(workers[0])).toEqual(['warm', 'open', 'report', 'report']);
});

test('a worker that dies during the warm-up is replaced, and the next one skips it', async () => {
  const weak: Behaviour = (message, say) => {
    if (message.kind === 'request') say({kind: 'dead', reason: 'No memory.'});
    else wellBehaved(message, say);
  };
  const engine = supervise(weak);
  await engine.ready;
  await engine.warm();
  expect(numbers(await engine.add(inputs('a.dmp')))).toEqual([1]);
  expect(workers.map(ops)).toEqual([['warm'], ['open', 'report', 'report']]);
});

test('work ends when no worker is busy', async () => {
  const engine = supervise();
  const reported: unknown[] = [];
  engine.onprogress = progress => reported.push(progress);
  const adding = engine.add(inputs('a.dmp'));
  workers[0]?.say({kind: 'progress', progress: {phase: 'reading', file: 'a.dmp', done: 0, total: 0}});
  await adding;
  await settle();
  expect(reported).toEqual([{phase: 'reading', file: 'a.dmp', done: 0, total: 0}, null]);
});

const scan: Scan = {key: 'ab', name: 'big.sym', file: 1, size: 90, cuts: [0, 40, 90]};

// Wants big.sym scanned before it makes a report, until it was brought something; and scans, as other workers do.
const wanting = (brought: InputFile[][] = [], settled: unknown[] = []): Behaviour => {
  const keys = new Set<string>();
  return (message, say) => {
    if (message.kind === 'request') {
      const {id, request, files} = message;
      if (request.op === 'report' && !keys.has(scan.key))
        return answerWith(
          say,
          id,
          {opened: request.crashing ? settled : [], scans: [scan], stale: [], wholes: []},
          about(request),
        );
      if (request.op === 'scan') {
        say({
          kind: 'progress',
          progress: {phase: 'indexing', file: 'big.sym', done: request.to - request.from, total: 9},
        });
        return answerWith(say, id, null, {blobs: [new Blob([new Uint8Array([request.from, request.to])])]});
      }
      if (request.op === 'index') {
        keys.add(request.key);
        brought.push(files as InputFile[]);
        return answerWith(say, id, null);
      }
    }
    wellBehaved(message, say);
  };
};

test('others scan the parts of a file, and the worker that wants it is brought all of them in order', async () => {
  const brought: InputFile[][] = [];
  const engine = superviseWith(2, wanting(brought), wanting(), wanting());
  const reported: unknown[] = [];
  engine.onprogress = progress => reported.push(progress);
  expect(numbers(await engine.add(inputs('a.dmp', 'big.sym')))).toEqual([1]);
  expect(ops(workers[0])).toEqual(['open', 'report', 'index', 'report', 'report']);
  expect(workers.slice(1).map(ops)).toEqual([['scan'], ['scan']]);
  const [index] = brought[0] ?? [];
  expect(new Uint8Array((await index?.file.arrayBuffer()) ?? new ArrayBuffer(0))).toEqual(
    new Uint8Array([0, 40, 40, 90]),
  );
  expect(reported.slice(0, 2)).toEqual([
    {phase: 'indexing', file: 'big.sym', done: 40, total: 90},
    {phase: 'indexing', file: 'big.sym', done: 90, total: 90},
  ]);
});

test('what was scanned is not scanned again, but after it was cleared', async () => {
  const engine = superviseWith(1, wanting(), wanting());
  const stored: unknown[] = [];
  engine.onstored = now => stored.push(now);
  await engine.add(inputs('a.dmp', 'big.sym'));
  next = [wanting()];
  workers[0]?.say({kind: 'dead', reason: 'No.'});
  await engine.render(1, 'text');
  expect(ops(workers[1])).toEqual(['scan', 'scan']);
  expect(ops(workers[2])).toEqual(['open', 'report', 'index', 'report', 'render']);
  await engine.forget();
  expect(stored).toContainEqual({files: 1, bytes: 4, lasting: false});
  expect(stored.at(-1)).toEqual({files: 0, bytes: 0, lasting: false});
});

test('a worker that dies of scanning leaves it to the one that wants it', async () => {
  const brought: InputFile[][] = [];
  const dying: Behaviour = (message, say) => {
    if (message.kind === 'request') say({kind: 'dead', reason: 'No.'});
    else wellBehaved(message, say);
  };
  const engine = superviseWith(1, wanting(brought), dying, dying);
  let restarts = 0;
  engine.onrestart = () => restarts++;
  expect(numbers(await engine.add(inputs('a.dmp', 'big.sym')))).toEqual([1]);
  expect(brought).toEqual([[]]);
  expect(restarts).toBe(0);
});

test('an aborted add ends those who scan as well', async () => {
  const hanging: Behaviour = (message, say) => message.kind !== 'request' && wellBehaved(message, say);
  const engine = superviseWith(2, wanting(), hanging, hanging);
  const stop = new AbortController();
  const adding = engine.add(inputs('a.dmp', 'big.sym'), stop.signal);
  await settle();
  stop.abort(new Error('changed my mind'));
  await expect(adding).rejects.toThrow('changed my mind');
  expect(workers.map(({ended}) => ended)).toEqual([true, true, true, false]);
});

test('the first thread is told of when the others take longer, and a dump that was told of is held', async () => {
  const slow: Behaviour = (message, say) => {
    const late = message.kind === 'request' && message.request.op === 'report' && !message.request.crashing;
    if (!late) wellBehaved(message, say);
  };
  const engine = supervise(slow);
  const shown: unknown[] = [];
  engine.onopened = opened => shown.push(opened);
  const adding = engine.add(inputs('a.dmp')).catch(error => error.message);
  await vi.advanceTimersByTimeAsync(100);
  expect(shown).toEqual([{dump: 1, name: 'a.dmp', report: {crashing: true}}]);
  workers[0]?.say({kind: 'dead', reason: 'No.'});
  expect(await adding).toBe('No.');
  expect(await engine.result({op: 'explain', dump: 1, thread: 0})).toEqual({thread_id: 7});
});

test('the regions of memory come once, with the first thread', async () => {
  const regions = [{base: '0x1000'}, {base: '0x2000'}];
  const told: number[] = [];
  const engine = supervise((message, say) => {
    if (message.kind !== 'request' || message.request.op !== 'report') return wellBehaved(message, say);
    const {dump, regions: known} = message.request;
    told.push(known);
    const report = {memory_regions: known === regions.length ? null : regions};
    const opened = [{dump, name: 'a.dmp', report}];
    answerWith(say, message.id, {opened, scans: [], stale: [], wholes: [], waits: false}, about(message.request));
  });
  await engine.ready;
  const {opened} = await engine.add(inputs('a.dmp'));
  expect(told).toEqual([0, 2]);
  expect(opened[0]?.report.memory_regions).toEqual(regions);
});

test('a first thread that took long is told of at once', async () => {
  const slow: Behaviour = (message, say) => {
    const isReport = message.kind === 'request' && message.request.op === 'report';
    if (!isReport) wellBehaved(message, say);
    else if (message.request.crashing) setTimeout(() => wellBehaved(message, say), 60);
  };
  const engine = supervise(slow);
  const shown: unknown[] = [];
  engine.onopened = opened => shown.push(opened);
  engine.add(inputs('a.dmp')).catch(() => undefined);
  await vi.advanceTimersByTimeAsync(61);
  expect(shown).toEqual([{dump: 1, name: 'a.dmp', report: {crashing: true}}]);
});

test('mismatched symbols that the user forced are forced again in the new worker', async () => {
  const forcing: Behaviour = (message, say) => {
    if (message.kind === 'request' && message.request.op === 'force')
      answerWith(say, message.id, {again: [1]}, about(message.request));
    else wellBehaved(message, say);
  };
  const engine = supervise(forcing, forcing);
  await engine.add(inputs('a.dmp'));
  const result = await engine.force(1, 3, true);
  expect(result).toEqual({files: [], opened: [], updated: [{dump: 1, name: 'a.dmp', report: {crashing: false}}]});
  workers[0]?.say({kind: 'dead', reason: 'No.'});
  await engine.result({op: 'explain', dump: 1, thread: 0});
  expect(ops(workers[1])).toEqual(['open', 'force', 'report', 'explain']);
  expect(workers[1]?.sent[1]?.request).toEqual({op: 'force', dump: 1, module: 3, use: true});
});

test('what scans will not change is told of while they are made', async () => {
  const settled = {dump: 1, name: 'a.dmp', report: {settled: true}};
  const scans: (() => void)[] = [];
  const late: Behaviour = (message, say) => {
    const isScan = message.kind === 'request' && message.request.op === 'scan';
    if (isScan) scans.push(() => wanting()(message, say));
    else wellBehaved(message, say);
  };
  const engine = superviseWith(2, wanting([], [settled]), late, late);
  const shown: unknown[] = [];
  engine.onopened = opened => shown.push(opened);
  const adding = engine.add(inputs('a.dmp', 'big.sym'));
  await vi.advanceTimersByTimeAsync(100);
  expect(shown).toEqual([settled]);
  for (const scan of scans) scan();
  expect(numbers(await adding)).toEqual([1]);
  expect(shown).toEqual([settled]); // the rest was there at once
});

test('what scans will not change is not told of after the worker died', async () => {
  const hanging: Behaviour = (message, say) => message.kind !== 'request' && wellBehaved(message, say);
  const engine = superviseWith(2, wanting([], [{dump: 1, name: 'a.dmp', report: {settled: true}}]), hanging, hanging);
  engine.onopened = () => expect.unreachable();
  engine.add(inputs('a.dmp', 'big.sym')).catch(() => undefined);
  await settle();
  workers[0]?.say({kind: 'dead', reason: 'No.'});
  await vi.advanceTimersByTimeAsync(100);
});

test('what scans will not change is not told of when they are there at once', async () => {
  const engine = superviseWith(
    2,
    wanting([], [{dump: 1, name: 'a.dmp', report: {settled: true}}]),
    wanting(),
    wanting(),
  );
  engine.onopened = () => expect.unreachable();
  expect(numbers(await engine.add(inputs('a.dmp', 'big.sym')))).toEqual([1]);
  await vi.advanceTimersByTimeAsync(1000);
});

test('the first thread alone is not told of when all are there at once', async () => {
  const engine = supervise();
  engine.onopened = () => expect.unreachable();
  await engine.add(inputs('a.dmp'));
  await vi.advanceTimersByTimeAsync(1000);
});

test('a worker that took much memory is ended when it has scanned', async () => {
  const fat: Behaviour = (message, say) => {
    if (message.kind === 'request') say({kind: 'pong', memory: 200 << 20});
    wanting()(message, say);
  };
  const engine = superviseWith(1, wanting(), fat, wanting());
  await engine.add(inputs('a.dmp', 'big.sym'));
  expect(workers.map(ops).slice(1)).toEqual([['scan'], ['scan']]);
  expect(workers.map(({ended}) => ended)).toEqual([false, true, false]);
});

test('other workers are prepared as well, until there is something to do', async () => {
  const engine = superviseWith(2);
  await engine.warm();
  expect(workers.slice(1).map(ops)).toEqual([Array(5).fill('warm'), Array(5).fill('warm')]);
  const busy = superviseWith(2);
  const before = workers.length;
  await Promise.all([busy.warm(), busy.add(inputs('a.dmp'))]);
  expect(workers.length).toBe(before);
});

// A worker that scans a large file itself while it explains a thread, and has its index.
const scanning: Behaviour = (message, say) => {
  if (message.kind !== 'request') return wellBehaved(message, say);
  const {id, request} = message;
  if (request.op === 'explain')
    say({kind: 'progress', progress: {phase: 'indexing', file: 'a.sym', done: 1, total: 2}});
  if (request.op !== 'scanned') return wellBehaved(message, say);
  const left = scanned.shift() ?? '';
  answerWith(say, id, {key: left}, {blobs: left === '' ? [] : [new Blob([left])]});
};
let scanned: string[];

test('a worker that scanned a large file itself is replaced when it has answered', async () => {
  scanned = ['key of a.sym'];
  const engine = supervise(scanning);
  await engine.add(inputs('a.dmp', 'a.sym'));
  expect(workers.length).toBe(1);
  expect(await engine.result({op: 'explain', dump: 1, thread: 0})).toEqual({thread_id: 7});
  await settle();
  expect(workers[0]?.ended).toBe(true);
  expect(inputsOf(workers[1])).toEqual(['a.dmp,a.sym']);
  expect(await engine.result({op: 'explain', dump: 1, thread: 0})).toEqual({thread_id: 7});
  expect(workers.length).toBe(2);
});

test('a worker whose index cannot be handed on goes on', async () => {
  scanned = [];
  const engine = supervise(scanning);
  await engine.add(inputs('a.dmp', 'a.sym'));
  await engine.result({op: 'explain', dump: 1, thread: 0});
  await settle();
  expect(workers.length).toBe(1);
  expect(workers[0]?.ended).toBe(false);
});

test('of a library that is read in parts what is certain is shown before each', async () => {
  const parts = [1, 2, 3];
  const waiting: Behaviour = (message, say) => {
    if (message.kind !== 'request' || message.request.op !== 'report' || !message.request.crashing)
      return wellBehaved(message, say);
    const frames = parts.shift();
    const opened = [{dump: 1, name: 'a.dmp', report: {frames: frames ?? 4}}];
    setTimeout(
      () =>
        answerWith(
          say,
          message.id,
          {opened, scans: [], stale: [], wholes: [], waits: frames !== undefined},
          {about: '1'},
        ),
      100,
    );
  };
  const engine = supervise(waiting);
  const shown: unknown[] = [];
  engine.onopened = ({report}) => shown.push(report);
  const added = engine.add(inputs('a.dmp', 'a.so'));
  await vi.advanceTimersByTimeAsync(1000);
  expect(numbers(await added)).toEqual([1]);
  expect(shown).toEqual([{frames: 1}, {frames: 2}, {frames: 3}]);
  const patience = workers[0]?.sent.flatMap(({request}) => (request.op === 'report' ? [request.patience] : []));
  expect(patience).toEqual([0, 250, 250, 250, 0]);
});
