// Opens the files inside of the page, if the page is a capsule.
import {capsule} from '../engine/capsule.ts';
import type {Open} from './open.ts';
import type {GiveSources} from './sources.ts';
import type {Store} from './store.ts';

export async function openCapsule(store: Store, open: Open, sources: GiveSources): Promise<void> {
  try {
    const inner = await capsule();
    if (!inner) return;
    store.update({capsule: inner.about});
    sources.add(inner.sources.map(({path, file}) => ({path, load: () => Promise.resolve(file)})));
    await open.add(inner.files);
  } catch (error) {
    const message = `The contents of this capsule could not be read: ${error instanceof Error ? error.message : String(error)}`;
    store.update(state => ({problems: [...state.problems, {name: 'capsule', kind: 'other', message}]}));
  }
}
