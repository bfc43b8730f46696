// Assembles the page: store, engine, actions, and the browser's events.
import {isWhole} from '../engine/inside.ts';
import type {Engine} from '../engine/types.ts';
import {listenToLaunches} from '../offline/launch.ts';
import {createPrivacyActions, fetchParts} from '../privacy/actions.ts';
import type {Prepared} from '../privacy/prepare.ts';
import {watchLoading, watchRequests} from '../privacy/watch.ts';
import {messageOf} from '../text/text.ts';
import {watchPopovers} from '../widgets/popover.view.ts';
import {createActions} from './actions.ts';
import {requestPages} from './bytes.ts';
import {openCapsule} from './capsule.ts';
import {cleared, forgotten} from './close.ts';
import {createDraw, rehearse} from './draw.ts';
import {listenToDrops} from './drops.ts';
import {type Offer, openEmbedded, refuse} from './embed.ts';
import type {Handle} from './handles.ts';
import {listenToKeys} from './keyboard.ts';
import {createOpen} from './open.ts';
import {applyTheme, storedSettings, storeSettings} from './preferences.ts';
import {requestFrame, requestSymbolFiles} from './request.ts';
import {createSelect} from './select.ts';
import {createSessions} from './sessions.ts';
import {browserShelf} from './shelf.ts';
import {createSources, requestSources} from './sources.ts';
import {sheetKey} from './state.ts';
import {addProblems, createStore, type Store} from './store.ts';
import {requestFilePages} from './streams.ts';
import {thisTab} from './tab.ts';
import {listenToToasts, watchScroll, watchWidth} from './watch.ts';

/** Draws the page into root and keeps it drawn. */
export function mount(
  root: HTMLElement,
  engine: Promise<Engine>,
  prepared: Promise<Prepared>,
  parent: Promise<Offer> | null = null,
): Store {
  let touched = false;
  const store: Store = createStore(
    createDraw(
      root,
      () => act,
      () => store.update({}),
    ),
  );
  const select = createSelect(store, history);
  const sources = createSources(store);
  const open = createOpen(store, engine, select, () => touched);
  const privacy = createPrivacyActions(store, prepared, open);
  const sessions = createSessions(store, open, sources, isWhole() || parent ? null : browserShelf, thisTab());
  const act = createActions(store, engine, open, select, sources, privacy, sessions);
  void Promise.all([engine, prepared]).then(
    ([engine, prepared]) => fetchParts(engine, prepared),
    () => undefined,
  );

  // What follows a change besides drawing: each line names the parts of the state that it depends on.
  store.on(['dumps'], () => void sessions.follow());
  store.on(['dumps', 'closed'], (now, before) => {
    const closed = forgotten(before, now);
    if (closed.length === 0) return;
    store.update(state => cleared(state, closed));
    void engine.then(e => e.close(closed)).catch(() => undefined); // a worker that died has closed them
  });
  store.on(['settings'], ({settings}) => applyTheme(settings.theme));
  store.on(['settings', 'page', 'stack', 'symbols'], storeSettings);
  store.on(['dumps', 'place', 'stack', 'frame', 'variables', 'layout'], () => requestFrame(store, engine));
  store.on(['dumps', 'symbols'], () => requestSymbolFiles(store, engine));
  store.on(['dumps', 'place', 'memory', 'layout'], () => requestPages(store, engine));
  store.on(['dumps', 'place', 'frame'], () => requestSources(store));
  store.on(['dumps', 'place', 'streams', 'layout'], () => requestFilePages(store, engine));
  store.update(storedSettings);

  for (const type of ['pointerdown', 'keydown', 'wheel'] as const) {
    document.addEventListener(type, () => (touched = true), {passive: true, capture: true});
  }
  // The browser shows its own question, and only after the user did something on the page.
  addEventListener('beforeunload', event => {
    if (!parent && open.loses() && store.state.capsule === null && !sessions.reopensAll()) event.preventDefault();
  });
  addEventListener('popstate', () => {
    store.update(({opened}) => ({opened: new Set([...opened].filter(key => key !== sheetKey))}));
    select.follow(location.hash);
  });
  select.follow(location.hash);
  listenToKeys(store, act);
  listenToDrops(store, open, sources, sessions);
  listenToToasts(store);
  watchPopovers();
  watchWidth(store);
  watchLoading(store);
  watchScroll(store);
  void prepared.then(({cached, host}) =>
    store.change('privacy', {notCached: cached.why, update: cached.update !== null, host}),
  );
  engine.then(
    ready => {
      ready.onwarm = opened => rehearse(opened, store, act);
      store.change('reading', {engine: {state: 'done', value: null}});
      watchRequests(store);
      listenToLaunches((files, handles) => {
        void open
          .add(files)
          .then(results => sessions.opened(handles as readonly FileSystemHandle[] as readonly Handle[], results));
      });
      void openCapsule(store, open, sources);
      void openEmbedded(parent, prepared, store, open);
      void sessions.start();
    },
    error => {
      void parent?.then(refuse);
      const message = `The dump reader did not start: ${messageOf(error)}`;
      addProblems(store, [{name: 'Crashglass', kind: 'other', message}]);
    },
  );
  return store;
}
