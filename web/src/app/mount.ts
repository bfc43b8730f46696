// Assembles the page: store, engine, actions, and the browser's events.
import {render} from 'lit-html';
import {asShare} from '../crash/split.ts';
import {isWhole} from '../engine/inside.ts';
import type {Engine} from '../engine/types.ts';
import {listenToLaunches} from '../offline/launch.ts';
import {app} from '../page/app.view.ts';
import {asTheme} from '../page/theme.ts';
import {bringParts, createPrivacyActions} from '../privacy/actions.ts';
import type {Prepared} from '../privacy/prepare.ts';
import {watchLoading, watchRequests} from '../privacy/watch.ts';
import {awaitsSymbols} from '../report.ts';
import {asShell} from '../symbols/get.ts';
import {watchPopovers} from '../widgets/popover.view.ts';
import {type Actions, createActions} from './actions.ts';
import {askFor, askGiven} from './ask.ts';
import {askBytes} from './bytes.ts';
import {openCapsule} from './capsule.ts';
import {listenToDrops} from './drops.ts';
import type {Handle} from './handles.ts';
import {listenToKeys} from './keyboard.ts';
import {createOpen} from './open.ts';
import {keep, kept} from './preferences.ts';
import {rehearse} from './rehearse.ts';
import {createSelect} from './select.ts';
import {createSessions} from './sessions.ts';
import {browserShelf} from './shelf.ts';
import {askSources, createSources} from './sources.ts';
import {currentDump, initial, type State} from './state.ts';
import {createStore, type Store} from './store.ts';
import {askFile} from './streams.ts';
import {thisTab} from './tab.ts';
import {createPace, createRounds} from './turns.ts';
import {listenToToasts, watchScroll, watchWidth} from './watch.ts';

/** Draws the page into root and keeps it drawn. */
export function mount(root: HTMLElement, engine: Promise<Engine>, prepared: Promise<Prepared>): Store {
  let touched = false;
  let previous: State = initial;
  let turns = 0;
  const rounds = createRounds();
  const act: {current: Actions | null} = {current: null};
  const store = createStore(state => {
    if (!act.current) return;
    // Reading a row's position costs a layout, so it is read only if the row may move.
    const row = state.dumps === previous.dumps ? null : selectedTop();
    rounds.begin(turns);
    turns = 0;
    render(app(state, act.current, rounds), root);
    goOn();
    if (state.dumps !== previous.dumps) void act.current.sessions.follow();
    after(previous, state, row);
    previous = state;
    askFor(store, engine);
    askGiven(store, engine);
    askBytes(store, engine);
    askSources(store);
    askFile(store, engine);
  });
  const nextRound = createPace(() => {
    turns = 1;
    store.update({});
  });
  const goOn = (): void => {
    document.getElementById('main')?.setAttribute('aria-busy', String(rounds.waiting));
    // Drawing takes time from the workers that read symbols, and most parts would be drawn twice.
    if (rounds.waiting) nextRound(awaitsSymbols(currentDump(store.state)?.report) ? 'later' : 'soon');
  };
  const select = createSelect(store, history);
  const sources = createSources(store);
  const open = createOpen(store, engine, select, () => touched);
  const privacy = createPrivacyActions(store, prepared, open);
  void Promise.all([engine, prepared]).then(
    ([engine, prepared]) => bringParts(engine, prepared),
    () => undefined,
  );
  const sessions = createSessions(store, open, sources, isWhole() ? null : browserShelf, thisTab());
  act.current = createActions(store, engine, open, select, sources, privacy, sessions);
  store.update({
    theme: asTheme(kept('theme')),
    singleKeys: kept('single-keys') !== 'off',
    arguments: kept('arguments') !== 'off',
    system: kept('system-frames') === 'on',
    split: asShare(kept('split')),
    shell: asShell(kept('shell'), navigator.platform),
  });

  for (const type of ['pointerdown', 'keydown', 'wheel'] as const) {
    document.addEventListener(type, () => (touched = true), {passive: true, capture: true});
  }
  // The browser asks in its own words, and only after the user did something on the page.
  addEventListener('beforeunload', event => {
    if (open.loses() && store.state.capsule === null && !sessions.keepsAll()) event.preventDefault();
  });
  addEventListener('popstate', () => select.follow(location.hash));
  select.follow(location.hash);
  listenToKeys(store, act.current);
  listenToDrops(store, open, sources, sessions);
  listenToToasts(store);
  watchPopovers();
  watchWidth(store);
  watchLoading(store);
  watchScroll(store);
  void prepared.then(({kept, host}) =>
    store.update(({privacy}) => ({privacy: {...privacy, notKept: kept.why, update: kept.update !== null, host}})),
  );
  engine.then(
    ready => {
      ready.onwarm = opened => act.current && rehearse(opened, store, act.current);
      store.update({engine: {state: 'done', value: null}});
      watchRequests(store);
      listenToLaunches((files, handles) => {
        void open
          .add(files)
          .then(results => sessions.opened(handles as readonly FileSystemHandle[] as readonly Handle[], results));
      });
      void openCapsule(store, open, sources);
      void sessions.start();
    },
    error => {
      const message = error instanceof Error ? error.message : String(error);
      store.update({
        problems: [{name: 'Crashglass', kind: 'other', message: `The dump reader did not start: ${message}`}],
      });
    },
  );
  return store;
}

// Effects of a state change besides drawing.
function after(before: State, now: State, row: {id: string; top: number} | null): void {
  if (before.theme !== now.theme) {
    if (now.theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = now.theme;
    keep('theme', now.theme);
  }
  if (before.system !== now.system) keep('system-frames', now.system ? 'on' : 'off');
  if (before.split !== now.split) keep('split', String(now.split));
  if (before.shell !== now.shell) keep('shell', now.shell);
  if (before.arguments !== now.arguments) keep('arguments', now.arguments ? 'on' : 'off');
  if (before.singleKeys !== now.singleKeys) keep('single-keys', now.singleKeys ? 'on' : 'off');
  if (before.place?.dump !== now.place?.dump || before.view !== now.view) {
    inFrame(arrive);
  } else if (row) inFrame(() => keepInPlace(row));
}

// Focus and scrolling need a layout, which the frame computes anyway.
function inFrame(call: () => void): void {
  if (document.hidden) call();
  else requestAnimationFrame(call);
}

// If the user has moved on by keys meanwhile, the focus stays there.
function arrive(): void {
  const at = document.activeElement;
  scrollTo({top: 0});
  if (!at?.closest('main')) document.getElementById('title')?.focus({preventScroll: true});
}

// Rows that symbols add must not move the rows that the user is reading.
function keepInPlace(row: {id: string; top: number}): void {
  const now = document.getElementById(row.id)?.getBoundingClientRect().top;
  if (now !== undefined && scrollY > 0) scrollBy({top: now - row.top, behavior: 'instant'});
}

function selectedTop(): {id: string; top: number} | null {
  const row = document.querySelector('tr.frame.selected');
  return row && {id: row.id, top: row.getBoundingClientRect().top};
}
