// The only part of the engine that touches the network: everything it will ever need, fetched once and kept in memory.
// viewer.html has it all inside, and asks nobody. A capsule has a dump of its own in place of the example.

import moduleURL from '../../../build/viewer.wasm?url';
import dumpURL from '../../example/crash.dmp?url';
import deskURL from '../../example/desk.sym?url';
import libcURL from '../../example/libc.sym?url';
import libstdcppURL from '../../example/libstdcpp.sym?url';
import {getPacked} from '../offline/packed.ts';
import {isCapsule} from './capsule.ts';
import type {GivenFile} from './given.ts';
import {inside} from './inside.ts';
import workerURL from './worker.ts?worker&url';

export interface Assets {
  readonly worker: Blob;
  readonly module: WebAssembly.Module;
  readonly example: readonly GivenFile[];
}

const EXAMPLE = {'crash.dmp': dumpURL, 'desk.sym': deskURL, 'libc.sym': libcURL, 'libstdcpp.sym': libstdcppURL};

export async function loadAssets(): Promise<Assets> {
  const [worker, module, ...example] = await Promise.all([
    get(workerURL).then(response => response.blob()),
    get(moduleURL).then(compile),
    ...Object.entries(isCapsule() ? {} : EXAMPLE).map(async ([path, url]) => ({
      path,
      file: await (await get(url)).blob(),
    })),
  ]);
  return {worker: new Blob([worker], {type: 'text/javascript'}), module, example};
}

async function get(url: string): Promise<Response> {
  const response = inside(url) ?? (await ask(new URL(url, location.href).href));
  if (!response.ok) throw new Error(`The page is incomplete: ${url} answered ${response.status}.`);
  return response;
}

/** What the service worker has kept it gives unpacked. */
function ask(url: string): Promise<Response> {
  return navigator.serviceWorker?.controller ? fetch(url) : getPacked(url, {}, (url, init) => fetch(url, init));
}

/** Compiling while it arrives lets browsers cache the result, but wants the right type, which not every static host sends. */
async function compile(response: Response): Promise<WebAssembly.Module> {
  if (response.headers.get('content-type') === 'application/wasm') return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}
