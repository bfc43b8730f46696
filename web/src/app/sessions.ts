// Remembers the files of this tab, so that a reload opens them again, and the folders of symbols. It stores handles of files, if
// the browser has them, and no data of a dump.
import type {FileResult} from '../engine/types.ts';
import type {Again} from '../start/again.ts';
import {counted} from '../text/text.ts';
import {createPicker, filesOf, type Handle, type Picker, permission, permitted} from './handles.ts';
import type {Open} from './open.ts';
import {
  allOf,
  byRoot,
  folders,
  hasSymbols,
  latestFirst,
  type Remembered,
  rememberedOf,
  removeOldest,
  sameAs,
  worthReopening,
} from './remembered.ts';
import type {Shelf, Shelved} from './shelf.ts';
import type {SourceActions} from './sources.ts';
import {addProblems, type Store, say} from './store.ts';
import {type OtherTabs, otherTabs, type Tab} from './tab.ts';

const mostFolders = 4;

const nothing = (): Promise<void> => Promise.resolve();

/** A page that is one file remembers nothing, because it is passed on. */
const remembersNothing = {
  start: nothing,
  opened: nothing,
  follow: nothing,
  pick: () => false,
  again: nothing,
  useFolders: nothing,
  forget: nothing,
  reopensAll: () => false,
};

export function createSessions(
  store: Store,
  open: Pick<Open, 'add'>,
  sources: Pick<SourceActions, 'add'>,
  shelf: Shelf | null,
  tab: Tab,
  picker: Picker = createPicker(),
  elsewhere: () => OtherTabs = otherTabs,
) {
  if (!shelf) return remembersNothing;
  const tabs = elsewhere();
  let remembered: readonly Remembered[] = [];
  let source: readonly Handle[] = [];
  let offered: Shelved | null = null;
  let forgotten = 0; // how often
  let stored: readonly Handle[] = []; // on the shelf
  let turn: Promise<unknown> = Promise.resolve();

  /** Changes run one after another, in all tabs. If one cannot be stored, its files are not restored, and nothing else fails. */
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const next = turn.then(() => shelf.alone(work)).catch(() => undefined);
    turn = next;
    return next;
  };
  const show = (change: Partial<Again>): void => store.change('again', change);
  const showFolders = (): void => {
    const names = new Set(remembered.map(({handle}) => handle.name));
    show({folders: source.map(({name}) => name).filter(name => !names.has(name))});
  };

  const save = async (): Promise<void> => {
    const handles = worthReopening(remembered, store.state);
    if (handles.length === stored.length && handles.every((handle, i) => handle === stored[i])) return;
    if (handles.length === 0) await shelf.remove(tab.claimed() ?? '');
    else await shelf.put({id: tab.name(), used: tab.now(), handles});
    await removeOldest(shelf);
    stored = handles;
    show({stored: stored.length});
  };

  const remember = async (handle: Handle, own: readonly FileResult[]): Promise<void> => {
    const one = rememberedOf(handle, own);
    if (!one) return;
    const known = remembered.map(old => old.handle);
    const same = await sameAs(handle, known);
    remembered = [...remembered.filter(old => old.handle !== same), one];
    if (!hasSymbols(handle, own)) return;
    // Another tab may have put folders there since.
    source = (await shelf.all()).find(({id}) => id === folders)?.handles ?? [];
    const old = await sameAs(handle, source);
    source = [handle, ...source.filter(other => other !== old)].slice(0, mostFolders);
    await shelf.put({id: folders, used: tab.now(), handles: source});
  };

  const opened = (handles: readonly Handle[], results: readonly FileResult[]): Promise<void> =>
    inTurn(async () => {
      const by = byRoot(results);
      for (const handle of handles) await remember(handle, by.get(handle.name) ?? []);
      await save();
      showFolders();
    });

  const reopen = async (handles: readonly Handle[]): Promise<void> => {
    const {files, sources: texts, left} = await filesOf(handles);
    const problems = left.map(message => ({name: 'files', kind: 'other' as const, message}));
    addProblems(store, problems);
    sources.add(texts);
    await opened(handles, files.length > 0 ? await open.add(files) : []);
  };

  /** Opens the files that the user permits; returns the others. */
  const reopenAllowed = async (handles: readonly Handle[]): Promise<readonly Handle[]> => {
    const allowed = new Set(await permitted(handles));
    const refused = handles.filter(handle => !allowed.has(handle));
    if (refused.length > 0) say(store, `The browser did not open ${counted(refused.length, 'file')}`);
    if (allowed.size > 0) await reopen([...allowed]);
    return refused;
  };

  const showOffer = (): void => show({offer: offered?.handles.map(({name}) => name) ?? []});

  /** Opens the offered files. The offer is withdrawn meanwhile, and then made again for files that were refused. */
  const reopenOffered = async (way: (handles: readonly Handle[]) => Promise<readonly Handle[]>): Promise<void> => {
    const offer = offered;
    if (!offer) return;
    offered = null;
    showOffer();
    const before = forgotten;
    const handles = await way(offer.handles);
    if (handles.length === 0) return leave(offer.id);
    if (forgotten !== before) return; // while the permission was pending
    offered = {...offer, handles};
    showOffer();
  };

  /** Removes the entry of another tab, unless that tab is open again. */
  const leave = (id: string): Promise<void> =>
    inTurn(async () => {
      if (id !== tab.claimed() && !(await tab.others()).has(id)) await shelf.remove(id);
    });

  const findEarlier = async (): Promise<void> => {
    const all = await shelf.all();
    source = all.find(({id}) => id === folders)?.handles ?? [];
    const {before, others} = await tab.start();
    const closed = all.filter(({id}) => id !== folders && !others.has(id)).sort(latestFirst);
    offered = all.find(({id}) => id === before) ?? closed[0] ?? null;
    if (remembered.length > 0) offered = null; // the user opened files meanwhile
    showOffer();
    showFolders();
  };

  const clear = (): void => {
    [remembered, source, offered, stored] = [[], [], null, []];
    forgotten++;
    show({offer: [], folders: [], stored: 0});
  };
  tabs.whenForgotten(
    () =>
      void inTurn(async () => {
        const own = tab.claimed();
        if (own !== null) await shelf.remove(own); // what was put there meanwhile
        clear();
      }),
  );

  return {
    /** Looks for the files that this tab had open before a reload, and for those of other tabs. */
    start: async (): Promise<void> => {
      await inTurn(findEarlier);
      if (!offered || offered.id !== tab.claimed()) return;
      const states = await Promise.all(offered.handles.map(handle => permission(handle).catch(() => 'denied')));
      if (states.every(state => state === 'granted')) await reopenOffered(handles => reopen(handles).then(() => []));
    },
    /** Remembers the opened files, by their results. */
    opened,
    /** Stores the list of open files, if it has changed. */
    follow: (): Promise<void> => (remembered.length > 0 ? inTurn(save) : Promise.resolve()),
    /** Shows the dialog for files, or for a folder, and opens the choice; false if the ordinary dialog is needed. */
    pick: (folder: boolean): boolean => {
      const picked = picker.pick(folder);
      void picked?.then(handles => (handles.length > 0 ? reopen(handles) : undefined));
      return picked !== null;
    },
    /** Opens the earlier files, after the browser has asked for permission. */
    again: (): Promise<void> => reopenOffered(reopenAllowed),
    /** Reads the folders of earlier symbols. */
    useFolders: async (): Promise<void> =>
      void (await reopenAllowed(source.filter(({name}) => store.state.again.folders.includes(name)))),
    /** Forgets all files, also those of other tabs. */
    forget: (): Promise<void> =>
      inTurn(async () => {
        for (const {id} of await shelf.all()) await shelf.remove(id);
        clear();
        tabs.forgotten();
      }),
    /** Whether a reload restores all open dumps. */
    reopensAll: (): boolean => allOf(stored, store.state),
  };
}

export type Sessions = ReturnType<typeof createSessions>;
