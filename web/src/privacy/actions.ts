// What the person may do about privacy: let a new version take over, and let the page ask for the symbols that it listed.

import type {Open} from '../app/open.ts';
import {currentDump} from '../app/state.ts';
import type {Store} from '../app/store.ts';
import type {GivenFile, Part} from '../engine/given.ts';
import {probes} from '../engine/remote.ts';
import type {Engine} from '../engine/types.ts';
import {takeOver} from '../offline/register.ts';
import type {Asker} from './ask.ts';
import {questions} from './ask-list.ts';
import type {Prepared} from './prepare.ts';
import type {Version} from './ranged.ts';
import {NOT_THERE} from './symbol-file.ts';
import {noteRequests} from './watch.ts';

export interface PrivacyActions {
  /** Loads the new version; what is open is gone. */
  update(): void;
  /** Asks the host for every file of the list that is shown, and opens those that it has. */
  ask(): Promise<void>;
}

export function createPrivacyActions(store: Store, prepared: Promise<Prepared>, open: Open): PrivacyActions {
  return {
    update: () => void prepared.then(({kept}) => kept.update && takeOver(kept.update)),
    ask: async () => {
      const {host, ask} = await prepared;
      const dump = currentDump(store.state);
      if (!host || !ask || !dump || store.state.privacy.asking) return;
      const list = questions(dump.report, host.builds);
      const found: GivenFile[] = [];
      let failure: string | null = null;
      for (const [done, {path}] of list.entries()) {
        store.update(({privacy}) => ({privacy: {...privacy, asking: {done, all: list.length}}}));
        noteRequests(store, [{by: 'symbols', url: host.url + path}]);
        const {file, why, version} = await ask.get(path);
        if (why !== null && why !== NOT_THERE) failure ??= why;
        if (!file) continue;
        const given = {path: decodeURIComponent(path.replace(/\?.*/, '')), file};
        const remote = version && {
          url: host.url + path,
          ...version,
          parts: await firstParts(ask, host.url + path, file, version),
        };
        found.push(remote ? {...given, remote} : given);
      }
      store.update(({privacy}) => ({
        privacy: {...privacy, asking: null},
        toast: toast(found.length, list.length, failure),
      }));
      if (found.length > 0) await open.add(found);
    },
  };
}

/** What is known to be read of a file of which parts can be asked for: its beginning, and places all over it. */
async function firstParts(ask: Asker, url: string, file: Blob, version: Version): Promise<Part[]> {
  const ranges = probes(version.size).filter(([from]) => from >= file.size);
  const {parts} = await ask.parts(url, ranges, version); // what is refused is asked for again, and told then
  const head = {from: 0, bytes: new Uint8Array(await file.arrayBuffer())};
  return [head, ...parts.map((bytes, i) => ({from: ranges[i]?.[0] ?? 0, bytes}))];
}

/** Lets the engine ask for more of the files that the person agreed to ask for. */
export function bringParts(engine: Engine, {ask}: Prepared): void {
  if (!ask) return;
  engine.fetchParts = async ({url, size, tag}, ranges) => {
    const {parts, why} = await ask.parts(url, ranges, {size, tag});
    return why ?? parts.map((bytes, i) => ({from: ranges[i]?.[0] ?? 0, bytes}));
  };
  engine.fetchWhole = async ({url, size, tag}) => {
    const {file, why} = await ask.whole(url, {size, tag});
    return file ?? why ?? NOT_THERE;
  };
}

const toast = (found: number, all: number, failure: string | null): string => {
  const words = found === 0 ? 'The host has none of these files' : `The host had ${found} of ${all} files`;
  return failure === null ? words : `${words}: ${failure}`;
};
