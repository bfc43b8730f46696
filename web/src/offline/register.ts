// The page's side of the service worker: it is active, and has looked for a new version, before the page locks.
import {isWhole} from '../engine/inside.ts';
import {trusted} from '../engine/trusted.ts';
import type {ToKeeper} from './messages.ts';

/** Whether the page is kept for visits without a network: yes, no, or why it failed. */
export interface Kept {
  readonly state: 'kept' | 'not kept';
  readonly why: string;
  /** A newer version has been fetched and waits. */
  readonly update: ServiceWorker | null;
}

const notKept = (why: string): Kept => ({state: 'not kept', why, update: null});

/** How long a visit waits for news of a new version, in ms; then it uses the old one. */
const PATIENCE = 3000;

/** How long a visit waits for the browser's answer to a registration that it has already, in ms. */
const ANSWER = 10_000;

/** Registers the service worker and waits until it has the whole build. All of its requests end before it settles. */
export async function keepOffline(): Promise<Kept> {
  if (isWhole()) return notKept('This page is one file: keep the file.');
  if (!isSecureContext || !('serviceWorker' in navigator)) return notKept('The browser keeps nothing of this address.');
  try {
    const url = new URL('sw.js', location.href).href;
    const registration = await registered(url);
    if (registration === null) return {state: 'kept', why: '', update: null};
    if (registration.active) await look(registration, url);
    else await until(registration.installing ?? registration.waiting, 'activated');
    if (!registration.active) return notKept('A file is missing on this host, or is not of this build.');
    return {state: 'kept', why: '', update: registration.waiting};
  } catch (error) {
    return notKept(error instanceof Error ? error.message : String(error));
  }
}

// A busy browser may never answer. A page that a service worker controls is kept, and needs no answer. Any other page waits
// for as long as it takes: this registration may still fetch the build, which must be over before the page locks.
async function registered(url: string): Promise<ServiceWorkerRegistration | null> {
  const {controller} = navigator.serviceWorker;
  const asked = navigator.serviceWorker.register(trusted(url), {updateViaCache: 'all'});
  return controller ? atMost(ANSWER, asked) : asked;
}

// Browsers look for a new version by themselves some seconds later, when the page should send no more requests. They accept
// a fresh answer from their cache, though, if the host sends its lifetime. So the cached answer is refreshed here. When the
// time is up, the page may lock: then the request is aborted, and the next one is not sent.
async function look(registration: ServiceWorkerRegistration, url: string): Promise<void> {
  const timeUp = new AbortController();
  const news = async (): Promise<void> => {
    await fetch(url, {cache: 'reload', signal: timeUp.signal});
    if (timeUp.signal.aborted) return;
    await registration.update();
    await until(registration.installing, 'installed');
  };
  await atMost(
    PATIENCE,
    news().catch(() => undefined),
  );
  timeUp.abort();
}

/** Resolves when the worker reaches this state, or fails. */
function until(worker: ServiceWorker | null, state: ServiceWorkerState): Promise<void> {
  return new Promise(resolve => {
    const look = (): void => {
      if (!worker || [state, 'activated', 'redundant'].includes(worker.state)) resolve();
    };
    worker?.addEventListener('statechange', look);
    look();
  });
}

/** The result of the work; null when the time is up. */
const atMost = <T>(time: number, work: Promise<T>): Promise<T | null> =>
  Promise.race([work, new Promise<null>(resolve => setTimeout(() => resolve(null), time))]);

/** Lets the waiting version take over, and reloads the page. Open dumps are lost, so only the user may ask for this. */
export function takeOver(update: ServiceWorker): void {
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), {once: true});
  const message: ToKeeper = {kind: 'take over'};
  update.postMessage(message);
}
