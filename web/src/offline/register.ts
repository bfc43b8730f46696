// The page's side of the service worker: it is active, and has looked for a new version, before the page locks.
import {isWhole} from '../engine/inside.ts';
import {trusted} from '../engine/trusted.ts';
import type {Answer, FromServiceWorker, ToServiceWorker} from './messages.ts';
import {ownScript} from './own.ts';

/** Whether the page is cached for visits without a network: yes, no, or why it failed. */
export interface Cached {
  readonly state: 'cached' | 'not cached';
  readonly why: string;
  /** A newer version has been fetched and waits. */
  readonly update: ServiceWorker | null;
}

const notCached = (why: string): Cached => ({state: 'not cached', why, update: null});

/** How long a visit waits for the check for a new version, in ms; then it uses the old one. */
const PATIENCE = 3000;

/** How long it waits for a new version that is arriving, in ms: 3 MB take as long over 0.8 Mbit/s. */
const ARRIVAL = 30_000;

/** How long a visit waits for the browser's answer to a registration, in ms: one that it has already, and a first one. */
const ANSWER = 10_000;
const FIRST = 30_000;

/** Registers the service worker and waits until it has the whole build. All of its requests end before it settles. */
export async function keepOffline(): Promise<Cached> {
  if (isWhole()) return notCached('This page is one file: keep the file.');
  if (!isSecureContext || !('serviceWorker' in navigator))
    return notCached('The browser keeps nothing of this address.');
  const refuse = allow();
  try {
    return await keep(new URL('sw.js', location.href).href);
  } finally {
    refuse();
  }
}

// Answers service workers that ask whether they may fetch a build, also after the page has locked. Returns a function that makes the answer no.
function allow(): () => void {
  const script = ownScript();
  let may: Answer = script === null ? true : {script};
  navigator.serviceWorker.addEventListener('message', ({data, ports}: MessageEvent<FromServiceWorker>) => {
    if (data.kind === 'may fetch') ports[0]?.postMessage(may);
  });
  return () => {
    may = false;
  };
}

async function keep(url: string): Promise<Cached> {
  try {
    const registration = await registered(url);
    if (registration === null)
      return navigator.serviceWorker.controller
        ? {state: 'cached', why: '', update: null}
        : notCached('The browser did not answer in time.');
    if (registration.active) await checkForUpdate(registration, url);
    else await until(registration.installing ?? registration.waiting, 'activated');
    if (!registration.active) return notCached('A file is missing on this host, or is not of this build.');
    return {state: 'cached', why: '', update: registration.waiting};
  } catch (error) {
    return notCached(error instanceof Error ? error.message : String(error));
  }
}

// A busy browser may never answer. A page that a service worker controls is cached, and needs no answer. Any other page waits longer,
// and is not cached this time. A registration that succeeds later asks the page, and is refused.
async function registered(url: string): Promise<ServiceWorkerRegistration | null> {
  const {controller} = navigator.serviceWorker;
  const registration = navigator.serviceWorker.register(trusted(url), {updateViaCache: 'all'});
  return atMost(controller ? ANSWER : FIRST, registration);
}

// Browsers look for a new version by themselves some seconds later, when the page should send no more requests. They accept
// a fresh answer from their cache, though, if the host sends its lifetime. So the cached answer is refreshed here. When the
// time is up, the page may lock: then the request is aborted, and the next one is not sent. An update that is under way then is
// refused when it asks, and a new version that is still arriving after its own time is stopped. The next visit tries again.
async function checkForUpdate(registration: ServiceWorkerRegistration, url: string): Promise<void> {
  const timeUp = new AbortController();
  const newVersion = async (): Promise<void> => {
    await fetch(url, {cache: 'reload', signal: timeUp.signal});
    if (timeUp.signal.aborted) return;
    await registration.update();
  };
  await atMost(
    PATIENCE,
    newVersion().catch(() => undefined),
  );
  timeUp.abort();
  await atMost(ARRIVAL, until(registration.installing, 'installed'));
  const stop: ToServiceWorker = {kind: 'stop'};
  registration.installing?.postMessage(stop);
}

/** Resolves when the worker reaches this state, or fails. */
function until(worker: ServiceWorker | null, state: ServiceWorkerState): Promise<void> {
  return new Promise(resolve => {
    const checkState = (): void => {
      if (!worker || [state, 'activated', 'redundant'].includes(worker.state)) resolve();
    };
    worker?.addEventListener('statechange', checkState);
    checkState();
  });
}

/** The result of the work; null when the time is up. */
const atMost = <T>(time: number, work: Promise<T>): Promise<T | null> =>
  Promise.race([work, new Promise<null>(resolve => setTimeout(() => resolve(null), time))]);

/** Lets the waiting version take over, and reloads the page. Open dumps are lost, so only the user may start this. */
export function takeOver(update: ServiceWorker): void {
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), {once: true});
  const message: ToServiceWorker = {kind: 'take over'};
  update.postMessage(message);
}
