// The service worker. It keeps one build of the page for visits without a network, and receives what is shared with the page.
//
// It can reach the network, so it gets no dump except one that the system shares with the page, which has no other way.
// That dump goes to the opened page in a message, and into no storage. The service worker reports its requests to the page.
import {mayFetch} from './allowed.ts';
import {type Build, forgetOthers, fromCache, keep, pathOf} from './build.ts';
import type {FromServiceWorker} from './messages.ts';
import {getPacked} from './packed.ts';
import {paced, patientFetch} from './patient.ts';
import type {Client, Fetch, Scope} from './scope.ts';

declare const BUILD: Build;
const scope = self as unknown as Scope;
const base = scope.registration.scope;

const get = (url: string, init?: RequestInit): Promise<Response> => {
  void broadcast({kind: 'requested', url});
  return patientFetch(url, init);
};

// WebKit requests it even so; then the compressed copy is the smallest request.
const find = async (url: string, init?: RequestInit): Promise<Response> => {
  const response = await patientFetch(url, init);
  void broadcast({kind: 'requested', url});
  return response;
};

/** Compressed copies of the program that have arrived, by the program's address. */
const packed = new Map<string, Blob>();

const places = {
  caches,
  fetch: (url: string, init: RequestInit): Promise<Response> =>
    getPacked(url, init, get, broadcastProgress, copy => packed.set(url, copy)),
  packed: (url: string): Blob | undefined => packed.get(url),
  cached: (url: string): Promise<Response> => getPacked(url, {cache: 'only-if-cached', mode: 'same-origin'}, find),
};

async function broadcast(message: FromServiceWorker, includeUncontrolled = false): Promise<void> {
  for (const client of await scope.clients.matchAll({includeUncontrolled})) client.postMessage(message);
}

/** Sends the number of arrived bytes to all pages, also to those that this worker does not control yet: the first page waits. */
const broadcastProgress = paced<number>(200, bytes => void broadcast({kind: 'coming', bytes}, true));

/** Shared files that their page has not requested yet, by the ID of the page's client. */
const shared = new Map<string, readonly File[]>();

/** Where crashglass.webmanifest lets the system send files. */
const shareURL = new URL('share', base).href;

/** Ends what the installation fetches. */
const stopped = new AbortController();

scope.addEventListener('install', event => event.waitUntil(install()));

async function install(): Promise<void> {
  const open = (await scope.clients.matchAll({includeUncontrolled: true})).filter(({url}) => url.startsWith(base));
  const answer = await mayFetch(open, scope.registration.active !== null);
  if (answer === false) throw new Error('No page waits for this build.');
  const {signal} = stopped;
  const script = answer === true ? null : answer.script;
  await keep(BUILD, base, {...places, fetch: (url, init) => places.fetch(url, {...init, signal})}, script);
}

scope.addEventListener('activate', event =>
  event.waitUntil(forgetOthers(BUILD, places).then(() => scope.clients.claim())),
);

// Pages in other folders of the host can send messages, too.
scope.addEventListener('message', event => {
  const {data, source} = event;
  if (!source?.url?.startsWith(base)) return;
  if (data?.kind === 'take over') event.waitUntil(scope.skipWaiting());
  else if (data?.kind === 'stop') stopped.abort(new Error('The page does not wait any longer.'));
  else if (data?.kind === 'shared') hand(source);
});

/** Gives a page what was shared with it. */
function hand(page: Client): void {
  const files = shared.get(page.id);
  if (files) page.postMessage({kind: 'files', files});
  shared.delete(page.id);
}

scope.addEventListener('fetch', event => {
  const {method, url} = event.request;
  if (method === 'POST' && url === shareURL) event.respondWith(receive(event));
  else if (method === 'GET' && pathOf(BUILD, base, url) !== undefined) event.respondWith(serve(event.request));
});

/** A file of this build. If the browser removed it, it is fetched: a name with a digest belongs to one build only. */
async function serve(request: Request): Promise<Response> {
  const found = await fromCache(BUILD, base, request.url, places);
  return found ?? places.fetch(request.url, {credentials: 'same-origin'});
}

/**
 * Takes the files of a share for the page that it opens. The redirect keeps that page's ID, and a reload does not send the
 * files again. A request that opens no page has no such ID, and its files are dropped.
 */
async function receive({request, resultingClientId}: Fetch): Promise<Response> {
  const values = (await request.formData()).getAll('files');
  if (resultingClientId !== '') {
    shared.set(
      resultingClientId,
      values.filter(value => value instanceof File),
    );
  }
  return Response.redirect(base, 303);
}
