// Drop and paste, anywhere on the page, at any time.
import {type Dropped, droppedFiles} from './drop.ts';
import {handlesOf} from './handles.ts';
import type {Open} from './open.ts';
import type {Sessions} from './sessions.ts';
import type {SourceActions} from './sources.ts';
import {addProblems, type Store} from './store.ts';

export function listenToDrops(store: Store, open: Open, sources: SourceActions, sessions: Sessions): void {
  const add = async (transfer: DataTransfer): Promise<void> => {
    const handles = handlesOf(transfer);
    const {files, sources: sourceFiles, left}: Dropped = await droppedFiles(transfer);
    const problems = left.map(message => ({name: 'drop', kind: 'other' as const, message}));
    sources.add(sourceFiles);
    const results = files.length > 0 ? await open.add(files) : [];
    addProblems(store, problems); // those of the files replace what was there
    await sessions.opened(await handles, results);
  };
  document.addEventListener('dragover', event => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    if (!store.state.page.dragging) store.change('page', {dragging: true});
  });
  document.addEventListener('dragleave', event => {
    if (event.relatedTarget === null) store.change('page', {dragging: false});
  });
  document.addEventListener('drop', event => {
    store.change('page', {dragging: false});
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    void add(event.dataTransfer);
  });
  document.addEventListener('paste', event => {
    const data = event.clipboardData;
    if (!data || isField(event.target)) return;
    if (data.files.length > 0) void add(data);
    else if (data.getData('text').trim() !== '')
      void open.add([{path: 'pasted text', file: new Blob([data.getData('text'), '\n'])}]); // the last line is whole, too
  });
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea') !== null;
