// The cache of one build of the page: every file, checked by its digest, or none.

import {PERMISSIONS} from '../privacy/permissions.ts';
import {packedURL} from './packed.ts';

/** A build's name, and the SHA-256 of each of its files in hex; "./" is the page. */
export interface Build {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
}

/** The cache and the network: the platform's own, or a test's. */
export interface Places {
  readonly caches: Pick<CacheStorage, 'open' | 'keys' | 'delete'>;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** The browser's copy of a URL, without a request if the browser supports that; rejects if it has none. */
  readonly cached: (url: string) => Promise<Response>;
  /** The compressed copy from which fetch unpacked a program, for capsules. */
  readonly packed: (url: string) => Blob | undefined;
}

const PREFIX = 'crashglass-';

/** The name of a build's cache, the only storage that is used here. */
export const cacheName = (build: Build): string => PREFIX + build.name;

/**
 * Fetches all files of a build and keeps them. If one is missing or of another build, it rejects and keeps nothing. What a page says that its script
 * is needs no request if that is a file of the build.
 */
export async function keep(build: Build, base: string, places: Places, script: string | null = null): Promise<void> {
  const said = script === null ? null : await copy(new Response(script, {headers: SCRIPT}));
  const cache = await places.caches.open(cacheName(build));
  const keepFile = async ([path, digest]: readonly [string, string]): Promise<void> => {
    const url = new URL(path, base).href;
    const known = said?.digest === digest ? said : await shown(url, places);
    if (known?.digest === digest) await cache.put(url, known.response);
    else await keepFetched(cache, url, digest, places);
    const packed = places.packed(url);
    if (packed) await cache.put(packedURL(url), new Response(packed));
  };
  try {
    await Promise.all(Object.entries(build.files).map(keepFile));
  } catch (error) {
    await places.caches.delete(cacheName(build));
    throw error;
  }
}

const SCRIPT = {'content-type': 'text/javascript; charset=utf-8'};

interface Copy {
  readonly response: Response;
  readonly digest: string;
}

/** The browser's copy. The page has just loaded its script and its style, and most browsers still have them. */
async function shown(url: string, places: Places): Promise<Copy | null> {
  if (!/\.(js|css)$/.test(url)) return null;
  return places
    .cached(url)
    .then(copy)
    .catch(() => null);
}

/** A response with all its bytes here, and their digest. */
async function copy(response: Response): Promise<Copy> {
  const bytes = await response.arrayBuffer();
  return {response: new Response(bytes, {headers: kept(response)}), digest: await digestOf(bytes)};
}

/** Fetches a file, and keeps it while it arrives: the digest of 24 MB takes as long as storing them. */
async function keepFetched(cache: Cache, url: string, digest: string, places: Places): Promise<void> {
  const response = await places.fetch(url, {cache: 'no-cache', credentials: 'same-origin'});
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  const stored = new Response(response.clone().body, {headers: kept(response)});
  const [found] = await Promise.all([response.arrayBuffer().then(digestOf), cache.put(url, stored)]);
  // During an update the host may serve another build, or a mixture.
  if (found !== digest) throw new Error(`${url} is ${found}, and this build's is ${digest}`);
}

/** The headers that a response is kept with. */
function kept(response: Response): Headers {
  const headers = new Headers(response.headers);
  // The bytes are decompressed, so their length may differ.
  headers.delete('content-encoding');
  headers.delete('content-length');
  // A host whose headers cannot be set, such as GitHub Pages, has the page without these until the service worker serves it. A
  // policy of the host's own may be about other features. Of two entries for one feature the last counts.
  headers.append('permissions-policy', PERMISSIONS);
  return headers;
}

const digestOf = async (bytes: ArrayBuffer): Promise<string> => hex(await crypto.subtle.digest('SHA-256', bytes));

const hex = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map(byte => byte.toString(16).padStart(2, '0')).join('');

/** Removes the caches of other builds. */
export async function forgetOthers(build: Build, {caches}: Places): Promise<void> {
  const others = (await caches.keys()).filter(name => name.startsWith(PREFIX) && name !== cacheName(build));
  await Promise.all(others.map(name => caches.delete(name)));
}

/** A cached file of the build; undefined if it is no file of the build, or if the browser has removed it. */
export async function fromCache(
  build: Build,
  base: string,
  url: string,
  {caches}: Places,
): Promise<Response | undefined> {
  const path = pathOf(build, base, url);
  if (path === undefined) return undefined;
  return (await caches.open(cacheName(build))).match(new URL(path, base).href);
}

/** The path of a file of the build, without the query; the page has two names. */
export function pathOf(build: Build, base: string, url: string): string | undefined {
  const wanted = new URL(url);
  const at = wanted.origin + wanted.pathname;
  if (!at.startsWith(base)) return undefined;
  const path = at.slice(base.length);
  const name = path === '' || path === 'index.html' ? './' : path;
  return Object.hasOwn(build.files, name) ? name : undefined;
}
