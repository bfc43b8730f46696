// The only part of the engine that uses the network. It fetches everything that the engine needs once and keeps it in
// memory. viewer.html has all of it inside and sends no request. A capsule has its dump in place of the example.

import moduleURL from '../../../build/viewer.wasm?url';
import crashSourceURL from '../../example/crash.cpp?url';
import crashURL from '../../example/crash.dmp?url';
import deskURL from '../../example/desk.sym?url';
import hangSourceURL from '../../example/hang.cpp?url';
import hangURL from '../../example/hang.dmp?url';
import hangProgramURL from '../../example/hang.elf?url';
import hangLibcURL from '../../example/hang-libc.sym?url';
import libcURL from '../../example/libc.sym?url';
import libstdcppURL from '../../example/libstdcpp.sym?url';
import poorURL from '../../example/poor.dmp?url';
import {getPacked} from '../offline/packed.ts';
import {patientFetch} from '../offline/patient.ts';
import {inside, isCapsule} from './inside.ts';
import type {InputFile} from './protocol.ts';
import workerURL from './worker.ts?worker&url';

export interface Assets {
  readonly worker: Blob;
  readonly module: WebAssembly.Module;
  readonly examples: readonly Example[];
}

/** A dump that is part of the page, with its symbols and its source. */
export interface Example {
  readonly files: readonly InputFile[];
  readonly sources: readonly InputFile[];
}

const CRASH = {'crash.dmp': crashURL, 'desk.sym': deskURL, 'libc.sym': libcURL, 'libstdcpp.sym': libstdcppURL};
const HANG = {'hang.dmp': hangURL, 'hang.elf': hangProgramURL, 'hang-libc.sym': hangLibcURL};

export async function loadAssets(): Promise<Assets> {
  const [worker, module, examples] = await Promise.all([
    get(workerURL).then(response => response.blob()),
    get(moduleURL).then(compile),
    isCapsule() ? [] : loadExamples(),
  ]);
  return {worker: new Blob([worker], {type: 'text/javascript'}), module, examples};
}

/** A crash and a deadlock with their symbols, and a crash of which nothing else is known. */
async function loadExamples(): Promise<readonly Example[]> {
  const all = [CRASH, {'crash.cpp': crashSourceURL}, HANG, {'hang.cpp': hangSourceURL}, {'poor.dmp': poorURL}];
  const [crash = [], crashSource = [], hang = [], hangSource = [], poor = []] = await Promise.all(all.map(load));
  return [
    {files: crash, sources: crashSource},
    {files: hang, sources: hangSource},
    {files: poor, sources: []},
  ];
}

const load = (files: Readonly<Record<string, string>>): Promise<readonly InputFile[]> =>
  Promise.all(Object.entries(files).map(async ([path, url]) => ({path, file: await (await get(url)).blob()})));

async function get(url: string): Promise<Response> {
  const response = inside(url) ?? (await request(new URL(url, location.href).href));
  if (!response.ok) throw new Error(`The page is incomplete: ${url} answered ${response.status}.`);
  return response;
}

/** The service worker returns its cached files decompressed. */
function request(url: string): Promise<Response> {
  return navigator.serviceWorker?.controller ? patientFetch(url) : getPacked(url, {}, patientFetch);
}

/** Compiling during the transfer lets browsers cache the result, but needs the right media type, which some static hosts do not send. */
async function compile(response: Response): Promise<WebAssembly.Module> {
  if (response.headers.get('content-type') === 'application/wasm') return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}
