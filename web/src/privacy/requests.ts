// The page's side of the requester.
import {trusted} from '../engine/trusted.ts';
import {patientFetch} from '../offline/patient.ts';
import type {SymbolHost} from './host.ts';
import type {Range, Version} from './ranged.ts';
import type {Got, StopRequest, SymbolRequest} from './requester.ts';
import requesterURL from './requester.ts?worker&url';

/** Starts the requester. It keeps the policy that is in force now, so it is started before the page locks. */
export async function startRequester(host: SymbolHost) {
  const source = await (await patientFetch(requesterURL)).blob();
  const worker = new Worker(trusted(URL.createObjectURL(new Blob([source], {type: 'text/javascript'}))));
  const open = new Map<number, (got: Got) => void>();
  let lastID = 0;
  worker.onmessage = ({data}: MessageEvent<Got>) => {
    open.get(data.id)?.(data);
    open.delete(data.id);
  };
  const send = (request: Omit<SymbolRequest, 'id'>): Promise<Got> =>
    new Promise(resolve => {
      const id = ++lastID;
      open.set(id, resolve);
      worker.postMessage({id, ...request} satisfies SymbolRequest);
    });
  return {
    /** The file, or the beginning of a file that can be requested in parts. */
    get: (path: string) => send({url: host.url + path, parts: null, version: null}),
    /** Parts of a file whose beginning get returned. */
    parts: (url: string, ranges: readonly Range[], version: Version) => send({url, parts: ranges, version}),
    /** The whole of such a file. */
    whole: (url: string, version: Version) => send({url, parts: null, version}),
    /** Stops all requests. Each gets its result, which says so. */
    stop: () => {
      for (const id of open.keys()) worker.postMessage({stop: id} satisfies StopRequest);
    },
  };
}

/** Requests files from a host by their paths below its folder, one after the other. */
export type Requester = Awaited<ReturnType<typeof startRequester>>;
