// The browser's answers are made by hand, and its clock is the test's.
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {keepOffline} from './register.ts';

const never = new Promise<never>(() => undefined);

type Container = Pick<ServiceWorkerContainer, 'controller' | 'register'>;

/** A page that this container controls, or will; the requests of the page itself go to fetch. */
function page(
  container: {controller: object | null; register: () => Promise<unknown>},
  fetch: typeof globalThis.fetch,
) {
  vi.stubGlobal('document', {querySelector: () => null});
  vi.stubGlobal('window', {});
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('location', {href: 'https://host.test/'});
  vi.stubGlobal('navigator', {serviceWorker: container as unknown as Container});
  vi.stubGlobal('fetch', fetch);
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const fetched = async (): Promise<Response> => new Response('');

/** What keepOffline returned after so long; null if it still waits. */
async function after(time: number): Promise<unknown> {
  let result: unknown = null;
  void keepOffline().then(kept => (result = kept));
  await vi.advanceTimersByTimeAsync(time);
  return result;
}

test('a page that a service worker controls is kept, also if the browser never answers', async () => {
  page({controller: {}, register: () => never}, fetched);
  expect(await after(9_000)).toBeNull();
  expect(await after(11_000)).toEqual({state: 'kept', why: '', update: null});
});

test('a page without one waits: the build may still be fetched, and not after the lock', async () => {
  page({controller: null, register: () => never}, fetched);
  expect(await after(600_000)).toBeNull();
});

test('when the time for news is up, the request is aborted and no other one is sent', async () => {
  const update = vi.fn(() => never);
  let signal: AbortSignal | null | undefined;
  const active = {state: 'activated'};
  let answer = (_: Response): void => undefined;
  page({controller: {}, register: async () => ({active, installing: null, waiting: null, update})}, (_, init) => {
    signal = init?.signal;
    return new Promise(resolve => (answer = resolve));
  });
  expect(await after(4_000)).toEqual({state: 'kept', why: '', update: null});
  expect(signal?.aborted).toBe(true);
  answer(new Response(''));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(update).not.toHaveBeenCalled();
});

test('an update that fails, and one that never ends, fail nothing', async () => {
  for (const update of [() => Promise.reject(new TypeError('offline')), () => never]) {
    page({controller: {}, register: async () => ({active: {}, installing: null, waiting: null, update})}, fetched);
    expect(await after(4_000)).toEqual({state: 'kept', why: '', update: null});
  }
});
