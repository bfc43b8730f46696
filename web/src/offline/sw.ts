// The service worker. It keeps one build of the page for visits without a network, and receives what is shared with the page.
//
// It can reach the network, so it gets no dump except one that the system shares with the page, which has no other way.
// That dump goes to the opened page in a message, and into no storage. The service worker reports its requests to the page.
import {mayFetch} from './allowed.ts';
import {type Build, forgetOthers, keep, kept, pathOf} from './build.ts';
import type {FromKeeper} from './messages.ts';
import {getPacked} from './packed.ts';
import {patientFetch} from './patient.ts';
import type {Fetch, Scope} from './scope.ts';

declare const BUILD: Build;
const scope = self as unknown as Scope;
const base = scope.registration.scope;

const ask = (url: string, init?: RequestInit): Promise<Response> => {
  void tell({kind: 'asked', url});
  return patientFetch(url, init);
};

// WebKit requests it even so; then the compressed copy is the smallest request.
const find = async (url: string, init?: RequestInit): Promise<Response> => {
  const response = await patientFetch(url, init);
  void tell({kind: 'asked', url});
  return response;
};

const places = {
  caches,
  fetch: (url: string, init: RequestInit): Promise<Response> => getPacked(url, init, ask, bytes => void coming(bytes)),
  cached: (url: string): Promise<Response> => getPacked(url, {cache: 'only-if-cached', mode: 'same-origin'}, find),
};

async function tell(message: FromKeeper): Promise<void> {
  for (const client of await scope.clients.matchAll()) client.postMessage(message);
}

/** How often the page gets the number of arrived bytes, in ms. */
const OFTEN = 200;
let toldAt = 0;

/** Sends to all pages, also to those that this worker does not control yet: the first page waits for it. */
async function coming(bytes: number): Promise<void> {
  if (performance.now() - toldAt < OFTEN) return;
  toldAt = performance.now();
  const message: FromKeeper = {kind: 'coming', bytes};
  for (const client of await scope.clients.matchAll({includeUncontrolled: true})) client.postMessage(message);
}

/** Shared files that no page has taken yet. */
let shared: readonly File[] = [];

/** Where crashglass.webmanifest lets the system send files. */
const shareURL = new URL('share', base).href;

/** Ends what the installation fetches. */
const stopped = new AbortController();

scope.addEventListener('install', event => event.waitUntil(install()));

async function install(): Promise<void> {
  const open = (await scope.clients.matchAll({includeUncontrolled: true})).filter(({url}) => url.startsWith(base));
  if (!(await mayFetch(open, scope.registration.active !== null))) throw new Error('No page waits for this build.');
  const {signal} = stopped;
  await keep(BUILD, base, {...places, fetch: (url, init) => places.fetch(url, {...init, signal})});
}

scope.addEventListener('activate', event =>
  event.waitUntil(forgetOthers(BUILD, places).then(() => scope.clients.claim())),
);

scope.addEventListener('message', event => {
  if (event.data.kind === 'take over') event.waitUntil(scope.skipWaiting());
  else if (event.data.kind === 'stop') stopped.abort(new Error('The page does not wait any longer.'));
  else {
    event.source?.postMessage({kind: 'files', files: shared});
    shared = [];
  }
});

scope.addEventListener('fetch', event => {
  const {method, url} = event.request;
  if (method === 'POST' && url === shareURL) event.respondWith(receive(event));
  else if (method === 'GET' && pathOf(BUILD, base, url) !== undefined) event.respondWith(serve(event.request));
});

/** A file of this build. If the browser removed it, it is fetched: a name with a digest belongs to one build only. */
async function serve(request: Request): Promise<Response> {
  const found = await kept(BUILD, base, request.url, places);
  return found ?? places.fetch(request.url, {credentials: 'same-origin'});
}

/** Takes the files of a share and opens the page in their place, so that a reload does not send them again. */
async function receive({request}: Fetch): Promise<Response> {
  const values = (await request.formData()).getAll('files');
  shared = [...shared, ...values.filter(value => value instanceof File)];
  return Response.redirect(base, 303);
}
