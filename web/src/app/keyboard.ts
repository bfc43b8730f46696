// Maps keys to actions. page/keys.ts has the list of keys; this file moves the focus.

import {openFind} from '../find/find.view.ts';
import {moreKey} from '../frame/source.ts';
import {type Tab, tabs} from '../frame/state.ts';
import {openHelp} from '../page/help.view.ts';
import {type Action, actionOf, type Focus} from '../page/keys.ts';
import {chooseFiles} from '../widgets/files.view.ts';
import {focusOn} from '../widgets/focus.ts';
import {togglePopover} from '../widgets/popover.view.ts';
import type {Actions} from './actions.ts';
import {codeKey} from './selected.ts';
import {currentDump} from './state.ts';
import type {Store} from './store.ts';

/** Listens to the keys of the whole page. */
export function listenToKeys(store: Store, act: Actions): void {
  document.addEventListener('keydown', event => {
    if (event.defaultPrevented) return;
    const action = actionOf(event, focusOf(event.target), store.state.settings.singleKeys);
    if (!action || !run(action, store, act)) return;
    event.preventDefault();
  });
}

function focusOf(target: EventTarget | null): Focus {
  if (!(target instanceof Element)) return 'page';
  if (target.closest('textarea, select, input:not([type=file], [type=checkbox]), [contenteditable]')) return 'field';
  if (target.closest('tr.frame, .triage-table .signature, .dumps a')) return 'rows';
  return target.closest('button, a, input, summary, [role=tab], dialog, [popover]') ? 'control' : 'page';
}

// Runs an action; for false the browser handles the key.
function run(action: Action, store: Store, act: Actions): boolean {
  if (action === 'open') chooseFiles();
  else if (action === 'help') openHelp();
  else if (action === 'back') return back();
  else if (action === 'all') return all(store, act);
  else return inView(action, store, act);
  return true;
}

function inView(action: Action, store: Store, act: Actions): boolean {
  const {place, view} = store.state;
  if (!place) return false;
  const go = anywhere[action] ?? (view === 'all' ? inTable : view === 'one' ? inReport : {})[action];
  go?.(store, act);
  return go !== undefined;
}

type Keys = Partial<Record<Action, (store: Store, act: Actions) => void>>;

/** Actions of every view. */
const anywhere: Keys = {
  copyLink: (_, act) => act.copyLink(),
  share: () => togglePopover(document.getElementById('share-button') ? 'share' : 'more'),
};

// A row has the focus through its button. The row that has it is the selected one.
const stepGroups = (by: 1 | -1) => (): void => {
  const rows = [...document.querySelectorAll<HTMLElement>('.triage-table tr[data-latest]')];
  const at = rows.findIndex(row => row.contains(document.activeElement));
  const next = rows[Math.min(rows.length - 1, Math.max(0, at + by))];
  focusOn(next?.querySelector('.signature'));
  next?.click();
};

/** The dump of the focused link, or the latest dump of the focused row. */
const focusedDump = (): number | null => {
  const at = document.activeElement;
  const link = at?.closest('.dumps li')?.querySelector('a');
  const row = at?.closest<HTMLElement>('tr[data-latest]');
  return link ? Number(link.hash.slice('#d='.length)) - 1 : row ? Number(row.dataset['latest']) : null;
};

const withDump =
  (go: (act: Actions, ordinal: number) => void) =>
  (_: Store, act: Actions): void => {
    const ordinal = focusedDump();
    if (ordinal !== null) go(act, ordinal);
  };

const inTable: Keys = {
  next: stepGroups(1),
  previous: stepGroups(-1),
  mark: withDump((act, ordinal) => act.choose(ordinal)),
  inspect: withDump((act, ordinal) => act.select.dump(ordinal, 'push')),
};

// A single dump needs no table.
function all(store: Store, act: Actions): boolean {
  if (store.state.dumps.length < 2) return false;
  act.select.all();
  return true;
}

const showTab =
  (number: number) =>
  (_: Store, act: Actions): void => {
    const tab: Tab | undefined = tabs[number - 1]?.tab;
    if (tab) act.select.tab(tab);
  };

const step =
  (by: 1 | -1) =>
  (store: Store, act: Actions): void => {
    act.select.move(by);
    void store.drawn().then(focusRow);
  };

const stepThread =
  (by: 1 | -1) =>
  (store: Store, act: Actions): void => {
    act.select.moveThread(by);
    void store.drawn().then(focusRow);
  };

const inReport: Keys = {
  next: step(1),
  previous: step(-1),
  nextThread: stepThread(1),
  previousThread: stepThread(-1),
  inspect: () => focusOn(document.getElementById('inspector')),
  tab1: showTab(1),
  tab2: showTab(2),
  tab3: showTab(3),
  tab4: showTab(4),
  code: ({state}, act) => {
    const dump = currentDump(state);
    if (dump) act.toggle(codeKey(dump));
  },
  lines: (_, act) => act.toggle(moreKey),
  arguments: (_, act) => act.flip('arguments'),
  inlined: (_, act) => act.flip('inlined'),
  guesses: (_, act) => act.flip('guesses'),
  system: (_, act) => act.flip('system'),
  expand: (_, act) => act.toggleAll(),
  find: (_, act) => openFind(act),
  goto: () => focusOn(document.getElementById('goto')),
  copyStack: (_, act) => act.copyStack(),
  names: (_, act) => act.spellings(),
};

/** Brings the selected row into view and gives it the focus. */
function focusRow(): void {
  focusOn(document.querySelector('tr.frame.selected'));
}

// Esc leaves the inspector for the row it is about. Popovers and dialogs handle Esc before this.
function back(): boolean {
  if (document.querySelector('dialog[open], :popover-open')) return false;
  if (!document.activeElement?.closest('#inspector, #filter, .hex-view, .overlay')) return false;
  focusRow();
  return true;
}
