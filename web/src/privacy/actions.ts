// The user's actions that use the network: load a new version, and request the listed symbols.

import type {Open} from '../app/open.ts';
import {currentDump} from '../app/state.ts';
import {type Store, say} from '../app/store.ts';
import type {InputFile, Part} from '../engine/protocol.ts';
import {probes} from '../engine/remote.ts';
import type {Engine} from '../engine/types.ts';
import {takeOver} from '../offline/register.ts';
import type {Prepared} from './prepare.ts';
import type {Version} from './ranged.ts';
import {requestList} from './request-list.ts';
import type {Requester} from './requests.ts';
import {NOT_THERE} from './symbol-file.ts';
import {noteRequests} from './watch.ts';

export function createPrivacyActions(store: Store, prepared: Promise<Prepared>, open: Open) {
  let stopped = false;
  return {
    /** Ends the requests; the files that have arrived are opened. */
    stopFetching: () => {
      stopped = true;
      void prepared.then(({requester}) => requester?.stop());
    },
    /** Loads the new version; open dumps are lost. */
    update: () => void prepared.then(({cached}) => cached.update && takeOver(cached.update)),
    /** Asks the host for every file of the list that is shown, and opens those that it has. */
    fetchSymbols: async (): Promise<void> => {
      const {host, requester} = await prepared;
      const dump = currentDump(store.state);
      if (!host || !requester || !dump || store.state.privacy.requesting) return;
      const list = requestList(dump.report, host.builds);
      const found: InputFile[] = [];
      stopped = false;
      let failure: string | null = null;
      for (const [done, {path}] of list.entries()) {
        if (stopped) break;
        store.change('privacy', {requesting: {done, all: list.length}});
        noteRequests(store, [{by: 'symbols', url: host.url + path}]);
        const {file, why, version} = await requester.get(path);
        if (why !== null && why !== NOT_THERE) failure ??= why;
        if (!file) continue;
        const input = {path: decodeURIComponent(path.replace(/\?.*/, '')), file};
        const remote = version && {
          url: host.url + path,
          ...version,
          parts: await firstParts(requester, host.url + path, file, version),
        };
        found.push(remote ? {...input, remote} : input);
      }
      store.change('privacy', {requesting: null});
      say(store, toast(found.length, list.length, failure));
      if (found.length > 0) await open.add(found);
    },
  };
}

export type PrivacyActions = ReturnType<typeof createPrivacyActions>;

/** The parts of a file that are read in any case: its beginning, and pages spread over it. */
async function firstParts(requester: Requester, url: string, file: Blob, version: Version): Promise<Part[]> {
  const ranges = probes(version.size).filter(([from]) => from >= file.size);
  const {parts} = await requester.parts(url, ranges, version); // a refused part is requested again, and reported then
  const head = {from: 0, bytes: new Uint8Array(await file.arrayBuffer())};
  return [head, ...parts.map((bytes, i) => ({from: ranges[i]?.[0] ?? 0, bytes}))];
}

/** Lets the engine fetch more parts of the files to which the user agreed. */
export function fetchParts(engine: Engine, {requester}: Prepared): void {
  if (!requester) return;
  engine.fetchParts = async ({url, size, tag}, ranges) => {
    const {parts, why} = await requester.parts(url, ranges, {size, tag});
    return why ?? parts.map((bytes, i) => ({from: ranges[i]?.[0] ?? 0, bytes}));
  };
  engine.fetchWhole = async ({url, size, tag}) => {
    const {file, why} = await requester.whole(url, {size, tag});
    return file ?? why ?? NOT_THERE;
  };
}

const toast = (found: number, all: number, failure: string | null): string => {
  const some = found > 0 ? `${found} of ${all}` : 'none of these';
  return failure === null ? `The host has ${some} files` : `The host sent ${some} files: ${failure}`;
};
