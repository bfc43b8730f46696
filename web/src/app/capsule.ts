// Capsules: opens the files inside of this page, and makes the viewer of a new capsule. The viewer is this page as one file,
// without the report. The page cannot fetch anything at that time. So a page that is one file is written as it was loaded; the
// files of any other page come from the cache of the service worker, which has the program also as a remote host sent it.
import {capsule, isWhole} from '../engine/inside.ts';
import {LOCK} from '../engine/lock.ts';
import {packedURL} from '../offline/packed.ts';
import {type BuiltFiles, oneFile} from '../share/onefile.ts';
import {messageOf} from '../text/text.ts';
import type {Open} from './open.ts';
import type {SourceActions} from './sources.ts';
import {addProblems, type Store} from './store.ts';

export async function openCapsule(store: Store, open: Open, sources: SourceActions): Promise<void> {
  try {
    const inner = await capsule();
    if (!inner) return;
    store.update({capsule: inner.about});
    sources.add(inner.sources.map(({path, file}) => ({path, load: () => Promise.resolve(file)})));
    await open.add(inner.files);
  } catch (error) {
    const message = `The contents of this capsule could not be read: ${messageOf(error)}`;
    addProblems(store, [{name: 'capsule', kind: 'other', message}]);
  }
}

/** viewer.html, or an error that says why it cannot be made. */
export async function viewerPage(): Promise<Blob> {
  return new Blob([isWhole() ? asLoaded(document) : await fromCache()], {type: 'text/html'});
}

const NONE =
  'This browser keeps no copy of the page to put the dump into. Use viewer.html, or crashglass capsule on a terminal.';

/** The document without the parts that scripts added: the second policy, a title, the report, and another capsule's files. */
function asLoaded(page: Document): string {
  const head = page.head.cloneNode(true) as HTMLHeadElement;
  for (const meta of head.querySelectorAll('meta[http-equiv]'))
    if (meta.getAttribute('content') === LOCK) meta.remove();
  const title = head.querySelector('title');
  if (title) title.textContent = 'Crashglass';
  const body = [...page.body.children].filter(stays).map(child => {
    const copy = child.cloneNode(child.id !== 'app') as Element;
    return copy.outerHTML;
  });
  return `<!doctype html>\n<html lang="en">\n${head.outerHTML}\n<body>\n${body.join('\n')}\n</body>\n</html>\n`;
}

const stays = (element: Element): boolean =>
  element.id === 'app' ||
  element.localName === 'noscript' ||
  (element.localName === 'script' && !element.matches('[data-capsule], [data-role]'));

async function fromCache(): Promise<string> {
  const base = new URL('./', location.href).href;
  const cache = await ownCache();
  if (!cache) throw new Error(NONE);
  const get = async (path: string): Promise<Response> => {
    const found = await cache.match(new URL(path, base).href);
    if (!found) throw new Error(NONE);
    return found;
  };
  const files: BuiltFiles = {
    // A capsule needs no example.
    paths: (await cache.keys()).map(({url}) => url.slice(base.length)).filter(path => !/\.(dmp|sym|xz)$/.test(path)),
    text: async path => (await get(path)).text(),
    packed: async path => {
      const copy = await cache.match(new URL(packedURL(path), base).href);
      return base64(await (copy ? copy.blob() : gzipped(await get(path))));
    },
    digest: async text => base64(new Blob([await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))])),
  };
  return oneFile(await files.text('./'), files);
}

/** The cache that has the script of this page: any other cache belongs to another build. */
async function ownCache(): Promise<Cache | null> {
  const script = document.querySelector<HTMLScriptElement>('script[type="module"][src]');
  if (!script || !('caches' in globalThis)) return null;
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    if (await cache.match(script.src)) return cache;
  }
  return null;
}

const gzipped = (response: Response): Promise<Blob> =>
  new Response(response.body?.pipeThrough(new CompressionStream('gzip'))).blob();

function base64(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error ?? new Error(NONE));
    reader.readAsDataURL(blob);
  });
}
