// The worker: it loads the Go program, passes it one request after another, and reports when the program has ended.
//
// Go runs without a break until it has an answer, and receives no message meanwhile. So there is no message to cancel: the page ends the worker and starts
// another.
import {gunzip, isGzip, memberName} from './gzip.ts';
import type {FromWorker, InputFile, ReadableFile, ReadSync, Request, SentFile, Serve, ToWorker} from './protocol.ts';
import {type Budget, InMemory, Reader, WHOLE} from './reader.ts';
import {RemoteFile} from './remote.ts';
import {mayGrow, openScratch, type Scratch, sweep} from './scratch.ts';
import type {Progress} from './types.ts';
import '../../../build/wasm_exec.js';

/** The globals that wasm_exec.js and the Go program define in the worker. */
declare const Go: new () => {readonly importObject: WebAssembly.Imports; run(of: WebAssembly.Instance): Promise<void>};
declare const FileReaderSync: new () => {readAsArrayBuffer(blob: Blob): ArrayBuffer};
declare const fs: {writeSync: (fd: number, bytes: Uint8Array) => number};
declare const crashglass: Serve | undefined;

const budget: Budget = {left: WHOLE};
const readSync: ReadSync = blob =>
  blob instanceof InMemory ? blob.copy() : new FileReaderSync().readAsArrayBuffer(blob);

/** Whether files can be read here: WebKit lacks FileReaderSync in workers of a page that was opened from a file. */
function reads(): boolean {
  try {
    return readSync(new Blob(['x'])).byteLength === 1;
  } catch {
    return false;
  }
}

const toInput = ({path, file, remote}: SentFile): InputFile => ({
  path,
  ...(remote ? {remote} : {}),
  file: file instanceof ArrayBuffer ? new InMemory(new Uint8Array(file)) : file,
});

const post = (message: FromWorker, transfer: Transferable[] = []): void => {
  postMessage(message, {transfer});
};

let lastWords = '';
let memory: WebAssembly.Memory | undefined;

async function start(module: WebAssembly.Module): Promise<void> {
  // Not to the console: the output of a dying program may contain data of the dump.
  const decoder = new TextDecoder();
  fs.writeSync = (_, bytes) => {
    lastWords ||= decoder.decode(bytes).trim().split('\n', 1)[0] ?? '';
    return bytes.length;
  };
  const go = new Go();
  const instance = await WebAssembly.instantiate(module, go.importObject);
  memory = instance.exports['mem'] as WebAssembly.Memory;
  const end = go.run(instance);
  end.then(() => dead(`The program ended: ${lastWords || 'it gave no reason'}.`));
  if (typeof crashglass === 'undefined') dead('The program did not start.');
  else post({kind: 'ready', reads: reads()});
}

/** Holds a lock as long as this worker lives, where pages have locks: over https, and not in a file. */
function holdLock(lock: string): void {
  const forever = (): Promise<never> => {
    post({kind: 'locked'});
    return new Promise(() => {});
  };
  (navigator as Partial<Navigator>).locks?.request(lock, forever).catch(() => {});
}

const dead = (reason: string): void => post({kind: 'dead', reason});

const sentence = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The shortest time, in ms, between two reports of progress that Go cannot report. */
const OFTEN = 50;
let sentAt = 0;

const progressed = (progress: Progress): void => {
  const now = performance.now();
  if (now - sentAt < OFTEN) return;
  sentAt = now;
  post({kind: 'progress', progress});
};

/** A file as Go will see it, and whether its unpacked content may exceed memory. */
interface Prepared {
  readonly input: InputFile;
  readonly grows: boolean;
}

const asItIs = (input: InputFile): Prepared => ({input, grows: false});

/** The first bytes of a file; none if the file no longer exists. Go reports the error when it reads. */
const headOf = async (file: Blob): Promise<Uint8Array> =>
  new Uint8Array(
    await file
      .slice(0, HEAD)
      .arrayBuffer()
      .catch(() => new ArrayBuffer(0)),
  );

/** How many bytes show whether a file is compressed. */
const HEAD = 8;

async function prepare(input: InputFile): Promise<Prepared> {
  const {path, file} = input;
  if (input.remote) return asItIs(input);
  const head = await headOf(file);
  const grows = mayGrow(file.size, head);
  if (file instanceof InMemory) return {input, grows}; // a Blob of the unpacked content could not be read here: Go unpacks the file
  const unpacking = (done: number): void => progressed({phase: 'reading', file: path, done, total: 0});
  const unpacked = isGzip(head) ? await gunzip(file, unpacking).catch(() => null) : null;
  if (!unpacked) return {input: {path, file}, grows};
  const inside = {path: memberName(path), file: unpacked, archive: path};
  return {input: inside, grows: mayGrow(unpacked.size, await headOf(unpacked))};
}

/** Files of a folder this large are not decompressed here: Go needs only a few of them, and decompresses those. */
const LARGE = 200;

const inLarge = ({path}: InputFile, all: readonly InputFile[]): boolean => all.length >= LARGE && path.includes('/');

/** Files at hosts, by their paths. */
const remotes = new Map<string, RemoteFile>();

function reader({path, file, remote, archive}: InputFile): ReadableFile {
  if (remote) {
    const at = new RemoteFile(path, remote, readSync);
    remotes.set(path, at);
    return at;
  }
  const onload = (done: number): void => progressed({phase: 'reading', file: path, done, total: file.size});
  return new Reader(path, file, budget, readSync, onload, archive);
}

/** Opened before the first file that could need it. It stays open, since Go has data there. */
let scratch: Promise<Scratch | null> | undefined;

async function scratchFor(files: readonly Prepared[]): Promise<Scratch | null> {
  const isWanted = files.length >= LARGE || files.some(({grows}) => grows);
  if (isWanted) scratch ??= sweep().then(openScratch);
  return (await scratch) ?? null;
}

async function answer(id: number, request: Request, inputs: readonly InputFile[]): Promise<void> {
  // Only files from the user may be compressed.
  const opens = request.op === 'open';
  const prepared = opens
    ? await Promise.all(inputs.map(file => (inLarge(file, inputs) ? asItIs(file) : prepare(file))))
    : inputs.map(asItIs);
  const files = prepared.map(({input}) => input);
  const room = opens ? await scratchFor(prepared) : null;
  const serve = crashglass;
  if (serve === undefined) return;
  const progress = (json: string): void => post({kind: 'progress', progress: JSON.parse(json)});
  const returned = serve(JSON.stringify(request), files.map(reader), progress, room);
  if (returned === undefined) return; // the program ended meanwhile, and said so
  if ('json' in returned) {
    if (request.op === 'scan' || request.op === 'scanned')
      return post({kind: 'answer', id, answer: {...returned, bytes: null, blobs: [blobOf(returned.bytes)]}});
    const blobs = request.op === 'open' ? files.map(({file}) => file) : [];
    const missing = [...remotes]
      .map(([path, file]) => ({path, ranges: file.missing()}))
      .filter(m => m.ranges.length > 0);
    post({kind: 'answer', id, answer: {...returned, blobs, missing}}, returned.bytes ? [returned.bytes.buffer] : []);
  } else if (returned.stack === '') post({kind: 'failed', id, error: returned.error});
  else dead(`The program failed: ${returned.error}.`);
}

// Transferring 17 MB takes the browser 100 ms, too long for the page.
const blobOf = (index: Uint8Array | null): Blob => new Blob(index ? [index as Uint8Array<ArrayBuffer>] : []);

let last = Promise.resolve();

const handle = (message: ToWorker): void => {
  if (message.kind === 'ping') post({kind: 'pong', memory: memory?.buffer.byteLength ?? 0});
  else if (message.kind === 'part') remotes.get(message.path)?.add(message.part);
  else if (message.kind === 'start') {
    holdLock(message.lock);
    last = start(message.module).catch(error => dead(sentence(error)));
  } else {
    const {id, request, files} = message;
    last = last.then(() => answer(id, request, files.map(toInput))).catch(error => dead(sentence(error)));
  }
};

addEventListener('message', (event: MessageEvent<ToWorker>) => handle(event.data));
