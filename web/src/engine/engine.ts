// Starts the engine: fetches everything, locks the page, and only then starts the worker that will hold a dump.
import {type Assets, loadAssets} from './assets.ts';
import {openIndexCache} from './index-cache.ts';
import {Indexes} from './indexes.ts';
import {Link} from './link.ts';
import {lockPage} from './lock.ts';
import {Pool} from './pool.ts';
import {sweep} from './scratch.ts';
import {Supervisor} from './supervisor.ts';
import {trusted} from './trusted.ts';
import type {Engine} from './types.ts';

export type {AddResult, Engine, FileResult, Format, Opened, Progress} from './types.ts';

/** More workers do not read a disk faster, and each needs memory. */
const MOST_WORKERS = 8;

/** Rejects if the page is incomplete or the browser lacks a feature. After it settles, it sends no request. */
export async function startEngine(): Promise<Engine> {
  const assets = await loadAssets();
  lockPage(document);
  void sweep();
  const start = starter(assets);
  const indexes = new Indexes(
    new Pool(start, Math.min(navigator.hardwareConcurrency || 1, MOST_WORKERS)),
    openIndexCache(),
  );
  const supervisor = new Supervisor(start, indexes, assets.examples);
  await supervisor.ready;
  void supervisor.warm();
  return supervisor;
}

/** Makes workers. */
function starter({worker, module}: Assets): () => Link {
  const url = trusted(URL.createObjectURL(worker));
  return () => new Link(new Worker(url), module);
}
