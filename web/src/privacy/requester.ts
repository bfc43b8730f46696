// The requester: a worker that was started before the page locked, and so may send requests to the page's own host. It never
// holds a dump; the page, and the workers that hold dumps, may send none. It is started only if the host offers symbols.
import {Patience, TooSlow} from './patience.ts';
import {HEAD, isAll, type Range, type Version, versionOf, wrongPart} from './ranged.ts';
import {NOT_THERE, notSymbols} from './symbol-file.ts';

/** To the requester: one address, with the parts of the file, or the whole file. Without either, the first part. */
export interface SymbolRequest {
  readonly id: number;
  readonly url: string;
  readonly parts: readonly Range[] | null;
  readonly version: Version | null;
}

/** To the requester: stop a request, also one that waits for its turn. */
export interface StopRequest {
  readonly stop: number;
}

/** From the requester: the result, or null and the reason. */
export interface Got {
  readonly id: number;
  readonly file: Blob | null;
  readonly why: string | null;
  /** For a file that can be requested in parts: file is its beginning. */
  readonly version: Version | null;
  /** The requested parts. */
  readonly parts: readonly Uint8Array<ArrayBuffer>[];
}

const nothing = {file: null, why: null, version: null, parts: []};

const options = {credentials: 'omit', redirect: 'error', referrerPolicy: 'no-referrer'} as const;

/** Answers that are the same for the whole file: it is sent, refused, or not there. */
const FINAL = [200, 403, 404];

/** Requests a whole file, or its first part if the host may support parts. */
async function get(url: string, mayBePart: boolean, stop: AbortSignal): Promise<Omit<Got, 'id'>> {
  const patience = new Patience(stop);
  // A response that is not read to its end is aborted here, before the whole file is requested.
  const got = await receive(url, mayBePart, patience).finally(() => patience.end());
  return got ?? get(url, false, stop);
}

/** The result of one request, or null if the whole file has to be requested. */
async function receive(url: string, mayBePart: boolean, patience: Patience): Promise<Omit<Got, 'id'> | null> {
  const range = mayBePart ? {headers: {range: `bytes=0-${HEAD - 1}`}} : {};
  const response = await fetch(url, {...options, ...range, signal: patience.signal});
  const mayBeAll = mayBePart && isAll(response);
  if (mayBePart && !mayBeAll && !FINAL.includes(response.status)) {
    const version = versionOf(response);
    const file = version && (await patience.bytes(response));
    if (version && file?.size === HEAD && (await isText(file))) return {...nothing, file, version};
    return null;
  }
  // 206 is valid only if a part was requested.
  if (response.status !== 200 && !mayBeAll) {
    return {...nothing, why: response.status === 404 ? NOT_THERE : `it answered ${response.status}`};
  }
  const file = await patience.bytes(response);
  const why = await notSymbols(file);
  return why === null ? {...nothing, file} : {...nothing, why};
}

/** Only Breakpad files are read in parts; others are read from front to back. */
const isText = async (file: Blob): Promise<boolean> => (await file.slice(0, 7).text()) === 'MODULE ';

/** How many parts are requested at once. */
const AT_ONCE = 6;

async function getParts(
  url: string,
  ranges: readonly Range[],
  version: Version,
  stop: AbortSignal,
): Promise<Omit<Got, 'id'>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let next = 0;
  let why: string | null = null;
  const one = async (): Promise<void> => {
    for (let i = next++; i < ranges.length && why === null; i = next++) {
      const [from, to] = ranges[i] as Range;
      const patience = new Patience(stop);
      try {
        const headers = {range: `bytes=${from}-${to - 1}`};
        const response = await fetch(url, {...options, headers, cache: 'no-store', signal: patience.signal});
        why ??= wrongPart(response, [from, to], version);
        if (why !== null) return;
        const bytes = new Uint8Array(await (await patience.bytes(response)).arrayBuffer());
        if (bytes.length !== to - from) why ??= `the host sent ${bytes.length} bytes of a part of ${to - from}`;
        parts[i] = bytes;
      } finally {
        patience.end();
      }
    }
  };
  await Promise.all(Array.from({length: AT_ONCE}, one));
  return why === null ? {...nothing, parts} : {...nothing, why};
}

/** After a host was too slow, requests that wait already are not sent: they would wait as long. */
const REST = 60_000;
let resting = 0;

async function answer({id, url, parts, version}: SymbolRequest, stop: AbortSignal): Promise<Got> {
  if (stop.aborted) return {id, ...nothing, why: 'it was cancelled'};
  if (performance.now() < resting) return {id, ...nothing, why: 'the host was too slow'};
  try {
    const got = await (parts && version ? getParts(url, parts, version, stop) : get(url, version === null, stop));
    return {id, ...got};
  } catch (error) {
    if (stop.aborted) return {id, ...nothing, why: 'it was cancelled'};
    if (error instanceof TooSlow) resting = performance.now() + REST;
    return {id, ...nothing, why: 'it did not answer, or stopped'};
  }
}

let last = Promise.resolve();
const open = new Map<number, AbortController>();

addEventListener('message', ({data}: MessageEvent<SymbolRequest | StopRequest>) => {
  if ('stop' in data) return open.get(data.stop)?.abort();
  const stop = new AbortController();
  open.set(data.id, stop);
  last = last.then(async () => {
    postMessage(await answer(data, stop.signal));
    open.delete(data.id);
  });
});
