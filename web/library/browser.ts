// The library in a browser. Everything is loaded once, before the first dump is read; no request follows. Workers start from a blob: URL, so that they
// have the policy of the page that uses the library.
import {Link} from '../src/engine/link.ts';
import {trusted} from '../src/engine/trusted.ts';
import type {Library} from './api.ts';
import {library} from './session.ts';

const MOST_WORKERS = 8;

async function load(): Promise<() => Link> {
  const [module, source] = await Promise.all([
    get(new URL(/* @vite-ignore */ './crashglass.wasm', import.meta.url)).then(compile),
    get(new URL(/* @vite-ignore */ './browser-worker.js', import.meta.url)).then(response => response.arrayBuffer()),
  ]);
  const url = trusted(URL.createObjectURL(new Blob([source], {type: 'text/javascript'})));
  return () => new Link(new Worker(url), module);
}

async function get(url: URL): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The package is incomplete: ${url} answered ${response.status}.`);
  return response;
}

/** Compiling during the transfer needs the right media type, which some static hosts do not send. */
async function compile(response: Response): Promise<WebAssembly.Module> {
  if (response.headers.get('content-type') === 'application/wasm') return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

let loaded: ReturnType<typeof load> | undefined;

export const {analyze, open}: Library = library({
  async load() {
    loaded ??= load();
    return loaded.catch(error => {
      loaded = undefined; // the next attempt may have a network
      throw error;
    });
  },
  workers: Math.min(navigator.hardwareConcurrency || 1, MOST_WORKERS),
  toFile: async bytes => (bytes instanceof Blob ? bytes : new Blob([bytes as BlobPart])),
});
