// One build of the page, kept whole: every file of it by its digest, or none of it.

/** A build's name, and the SHA-256 of each of its files in hex; "./" is the page. */
export interface Build {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
}

/** Where files are kept, and where they come from: the platform's own, or a test's. */
export interface Places {
  readonly caches: Pick<CacheStorage, 'open' | 'keys' | 'delete'>;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** What the browser has of a URL, without a request where it can be asked so; rejects if it has nothing. */
  readonly cached: (url: string) => Promise<Response>;
}

const PREFIX = 'crashglass-';

/** The name of a build's cache. It is the only storage that this uses. */
export const cacheName = (build: Build): string => PREFIX + build.name;

/** Fetches all files of a build and keeps them. Rejects, and keeps nothing, when one is missing or is not of this build. */
export async function keep(build: Build, base: string, places: Places): Promise<void> {
  const files = await Promise.all(
    Object.entries(build.files).map(async ([path, digest]) => {
      const url = new URL(path, base).href;
      return [url, await genuine(url, digest, places)] as const;
    }),
  );
  const cache = await places.caches.open(cacheName(build));
  for (const [url, response] of files) await cache.put(url, response);
}

async function genuine(url: string, digest: string, places: Places): Promise<Response> {
  // The page has just loaded its script and its style, and most browsers still have them.
  const shown = /\.(js|css)$/.test(url)
    ? await places
        .cached(url)
        .then(copy)
        .catch(() => null)
    : null;
  if (shown?.digest === digest) return shown.response;
  const response = await places.fetch(url, {cache: 'no-cache', credentials: 'same-origin'});
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  const {digest: found, response: kept} = await copy(response);
  // The host may be in the middle of an update, or change what it serves: either is another build, or none.
  if (found !== digest) throw new Error(`${url} is ${found}, and this build's is ${digest}`);
  return kept;
}

/** A response with all its bytes here, and their digest. */
async function copy(response: Response): Promise<{response: Response; digest: string}> {
  const bytes = await response.arrayBuffer();
  const headers = new Headers(response.headers);
  // The bytes are unpacked, and may be of another length.
  headers.delete('content-encoding');
  headers.delete('content-length');
  return {response: new Response(bytes, {headers}), digest: hex(await crypto.subtle.digest('SHA-256', bytes))};
}

const hex = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map(byte => byte.toString(16).padStart(2, '0')).join('');

/** Gives up what other builds kept. */
export async function forgetOthers(build: Build, {caches}: Places): Promise<void> {
  const others = (await caches.keys()).filter(name => name.startsWith(PREFIX) && name !== cacheName(build));
  await Promise.all(others.map(name => caches.delete(name)));
}

/** A file of the build as it was kept; undefined if it is none of its files, or if the browser has thrown it away. */
export async function kept(build: Build, base: string, url: string, {caches}: Places): Promise<Response | undefined> {
  const path = pathOf(build, base, url);
  if (path === undefined) return undefined;
  return (await caches.open(cacheName(build))).match(new URL(path, base).href);
}

/** The path of a file of the build, whatever query was asked with it; the page has two names. */
export function pathOf(build: Build, base: string, url: string): string | undefined {
  const asked = new URL(url);
  const at = asked.origin + asked.pathname;
  if (!at.startsWith(base)) return undefined;
  const path = at.slice(base.length);
  const name = path === '' || path === 'index.html' ? './' : path;
  return Object.hasOwn(build.files, name) ? name : undefined;
}
