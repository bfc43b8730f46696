// The page's side of the service worker: it is in place, and has looked for a new version, before the door is locked.
import {isWhole} from '../engine/inside.ts';
import {trusted} from '../engine/trusted.ts';
import type {ToKeeper} from './messages.ts';

/** Whether the page is kept for visits without a network: yes, not by this browser or host, or why it failed. */
export interface Kept {
  readonly state: 'kept' | 'not kept';
  readonly why: string;
  /** A newer version has been fetched and waits. */
  readonly update: ServiceWorker | null;
}

const notKept = (why: string): Kept => ({state: 'not kept', why, update: null});

/** How long a visit waits to hear of a new version, in ms: after that the old one is used as it is. */
const PATIENCE = 3000;

/** Registers the service worker and waits until it has the whole build. All that this asks of the network, it asks before it settles. */
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

// Browsers look by themselves some seconds later, when nothing should leave any more. They take what is fresh in their cache
// for an answer, though, where a host says how long it is fresh: so it is refreshed here.
async function look(registration: ServiceWorkerRegistration, url: string): Promise<void> {
  await fetch(url, {cache: 'reload'});
  await registration.update();
  await until(registration.installing, 'installed');
}

/** When the worker has come so far, or will not. */
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

/** Lets the version that waits take over, and loads the page anew. What is open is gone, so only the person may ask for this. */
export function takeOver(update: ServiceWorker): void {
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), {once: true});
  const message: ToKeeper = {kind: 'take over'};
  update.postMessage(message);
}
