// The page's side of the asker.
import {trusted} from '../engine/trusted.ts';
import {patientFetch} from '../offline/patient.ts';
import type {Ask, Got} from './asker.ts';
import askerURL from './asker.ts?worker&url';
import type {SymbolHost} from './host.ts';
import type {Range, Version} from './ranged.ts';

/** Asks a host for files by their paths below its folder, one after the other. */
export interface Asker {
  /** The file, or the beginning of a file that can be requested in parts. */
  get(path: string): Promise<Got>;
  /** Parts of a file whose beginning get returned. */
  parts(url: string, ranges: readonly Range[], version: Version): Promise<Got>;
  /** The whole of such a file. */
  whole(url: string, version: Version): Promise<Got>;
}

/**
 * Starts the asker. It keeps the policy that is in force now, so it is started before the page
 * locks.
 */
export async function startAsker(host: SymbolHost): Promise<Asker> {
  const source = await (await patientFetch(askerURL)).blob();
  const worker = new Worker(trusted(URL.createObjectURL(new Blob([source], {type: 'text/javascript'}))));
  const open = new Map<number, (got: Got) => void>();
  let lastID = 0;
  worker.onmessage = ({data}: MessageEvent<Got>) => {
    open.get(data.id)?.(data);
    open.delete(data.id);
  };
  const ask = (question: Omit<Ask, 'id'>): Promise<Got> =>
    new Promise(resolve => {
      const id = ++lastID;
      open.set(id, resolve);
      worker.postMessage({id, ...question} satisfies Ask);
    });
  return {
    get: path => ask({url: host.url + path, parts: null, version: null}),
    parts: (url, ranges, version) => ask({url, parts: ranges, version}),
    whole: (url, version) => ask({url, parts: null, version}),
  };
}
