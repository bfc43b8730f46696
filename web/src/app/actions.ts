// The actions that views may call. Views have no other access to the engine, the store or the browser.

import type {Engine, FileInfo, Format} from '../engine/types.ts';
import type {Find} from '../find/find.ts';
import {nextTheme} from '../page/state.ts';
import type {PrivacyActions} from '../privacy/actions.ts';
import {stackText} from '../share/copy.ts';
import {safeName} from '../share/share.ts';
import type {FrameRow} from '../stack/frames.ts';
import type {Pointed} from '../stack/scale.ts';
import type {Shell} from '../symbols/get.ts';
import {toggled, withEntry} from '../text/maps.ts';
import {counted, messageOf} from '../text/text.ts';
import type {Parallel} from '../threads/state.ts';
import type {Grouping, Order} from '../triage/triage.ts';
import {focusOn, goToSection} from '../widgets/focus.ts';
import {createBytes} from './bytes.ts';
import {copy, download} from './clipboard.ts';
import {closed, reopened} from './close.ts';
import {otherSpelling, showWaiting} from './merge.ts';
import type {Open} from './open.ts';
import {groupsOf, rowCounts} from './rows.ts';
import type {Select} from './select.ts';
import {selected} from './selected.ts';
import type {Sessions} from './sessions.ts';
import {createShare} from './share.ts';
import type {SourceActions} from './sources.ts';
import {currentDump, mainThread, openKey, type State, stacksKey} from './state.ts';
import {addProblems, type Store, say} from './store.ts';
import {createStreams} from './streams.ts';
import {downloadSymbolFile, downloadSyms, useAnyway} from './syms.ts';
import {createVariables} from './variables.ts';

export function createActions(
  store: Store,
  engine: Promise<Engine>,
  open: Open,
  select: Select,
  sources: SourceActions,
  privacy: PrivacyActions,
  sessions: Sessions,
) {
  const put = async (text: string, said: string): Promise<void> =>
    say(store, (await copy(text)) ? said : 'The browser refused to copy');
  const render = async (format: Format): Promise<string | null> => {
    const dump = currentDump(store.state);
    if (!dump) return null;
    try {
      // Markdown is for a tracker, where others read it. The command line omits the same parts.
      return await (await engine).render(dump.id, format, {masked: format === 'markdown'});
    } catch (error) {
      addProblems(store, [{name: dump.name, kind: 'dump', message: messageOf(error)}]);
      return null;
    }
  };
  return {
    open,
    select,
    bytes: createBytes(store, engine),
    sources,
    privacy,
    share: createShare(store, engine),
    streams: createStreams(store, engine),
    variables: createVariables(store, engine),
    sessions,
    /** Copies text and confirms it: "Path copied". */
    copy: (text: string, said: string) => void put(text, said),
    /** Offers text as a file. */
    save: download,
    /** Closes the dumps at these places, or all dumps. */
    close: (ordinals?: readonly number[]) => {
      store.update(state => closed(state, ordinals ?? state.dumps.map((_, at) => at)));
      select.moved();
    },
    /** Opens the last closed dumps again. */
    reopen: () => {
      store.update(reopened);
      select.moved();
    },
    copyStack: () => {
      const found = selected(store.state);
      if (!found || store.state.view !== 'one') return;
      const {rows} = rowCounts(found.thread);
      void put(stackText(found.dump.report, found.thread), `Stack copied, ${counted(rows, 'frame')}`);
    },
    /** A link to the place that is shown; it contains no data of the dump. */
    copyLink: () => void put(location.href, 'Link copied'),
    /** Copies the whole report in a format. */
    copyReport: (format: Format) =>
      void render(format).then(text => (text === null ? undefined : put(text, `Report copied as ${names[format]}`))),
    downloadReport: () =>
      void render('json').then(text => {
        const dump = currentDump(store.state);
        if (text === null || !dump) return;
        download(`${safeName(dump.name)}.json`, 'application/json', text);
      }),
    /** Turns names from mismatched symbols on or off for a module. */
    useAnyway: (module: number, use: boolean) => void useAnyway(store, engine, module, use),
    /** The symbols of a module, as a .sym file. */
    downloadSyms: (module: number) => downloadSyms(store, engine, module),
    /** The same for a symbol file without a dump. */
    downloadSymbolFile: (file: FileInfo) => downloadSymbolFile(store, engine, file),
    /** Shows linkage names, or demangled ones. */
    spellings: () => store.update(otherSpelling),
    /** Opens or closes a fold or a group. */
    toggle: (key: string) => store.update(state => ({opened: toggled(state.opened, key)})),
    /** Opens all groups of other threads, or closes them if all are open. */
    toggleAll: () => store.update(allGroups),
    flip: (what: 'inlined' | 'guesses' | 'system' | 'arguments') =>
      store.change('stack', stack => ({[what]: !stack[what]})),
    /** Marks the frames that the pointer is on, wherever they are shown. */
    point: (pointed: Pointed | null) => store.update({pointed}),
    /** Turns single keys on or off. */
    singleKeys: () => store.change('settings', ({singleKeys}) => ({singleKeys: !singleKeys})),
    sort: (order: Order) => store.change('triage', {order}),
    /** Selects a group of dumps. */
    pick: (selected: string) => store.change('triage', {selected}),
    filter: (filter: string) => store.change('threads', {filter}),
    /** Changes the view of all stacks as one tree. */
    parallel: (change: Partial<Parallel>) =>
      store.change('threads', ({parallel}) => ({parallel: {...parallel, ...change}})),
    find: (find: Find | null) => store.update({find}),
    /** Goes to a module in the list of modules. */
    showModule: (name: string) => {
      const dump = currentDump(store.state);
      if (dump) store.change('lists', ({filters}) => ({filters: withEntry(filters, `${dump.id}.modules`, name)}));
      toSection(store, select, 'modules');
    },
    /** Scrolls to a section of the page and gives it the focus. */
    scrollTo: (id: string) => toSection(store, select, id),
    /** Shows a row of any thread, its group open, and moves the focus there. */
    showThread: (thread: number, row: FrameRow) => showThread(store, select, thread, row),
    /** Resolves when the change is on the page. */
    drawn: (): Promise<void> => store.drawn(),
    /** Filters the list of that name. */
    filterList: (name: string, text: string) =>
      store.change('lists', ({filters}) => ({filters: withEntry(filters, name, text)})),
    /** Shows so many rows of a long list. */
    showMore: (key: string, count: number) =>
      store.change('lists', ({shown}) => ({shown: withEntry(shown, key, count)})),
    group: (grouping: Grouping) => store.change('triage', {grouping}),
    /** Removes the baseline. */
    forgetBaseline: () => store.change('triage', {baseline: null}),
    /** Chooses or unchooses a dump to compare; a third choice replaces the first. */
    choose: (ordinal: number) =>
      store.change('triage', ({chosen}) => ({
        chosen: chosen.includes(ordinal) ? chosen.filter(o => o !== ordinal) : [...chosen, ordinal].slice(-2),
      })),
    unmask: (name: string) => store.change('streams', ({unmasked}) => ({unmasked: toggled(unmasked, name)})),
    theme: () => store.change('settings', ({theme}) => ({theme: nextTheme(theme)})),
    /** Sets the stack's share of the width. */
    split: (split: number) => store.change('page', {split}),
    /** Sets the shell for which commands are written. */
    shell: (shell: Shell) => store.change('symbols', {shell}),
    dismissProblems: () => store.change('messages', {problems: []}),
    /** Clears the cached indexes of symbol files. */
    forget: () =>
      void engine
        .then(e => e.forget())
        .then(
          () => say(store, 'Indexes cleared'),
          () => say(store, 'The browser refused to clear them'),
        ),
    /** Shows the held-back report that symbols changed. */
    showWaiting: () => store.update(showWaiting),
  };
}

export type Actions = ReturnType<typeof createActions>;

function toSection(store: Store, select: Select, id: string): void {
  const dump = currentDump(store.state);
  // The tree of all stacks replaces the report.
  if (dump && store.state.opened.has(stacksKey(dump))) select.stacks(false);
  void store.drawn().then(() => goToSection(id));
}

function showThread(store: Store, select: Select, thread: number, row: FrameRow): void {
  const dump = currentDump(store.state);
  if (!dump) return;
  const group = groupsOf(dump.report, mainThread(dump.report)).find(g => g.threads.includes(thread))?.threads[0];
  store.update(({opened}) => ({
    opened: new Set([
      ...without(opened, [stacksKey(dump)]),
      ...(group === undefined ? [] : [openKey(dump, group, 'group')]),
    ]),
  }));
  select.row(group ?? thread, row, 'push');
  void store.drawn().then(() => focusOn(document.querySelector('tr.frame.selected'), 'center'));
}

const names: Readonly<Record<Format, string>> = {
  text: 'text',
  machine: 'machine text',
  json: 'JSON',
  markdown: 'Markdown',
  html: 'HTML',
};

function allGroups(state: State): Partial<State> {
  const dump = currentDump(state);
  if (!dump) return {};
  const keys = groupsOf(dump.report, mainThread(dump.report)).map(g => openKey(dump, g.threads[0] ?? 0, 'group'));
  const allOpen = keys.every(key => state.opened.has(key));
  return {opened: allOpen ? without(state.opened, keys) : new Set([...state.opened, ...keys])};
}

function without(set: ReadonlySet<string>, keys: readonly string[]): Set<string> {
  const gone = new Set(keys);
  return new Set([...set].filter(key => !gone.has(key)));
}
