import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {paced, patientFetch} from './patient.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const url = 'https://host.test/viewer.wasm';

/** A host that never answers, or one whose answer never ends. */
function host(answers: boolean): {signal: AbortSignal | null} {
  const seen: {signal: AbortSignal | null} = {signal: null};
  vi.stubGlobal('fetch', (_: string, init: RequestInit) => {
    const signal = init.signal as AbortSignal;
    seen.signal = signal;
    const silent = (fail: (why: unknown) => void): void =>
      signal.addEventListener('abort', () => fail(signal.reason), {once: true});
    if (!answers) return new Promise((_, no) => silent(no));
    return Promise.resolve(new Response(new ReadableStream({start: stream => silent(why => stream.error(why))})));
  });
  return seen;
}

test('a host that never answers fails after a minute', async () => {
  host(false);
  const request = patientFetch(url).catch((error: Error) => error.message);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await request).toBe(`${url} did not arrive within 60 s. Load the page again.`);
});

test('an answer that begins has ten minutes to end', async () => {
  const seen = host(true);
  const body = (await patientFetch(url)).text().catch((error: Error) => error.message);
  await vi.advanceTimersByTimeAsync(599_000);
  expect(seen.signal?.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await body).toContain('did not arrive within 600 s');
});

test('the caller can abort it, too', async () => {
  host(false);
  const stop = new AbortController();
  const request = patientFetch(url, {signal: stop.signal}).catch((error: Error) => error.message);
  stop.abort(new Error('stopped'));
  expect(await request).toBe('stopped');
  await expect(patientFetch(url, {signal: stop.signal})).rejects.toThrow('stopped');
});

test('the first value goes at once, the latest of the others when its time has come, and none twice', () => {
  const sent: number[] = [];
  const send = paced<number>(200, value => sent.push(value));
  for (const value of [1, 2, 3]) send(value);
  expect(sent).toEqual([1]);
  vi.advanceTimersByTime(200);
  expect(sent).toEqual([1, 3]);
  send(4);
  vi.advanceTimersByTime(1000);
  expect(sent).toEqual([1, 3, 4]);
  send(5);
  expect(sent).toEqual([1, 3, 4, 5]);
});
