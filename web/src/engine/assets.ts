// The only part of the engine that uses the network. It fetches everything that the engine needs once and keeps it in
// memory. viewer.html has all of it inside and sends no request. A capsule has its dump in place of the example.

import moduleURL from '../../../build/viewer.wasm?url';
import dumpURL from '../../example/crash.dmp?url';
import deskURL from '../../example/desk.sym?url';
import libcURL from '../../example/libc.sym?url';
import libstdcppURL from '../../example/libstdcpp.sym?url';
import {getPacked} from '../offline/packed.ts';
import {patientFetch} from '../offline/patient.ts';
import {isCapsule} from './capsule.ts';
import type {InputFile} from './input.ts';
import {inside} from './inside.ts';
import workerURL from './worker.ts?worker&url';

export interface Assets {
  readonly worker: Blob;
  readonly module: WebAssembly.Module;
  readonly example: readonly InputFile[];
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
  const response = inside(url) ?? (await request(new URL(url, location.href).href));
  if (!response.ok) throw new Error(`The page is incomplete: ${url} answered ${response.status}.`);
  return response;
}

/** The service worker returns its cached files decompressed. */
function request(url: string): Promise<Response> {
  return navigator.serviceWorker?.controller ? patientFetch(url) : getPacked(url, {}, patientFetch);
}

/**
 * Compiling during the transfer lets browsers cache the result, but needs the right media type, which some static
 * hosts do not send.
 */
async function compile(response: Response): Promise<WebAssembly.Module> {
  if (response.headers.get('content-type') === 'application/wasm') return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}
