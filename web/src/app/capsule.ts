// Opens the files inside of the page, if the page is a capsule.
import {capsule} from '../engine/capsule.ts';
import {messageOf} from '../text/text.ts';
import type {Open} from './open.ts';
import type {GiveSources} from './sources.ts';
import {addProblems, type Store} from './store.ts';

export async function openCapsule(store: Store, open: Open, sources: GiveSources): Promise<void> {
  try {
    const inner = await capsule();
    if (!inner) return;
    store.update({capsule: inner.about});
    sources.add(inner.sources.map(({path, file}) => ({path, load: () => Promise.resolve(file)})));
    await open.add(inner.files);
  } catch (error) {
    const message = `The contents of this capsule could not be read: ${messageOf(error)}`;
    addProblems(store, [{name: 'capsule', kind: 'other', message}]);
  }
}
