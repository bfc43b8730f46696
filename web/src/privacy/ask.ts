// The page's side of the asker.
import {trusted} from '../engine/trusted.ts';
import type {Ask, Got} from './asker.ts';
import askerURL from './asker.ts?worker&url';
import type {SymbolHost} from './host.ts';

/** Asks a host for files by their paths below its folder, one after the other. */
export type Asker = (path: string) => Promise<Got>;

/** Starts the asker. It has the policy that is in force now, so this is for before the door is locked. */
export async function startAsker(host: SymbolHost): Promise<Asker> {
  const source = await (await fetch(askerURL)).blob();
  const worker = new Worker(trusted(URL.createObjectURL(new Blob([source], {type: 'text/javascript'}))));
  const open = new Map<string, (got: Got) => void>();
  worker.onmessage = ({data}: MessageEvent<Got>) => {
    open.get(data.url)?.(data);
    open.delete(data.url);
  };
  return path => {
    const ask: Ask = {url: host.url + path};
    return new Promise(resolve => {
      open.set(ask.url, resolve);
      worker.postMessage(ask);
    });
  };
}
