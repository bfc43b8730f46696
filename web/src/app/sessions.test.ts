import {expect, test} from 'vitest';
import {frame, report, thread} from '../../test/make.ts';
import type {InputFile} from '../engine/protocol.ts';
import type {FileResult} from '../engine/types.ts';
import type {Handle} from './handles.ts';
import {createSessions, type Sessions} from './sessions.ts';
import type {Shelf, Shelved} from './shelf.ts';
import type {OpenDump, State} from './state.ts';
import {createStore} from './store.ts';
import type {OtherTabs, Tab} from './tab.ts';

/** A file, or a folder of files, that the browser lets the page read once the user has agreed. */
function handle(name: string, members: readonly Handle[] | null = null, rule = {granted: true, agrees: true}): Handle {
  const made = {
    name,
    kind: members ? 'directory' : 'file',
    getFile: async () => new File([name], name),
    values: async function* () {
      yield* members ?? [];
    },
    isSameEntry: async (other: Handle) => other.name === name,
    queryPermission: async () => (rule.granted ? 'granted' : 'prompt'),
    requestPermission: async () => (rule.agrees ? 'granted' : 'denied'),
  };
  return made as unknown as Handle;
}

const kinds = (path: string): FileResult['kind'] =>
  path.endsWith('.dmp') ? 'dump' : path.endsWith('.sym') ? 'symbols' : 'other';
const results = (...paths: string[]): FileResult[] =>
  paths.map(name => ({name, kind: kinds(name), message: null, left: 0}));

/** One browser: what is on its shelf, and tabs that come and go. */
function browser(): {shelf: Map<string, Shelved>; tab(name?: string): Page} {
  const shelf = new Map<string, Shelved>();
  const alive = new Set<string>();
  const listening = new Set<() => void>();
  let clock = 0;
  let turn = Promise.resolve();
  const keeper: Shelf = {
    alone: work => {
      const next = turn.then(work);
      turn = next.catch(() => undefined);
      return next;
    },
    all: async () => [...shelf.values()],
    put: async shelved => void shelf.set(shelved.id, shelved),
    remove: async id => void shelf.delete(id),
  };
  const others = (): OtherTabs => {
    const own: (() => void)[] = [];
    return {
      forgotten: () => {
        for (const call of listening) if (!own.includes(call)) call();
      },
      whenForgotten: call => {
        own.push(call);
        listening.add(call);
      },
    };
  };
  return {shelf, tab: before => page(keeper, alive, before ?? null, () => ++clock, others)};
}

interface Page {
  state: State;
  readonly sessions: Sessions;
  /** Paths of files that were opened, in order. */
  readonly added: string[];
  show(...dumps: string[]): void;
  close(): void;
}

function page(
  shelf: Shelf,
  alive: Set<string>,
  before: string | null,
  now: () => number,
  others = (): OtherTabs => ({forgotten: () => undefined, whenForgotten: () => undefined}),
): Page {
  let claimed: string | null = null;
  const claim = (name: string): string => {
    alive.add(name);
    claimed = name;
    return name;
  };
  const tab: Tab = {
    name: () => claimed ?? claim(`tab ${now()}`),
    claimed: () => claimed,
    start: async () => {
      if (before !== null && !alive.has(before)) claim(before);
      return {before, others: await tab.others()};
    },
    others: async () => new Set([...alive].filter(name => name !== claimed)),
    now,
  };
  const store = createStore();
  const added: string[] = [];
  const show = (...dumps: string[]): void => store.update({dumps: dumps.map(dump)});
  const add = async (files: readonly InputFile[]): Promise<FileResult[]> => {
    const paths = files.map(({path}) => path);
    added.push(...paths);
    show(...store.state.dumps.map(({name}) => name), ...paths.filter(path => path.endsWith('.dmp')));
    return results(...paths);
  };
  const sessions = createSessions(store, {add}, {add: () => undefined}, shelf, tab, {pick: () => null}, others);
  return {
    get state() {
      return store.state;
    },
    sessions,
    added,
    show,
    close: () => claimed !== null && alive.delete(claimed),
  };
}

const dump = (name: string): OpenDump => ({
  id: 1,
  name,
  report: report({threads: [thread([frame(0, 'f')])]}),
  revision: 0,
  waiting: null,
  early: false,
});

/** A tab that has a dump and symbols open. */
async function opened(of = browser(), rule = {granted: true, agrees: true}): Promise<{of: typeof of; name: string}> {
  const tab = of.tab();
  await tab.sessions.start();
  tab.show('a.dmp');
  await tab.sessions.opened(
    [handle('a.dmp', null, rule), handle('app.sym', null, rule), handle('notes.txt')],
    results('a.dmp', 'app.sym', 'notes.txt'),
  );
  expect([tab.sessions.reopensAll(), tab.state.again.stored]).toEqual([true, 2]);
  tab.close();
  return {of, name: [...of.shelf.keys()][0] ?? ''};
}

test('a reload opens the same files again, without those that were of no use', async () => {
  const {of, name} = await opened();
  const again = of.tab(name);
  await again.sessions.start();
  expect([again.added, again.state.again.offer, [...of.shelf.keys()]]).toEqual([['a.dmp', 'app.sym'], [], [name]]);
});

test('where the browser asks the user to agree, one click is enough', async () => {
  const {of, name} = await opened(browser(), {granted: false, agrees: true});
  const again = of.tab(name);
  await again.sessions.start();
  expect([again.added, again.state.again.offer]).toEqual([[], ['a.dmp', 'app.sym']]);
  await again.sessions.again();
  expect([again.added, again.state.again.offer, again.state.again.stored]).toEqual([['a.dmp', 'app.sym'], [], 2]);
});

test('a file that the user does not agree to is not opened, and a message says so', async () => {
  const {of, name} = await opened(browser(), {granted: false, agrees: false});
  const again = of.tab(name);
  await again.sessions.start();
  await again.sessions.again();
  expect([again.added, again.state.messages.toast]).toEqual([[], 'The browser did not open 2 files']);
});

test('another tab offers the files of a closed one, and never opens them by itself', async () => {
  const {of} = await opened();
  const other = of.tab();
  await other.sessions.start();
  expect([other.added, other.state.again.offer]).toEqual([[], ['a.dmp', 'app.sym']]);
  await other.sessions.again();
  expect([other.added, of.shelf.size]).toEqual([['a.dmp', 'app.sym'], 1]);
});

test('files that another tab has open are not offered', async () => {
  const {of, name} = await opened();
  const first = of.tab(name);
  await first.sessions.start();
  const second = of.tab();
  await second.sessions.start();
  expect(second.state.again.offer).toEqual([]);
  second.show('b.dmp');
  await second.sessions.opened([handle('b.dmp')], results('b.dmp'));
  expect([...of.shelf.values()].map(({handles}) => handles.map(one => one.name))).toEqual([
    ['a.dmp', 'app.sym'],
    ['b.dmp'],
  ]);
});

test('a duplicated tab offers the same files, and leaves those of the first tab alone', async () => {
  const {of, name} = await opened();
  const first = of.tab(name);
  await first.sessions.start();
  const copy = of.tab(name);
  await copy.sessions.start();
  expect([copy.added, copy.state.again.offer]).toEqual([[], ['a.dmp', 'app.sym']]);
  await copy.sessions.again();
  expect(of.shelf.size).toBe(2);
});

test('a dump that was closed is forgotten, and with the last one its symbols', async () => {
  const of = browser();
  const tab = of.tab();
  tab.show('a.dmp', 'b.dmp');
  await tab.sessions.opened(
    ['a.dmp', 'b.dmp', 'app.sym'].map(name => handle(name)),
    results('a.dmp', 'b.dmp', 'app.sym'),
  );
  tab.show('b.dmp');
  await tab.sessions.follow();
  expect([...of.shelf.values()].flatMap(({handles}) => handles.map(({name}) => name))).toEqual(['b.dmp', 'app.sym']);
  tab.show();
  await tab.sessions.follow();
  expect(of.shelf.size).toBe(0);
  tab.show('a.dmp'); // opened again
  await tab.sessions.follow();
  expect([...of.shelf.values()].flatMap(({handles}) => handles.map(({name}) => name))).toEqual(['a.dmp', 'app.sym']);
});

test('a folder that symbols came from is offered to the next dump', async () => {
  const of = browser();
  const first = of.tab();
  first.show('a.dmp');
  const store = handle('store', [handle('app.sym'), handle('lib.sym')]);
  await first.sessions.opened([handle('a.dmp'), store], results('a.dmp', 'store/app.sym', 'store/lib.sym'));
  expect(first.state.again.folders).toEqual([]);
  first.close();
  const next = of.tab();
  await next.sessions.start();
  next.show('b.dmp');
  expect(next.state.again.folders).toEqual(['store']);
  await next.sessions.useFolders();
  expect([next.added, next.state.again.folders]).toEqual([['store/app.sym', 'store/lib.sym'], []]);
});

test('thousands of files take linear time, and none is kept', async () => {
  const tab = browser().tab();
  const names = Array.from({length: 2000}, (_, i) => `${i}.dmp`);
  let compared = 0;
  const count = (one: Handle): Handle => Object.assign(one, {isSameEntry: async () => ++compared < 0});
  tab.show(...names);
  await tab.sessions.opened(
    names.map(name => count(handle(name))),
    results(...names),
  );
  expect([compared, tab.state.again.stored, tab.sessions.reopensAll()]).toEqual([0, 0, false]);
});

test('all sessions are forgotten when the user says so', async () => {
  const {of} = await opened();
  const other = of.tab();
  await other.sessions.start();
  await other.sessions.forget();
  expect([of.shelf.size, other.state.again]).toEqual([0, {offer: [], folders: [], stored: 0}]);
});

test('what was forgotten in one tab is forgotten in the others', async () => {
  const of = browser();
  const [first, second] = [of.tab(), of.tab()];
  for (const tab of [first, second]) {
    tab.show('a.dmp');
    await tab.sessions.opened([handle('a.dmp')], results('a.dmp'));
  }
  expect(of.shelf.size).toBe(2);
  await first.sessions.forget();
  second.show('a.dmp', 'b.dmp');
  await second.sessions.follow();
  expect([of.shelf.size, first.state.again.stored, second.state.again.stored]).toEqual([0, 0, 0]);
});

test('a file that the user did not agree to is offered again later', async () => {
  const {of} = await opened(browser(), {granted: false, agrees: false});
  const other = of.tab();
  await other.sessions.start();
  await other.sessions.again();
  expect([of.shelf.size, other.state.again.offer]).toEqual([1, ['a.dmp', 'app.sym']]);
});

test('only what the browser refused is offered again', async () => {
  const of = browser();
  const tab = of.tab();
  const handles = [handle('a.dmp'), handle('app.sym', null, {granted: false, agrees: false})];
  of.shelf.set('another tab', {id: 'another tab', used: 1, handles});
  await tab.sessions.start();
  await tab.sessions.again();
  expect([tab.added, tab.state.again.offer]).toEqual([['a.dmp'], ['app.sym']]);
});

test('what is forgotten while the browser asks is not offered again', async () => {
  const of = browser();
  const [tab, other] = [of.tab(), of.tab()];
  const asking = Object.assign(handle('a.dmp'), {
    requestPermission: async () => {
      await other.sessions.forget();
      return 'denied' as const;
    },
  });
  of.shelf.set('another tab', {id: 'another tab', used: 1, handles: [asking]});
  await tab.sessions.start();
  await tab.sessions.again();
  expect(tab.state.again).toEqual({offer: [], folders: [], stored: 0});
});

test('folders that two tabs had symbols from are both offered', async () => {
  const of = browser();
  const tabs = [of.tab(), of.tab()];
  for (const tab of tabs) await tab.sessions.start();
  for (const [i, tab] of tabs.entries()) {
    const store = handle(`store${i}`, [handle('app.sym')]);
    await tab.sessions.opened([store], results(`store${i}/app.sym`));
  }
  expect(of.shelf.get('folders')?.handles.map(({name}) => name)).toEqual(['store1', 'store0']);
});

test('two dumps with one name both need a handle', async () => {
  const tab = browser().tab();
  tab.show('a.dmp', 'a.dmp');
  await tab.sessions.opened([handle('a.dmp')], results('a.dmp'));
  expect(tab.sessions.reopensAll()).toBe(false);
});

test('a browser that keeps no handles fails nothing', async () => {
  const broken: Shelf = {
    alone: work => work(),
    all: () => Promise.reject(new Error('refused')),
    put: () => Promise.reject(new Error('refused')),
    remove: () => Promise.reject(new Error('refused')),
  };
  const tab = page(broken, new Set(), null, () => 1);
  await tab.sessions.start();
  tab.show('a.dmp');
  await tab.sessions.opened([handle('a.dmp')], results('a.dmp'));
  expect([tab.sessions.reopensAll(), tab.state.again.stored]).toEqual([false, 0]);
});
