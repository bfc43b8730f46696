// The actions that views may call. Views have no other access to the engine, the store or the
// browser.

import type {Engine, FileInfo, Format} from '../engine/types.ts';
import type {Find} from '../find/find.ts';
import {nextTheme} from '../page/state.ts';
import type {PrivacyActions} from '../privacy/actions.ts';
import {stackText} from '../share/copy.ts';
import {safeName} from '../share/share.ts';
import type {FrameRow} from '../stack/frames.ts';
import type {Shell} from '../symbols/get.ts';
import {toggled, withEntry} from '../text/maps.ts';
import {counted, messageOf} from '../text/text.ts';
import type {Parallel} from '../threads/state.ts';
import type {Grouping, Order} from '../triage/triage.ts';
import {goToSection} from '../widgets/region.view.ts';
import {type Bytes, createBytes} from './bytes.ts';
import {copy, download} from './clipboard.ts';
import {closed, reopened} from './close.ts';
import {otherSpelling, showWaiting} from './merge.ts';
import type {Open} from './open.ts';
import {groupsOf, rowCounts} from './rows.ts';
import type {Select} from './select.ts';
import {selected} from './selected.ts';
import type {Sessions} from './sessions.ts';
import {createShare, type ShareActions} from './share.ts';
import type {SourceActions} from './sources.ts';
import {currentDump, mainThread, openKey, type State, stacksKey} from './state.ts';
import {addProblems, type Store, say} from './store.ts';
import {createStreams, type Streams} from './streams.ts';
import {downloadSymbolFile, downloadSyms, useAnyway} from './syms.ts';
import {createVariables, type VariableActions} from './variables.ts';

export interface Actions {
  readonly open: Open;
  readonly select: Select;
  readonly bytes: Bytes;
  readonly sources: SourceActions;
  readonly privacy: PrivacyActions;
  readonly share: ShareActions;
  readonly streams: Streams;
  readonly variables: VariableActions;
  readonly sessions: Sessions;
  /** Copies text and confirms it: "Path copied". */
  copy(text: string, said: string): void;
  /** Offers text as a file. */
  save(name: string, type: string, text: string): void;
  copyStack(): void;
  /** Closes the dumps at these places, or all dumps. */
  close(ordinals?: readonly number[]): void;
  /** Opens the last closed dumps again. */
  reopen(): void;
  /** A link to the place that is shown; it contains no data of the dump. */
  copyLink(): void;
  /** Copies the whole report in a format. */
  copyReport(format: Format): void;
  downloadReport(): void;
  /** The symbols of a module, as a .sym file. */
  downloadSyms(module: number): void;
  /** The same for a symbol file without a dump. */
  downloadSymbolFile(given: FileInfo): void;
  /** Turns names from mismatched symbols on or off for a module. */
  useAnyway(module: number, use: boolean): void;
  /** Shows linkage names, or demangled ones. */
  spellings(): void;
  /** Opens or closes a fold or a group. */
  toggle(key: string): void;
  /** Opens all groups of other threads, or closes them if all are open. */
  toggleAll(): void;
  flip(what: 'inlined' | 'guesses' | 'system' | 'arguments'): void;
  /** Turns single keys on or off. */
  singleKeys(): void;
  filter(text: string): void;
  /** Changes the view of all stacks as one tree. */
  parallel(change: Partial<Parallel>): void;
  find(change: Find | null): void;
  /** Goes to a module in the list of modules. */
  showModule(name: string): void;
  /** Scrolls to a section of the page and gives it the focus. */
  scrollTo(id: string): void;
  /** Shows a row of any thread, its group open, and moves the focus there. */
  showThread(thread: number, row: FrameRow): void;
  /** Resolves when the change is on the page. */
  drawn(): Promise<void>;
  /** Filters the list of that name. */
  filterList(name: string, text: string): void;
  /** Shows so many rows of a long list. */
  showMore(key: string, count: number): void;
  sort(order: Order): void;
  /** Selects a group of dumps. */
  pick(group: string): void;
  group(grouping: Grouping): void;
  /** Removes the baseline. */
  forgetBaseline(): void;
  /** Chooses or unchooses a dump to compare; a third choice replaces the first. */
  choose(ordinal: number): void;
  unmask(name: string): void;
  theme(): void;
  /** Sets the stack's share of the width. */
  split(share: number): void;
  /** Sets the shell for which commands are written. */
  shell(shell: Shell): void;
  dismissProblems(): void;
  /** Clears the cached indexes of symbol files. */
  forget(): void;
  /** Shows the held-back report that symbols changed. */
  showWaiting(): void;
}

export function createActions(
  store: Store,
  engine: Promise<Engine>,
  open: Open,
  select: Select,
  sources: SourceActions,
  privacy: PrivacyActions,
  sessions: Sessions,
): Actions {
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
    copy: (text, said) => void put(text, said),
    save: download,
    close: ordinals => {
      store.update(state => closed(state, ordinals ?? state.dumps.map((_, at) => at)));
      select.moved();
    },
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
    copyLink: () => void put(location.href, 'Link copied'),
    copyReport: format =>
      void render(format).then(text => (text === null ? undefined : put(text, `Report copied as ${names[format]}`))),
    downloadReport: () =>
      void render('json').then(text => {
        const dump = currentDump(store.state);
        if (text === null || !dump) return;
        download(`${safeName(dump.name)}.json`, 'application/json', text);
      }),
    useAnyway: (module, use) => void useAnyway(store, engine, module, use),
    downloadSyms: module => downloadSyms(store, engine, module),
    downloadSymbolFile: given => downloadSymbolFile(store, engine, given),
    spellings: () => store.update(otherSpelling),
    toggle: key => store.update(state => ({opened: toggled(state.opened, key)})),
    toggleAll: () => store.update(allGroups),
    flip: what => store.change('stack', stack => ({[what]: !stack[what]})),
    singleKeys: () => store.change('settings', ({singleKeys}) => ({singleKeys: !singleKeys})),
    sort: order => store.change('triage', {order}),
    pick: selected => store.change('triage', {selected}),
    filter: filter => store.change('threads', {filter}),
    parallel: change => store.change('threads', ({parallel}) => ({parallel: {...parallel, ...change}})),
    find: find => store.update({find}),
    showModule: name => {
      const dump = currentDump(store.state);
      if (dump) store.change('lists', ({filters}) => ({filters: withEntry(filters, `${dump.id}.modules`, name)}));
      toSection(store, select, 'modules');
    },
    scrollTo: id => toSection(store, select, id),
    showThread: (thread, row) => showThread(store, select, thread, row),
    drawn: () => store.drawn(),
    filterList: (name, text) => store.change('lists', ({filters}) => ({filters: withEntry(filters, name, text)})),
    showMore: (key, count) => store.change('lists', ({shown}) => ({shown: withEntry(shown, key, count)})),
    group: grouping => store.change('triage', {grouping}),
    forgetBaseline: () => store.change('triage', {baseline: null}),
    choose: ordinal =>
      store.change('triage', ({chosen}) => ({
        chosen: chosen.includes(ordinal) ? chosen.filter(o => o !== ordinal) : [...chosen, ordinal].slice(-2),
      })),
    unmask: name => store.change('streams', ({unmasked}) => ({unmasked: toggled(unmasked, name)})),
    theme: () => store.change('settings', ({theme}) => ({theme: nextTheme(theme)})),
    split: split => store.change('page', {split}),
    shell: shell => store.change('symbols', {shell}),
    dismissProblems: () => store.change('messages', {problems: []}),
    forget: () =>
      void engine
        .then(e => e.forget())
        .then(
          () => say(store, 'Indexes cleared'),
          () => say(store, 'The browser refused to clear them'),
        ),
    showWaiting: () => store.update(showWaiting),
  };
}

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
  void store.drawn().then(() => {
    const selected = document.querySelector<HTMLElement>('tr.frame.selected');
    selected?.focus({preventScroll: true});
    selected?.scrollIntoView({block: 'center'});
  });
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
