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

/** Registers the service worker and waits until it has the whole build. All of its requests end before it settles. */
export async function keepOffline(): Promise<Kept> {
  if (isWhole()) return notKept('This page is one file: keep the file.');
  if (!isSecureContext || !('serviceWorker' in navigator)) return notKept('The browser keeps nothing of this address.');
  try {
    const url = new URL('sw.js', location.href).href;
    const registration = await navigator.serviceWorker.register(trusted(url), {updateViaCache: 'all'});
    if (registration.active) await atMost(PATIENCE, look(registration, url));
    else await until(registration.installing ?? registration.waiting, 'activated');
    if (!registration.active) return notKept('A file is missing on this host, or is not of this build.');
    return {state: 'kept', why: '', update: registration.waiting};
  } catch (error) {
    return notKept(error instanceof Error ? error.message : String(error));
  }
}

// Browsers look for a new version by themselves some seconds later, when the page should send no more requests. They accept
// a fresh answer from their cache, though, if the host sends its lifetime. So the cached answer is refreshed here.
async function look(registration: ServiceWorkerRegistration, url: string): Promise<void> {
  await fetch(url, {cache: 'reload'});
  await registration.update();
  await until(registration.installing, 'installed');
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

const atMost = (time: number, work: Promise<void>): Promise<void> =>
  Promise.race([work.catch(() => {}), new Promise<void>(resolve => setTimeout(resolve, time))]);

/** Lets the waiting version take over, and reloads the page. Open dumps are lost, so only the user may ask for this. */
export function takeOver(update: ServiceWorker): void {
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), {once: true});
  const message: ToKeeper = {kind: 'take over'};
  update.postMessage(message);
}
