// What the person may do about privacy: let a new version take over, and let the page ask for the symbols that it listed.
import type {Open} from '../app/open.ts';
import {currentDump} from '../app/state.ts';
import type {Store} from '../app/store.ts';
import {takeOver} from '../offline/register.ts';
import {questions} from './ask-list.ts';
import type {Prepared} from './prepare.ts';
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
      const found: {path: string; file: Blob}[] = [];
      let failure: string | null = null;
      for (const [done, {path}] of list.entries()) {
        store.update(({privacy}) => ({privacy: {...privacy, asking: {done, all: list.length}}}));
        noteRequests(store, [{by: 'symbols', url: host.url + path}]);
        const {file, why} = await ask(path);
        if (why !== null && why !== NOT_THERE) failure ??= why;
        if (file) found.push({path: decodeURIComponent(path.replace(/\?.*/, '')), file});
      }
      store.update(({privacy}) => ({
        privacy: {...privacy, asking: null},
        toast: toast(found.length, list.length, failure),
      }));
      if (found.length > 0) await open.add(found);
    },
  };
}

const toast = (found: number, all: number, failure: string | null): string => {
  const words = found === 0 ? 'The host has none of these files' : `The host had ${found} of ${all} files`;
  return failure === null ? words : `${words}: ${failure}`;
};
