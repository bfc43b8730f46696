// Sharing: what the dump would reveal, what the user allows, and the files and texts that are made from it.

import type {Engine, SliceNames} from '../engine/types.ts';
import {capsuleName, safeName, sharedName, sourcesOf} from '../share/share.ts';
import type {Output, Product, Share} from '../share/state.ts';
import {dialog} from '../widgets/popover.view.ts';
import {viewerPage} from './capsule.ts';
import {copy, download} from './clipboard.ts';
import {load} from './loadable.ts';
import {sourceFor} from './sources.ts';
import {currentDump, type OpenDump, type State} from './state.ts';
import type {Store} from './store.ts';

export function createShare(store: Store, engine: Promise<Engine>) {
  const change = (dump: OpenDump, next: Partial<Share>): void =>
    store.update(({share}) => (share?.dump === dump.id ? {share: {...share, ...next}} : {}));
  const check = (): void => {
    const dump = currentDump(store.state);
    if (!dump) return;
    load(
      engine.then(e => e.result({op: 'checklist', dump: dump.id})),
      checklist => change(dump, {checklist}),
    );
  };
  let opening = false;
  return {
    /** Opens the dialog and requests the checklist of the dump. */
    open: () => {
      const dump = currentDump(store.state);
      if (!dump || store.state.view !== 'one') return;
      opening = true;
      // Choices for another dump, or from the last time, do not apply to this one.
      store.update({
        share: {
          dump: dump.id,
          checklist: {state: 'waiting'},
          names: false,
          memory: false,
          values: false,
          symbols: 'own',
          made: null,
        },
      });
      check();
      // If drawing fails, opening must still end: otherwise the next close event would be ignored.
      void store
        .drawn()
        .finally(() => (opening = false))
        .then(() => dialog('share')?.showModal());
    },
    /** Closes the dialog. */
    close: () => dialog('share')?.close(),
    /** Forgets what was chosen, unless the dialog was opened again: the close event of a dialog is delayed. */
    closed: () => {
      if (!opening && !dialog('share')?.open) store.update({share: null});
    },
    /** Requests the checklist again. */
    check,
    flip: (what: 'names' | 'memory' | 'values') =>
      store.update(({share}) => (share ? {share: {...share, [what]: !share[what], made: null}} : {})),
    /** Sets which function names the symbols of a capsule keep. */
    keep: (symbols: SliceNames) => store.update(({share}) => (share ? {share: {...share, symbols, made: null}} : {})),
    /** Offers the finished file, whose size is already shown. */
    save: () => {
      const dump = currentDump(store.state);
      const made = store.state.share?.made;
      if (!dump || made?.state.state !== 'done' || !made.state.value || !('data' in made.state.value)) return;
      download(capsuleName(dump.name), 'text/html', made.state.value.data);
    },
    make: (product: Product) => {
      const dump = currentDump(store.state);
      const {share} = store.state;
      if (!dump || !share || share.made?.state.state === 'waiting') return;
      load(
        engine.then(e => make(e, dump, store.state, share, product)),
        state => change(dump, {made: {product, state}}),
      );
    },
  };
}

async function make(
  engine: Engine,
  dump: OpenDump,
  state: State,
  {names, memory, values, symbols, checklist}: Share,
  product: Product,
): Promise<Output> {
  if (product === 'capsule') {
    const viewer = {path: 'viewer.html', file: await viewerPage()};
    const sources = symbols === 'none' ? [] : await sourceFiles(state, dump);
    return engine.made({op: 'capsule', dump: dump.id, names, memory, symbols}, [viewer, ...sources]);
  }
  if (product === 'dump') {
    const {data, result} = await engine.made({op: 'sanitize', dump: dump.id, names, memory});
    download(
      sharedName(dump.name, checklist.state === 'done' && checklist.value.text),
      'application/octet-stream',
      data,
    );
    return result;
  }
  if (product === 'report') {
    const page = await engine.render(dump.id, 'html', {masked: !names, memory, values});
    download(`${safeName(dump.name)}.html`, 'text/html', page);
    return null;
  }
  const text = await engine.render(dump.id, product, {masked: !names, values});
  if (!(await copy(text))) throw new Error('The browser refused to copy.');
  return null;
}

/** The opened source files for frames of the crashing thread, under the paths in the frames. */
async function sourceFiles(state: State, dump: OpenDump): Promise<{readonly path: string; readonly file: Blob}[]> {
  const found = sourcesOf(dump.report).flatMap(path => {
    const source = sourceFor(state, path);
    return source ? [{path, source}] : [];
  });
  return Promise.all(found.map(async ({path, source}) => ({path, file: await source.load()})));
}
