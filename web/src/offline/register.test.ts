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
  const serviceWorker = Object.assign(new EventTarget(), container) as unknown as Container & EventTarget;
  vi.stubGlobal('navigator', {serviceWorker});
  vi.stubGlobal('fetch', fetch);
  return {
    /** What a service worker gets that asks whether it may fetch the build. */
    mayFetch: (): unknown => {
      const postMessage = vi.fn();
      const query = Object.assign(new Event('message'), {data: {kind: 'may fetch'}, ports: [{postMessage}]});
      serviceWorker.dispatchEvent(query);
      return postMessage.mock.calls[0]?.[0];
    },
  };
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
  void keepOffline().then(cached => (result = cached));
  await vi.advanceTimersByTimeAsync(time);
  return result;
}

test('a page that a service worker controls is kept, also if the browser never answers', async () => {
  page({controller: {}, register: () => never}, fetched);
  expect(await after(9_000)).toBeNull();
  expect(await after(11_000)).toEqual({state: 'cached', why: '', update: null});
});

test('a first visit does not wait forever for an answer, and a late installation fetches nothing', async () => {
  const {mayFetch} = page({controller: null, register: () => never}, fetched);
  expect(await after(29_000)).toBeNull();
  expect(mayFetch()).toBe(true);
  expect(await after(31_000)).toEqual({state: 'not cached', why: 'The browser did not answer in time.', update: null});
  expect(mayFetch()).toBe(false);
});

test('a page whose script is a function says yes with its text', async () => {
  const wholeScript = () => undefined;
  vi.stubGlobal('wholeScript', wholeScript);
  const {mayFetch} = page({controller: null, register: () => never}, fetched);
  void after(0);
  expect(mayFetch()).toEqual({script: `(${wholeScript})();\n`});
});

test('a first visit waits for the build as long as it is being fetched', async () => {
  const installing = Object.assign(new EventTarget(), {state: 'installing'});
  const registration = {active: null, installing, waiting: null};
  const {mayFetch} = page({controller: null, register: async () => registration}, fetched);
  expect(await after(400_000)).toBeNull();
  expect(mayFetch()).toBe(true);
});

/** A new version that the update finds. */
const arriving = () => Object.assign(new EventTarget(), {state: 'installing', postMessage: vi.fn()});

test('a new version that arrives has more time, and is stopped at the end of it', async () => {
  const installing = arriving();
  const registration = {active: {}, installing: null as unknown, waiting: null};
  const update = async (): Promise<void> => {
    registration.installing = installing;
  };
  const {mayFetch} = page({controller: {}, register: async () => Object.assign(registration, {update})}, fetched);
  expect(await after(29_000)).toBeNull();
  expect([mayFetch(), installing.postMessage.mock.calls]).toEqual([true, []]);
  await vi.advanceTimersByTimeAsync(3_000);
  expect([mayFetch(), installing.postMessage.mock.calls]).toEqual([false, [[{kind: 'stop'}]]]);
});

test('an update that is still under way after its time is refused when it asks', async () => {
  const registration = {active: {}, installing: null, waiting: null, update: () => never};
  const {mayFetch} = page({controller: {}, register: async () => registration}, fetched);
  expect(await after(2_000)).toBeNull();
  expect(mayFetch()).toBe(true);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(mayFetch()).toBe(false);
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
  expect(await after(4_000)).toEqual({state: 'cached', why: '', update: null});
  expect(signal?.aborted).toBe(true);
  answer(new Response(''));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(update).not.toHaveBeenCalled();
});

test('an update that fails, and one that never ends, fail nothing', async () => {
  for (const update of [() => Promise.reject(new TypeError('offline')), () => never]) {
    page({controller: {}, register: async () => ({active: {}, installing: null, waiting: null, update})}, fetched);
    expect(await after(4_000)).toEqual({state: 'cached', why: '', update: null});
  }
});
