import {beforeEach, describe, expect, test} from 'vitest';
import {frame, inline, report, thread} from '../../test/make.ts';
import {frameRows} from '../stack/frames.ts';
import {createSelect, type Select} from './select.ts';
import {createStore, type Store} from './store.ts';

const threads = [
  thread([frame(0, {function: 'f', inlines: [inline('in')]}), frame(1, 'g')], {crashed: true}),
  thread([frame(0, 'x'), frame(1, 'y')]),
];
const dump = (id: number) => ({
  id,
  name: `${id}.dmp`,
  report: report({
    threads,
    dump: {...report().dump, hash: `${id}`.repeat(8)},
    crash_info: {...report().crash_info, crashing_thread: 0},
    verdict: {...report().verdict, where: 'f', row: 1, crashed: true},
  }),
  revision: 0,
  early: false,
  waiting: null,
});

let store: Store;
let select: Select;
let log: string[];
let kept: {state: unknown};

beforeEach(() => {
  log = [];
  store = createStore();
  const put = (how: string) => (state: unknown, _: string, url: string) => {
    kept.state = state;
    log.push(`${how} ${url}`);
  };
  const history = {state: null, pushState: put('push'), replaceState: put('replace')};
  kept = history;
  select = createSelect(store, history);
  store.update({dumps: [dump(5), dump(6)]});
  select.dump(0, 'replace');
});

test('a dump is shown from the frame that its verdict names', () => {
  expect(store.state.place).toEqual({dump: 0, thread: 0, frame: 0, inline: null, tab: 'auto'});
  expect(log).toEqual(['replace #d=1&h=55555555&t=0&f=0']);
});

test('the stacks as one tree are a place that Back leaves and a link leads to', () => {
  select.stacks(true);
  select.stacks(false);
  expect(log.slice(1)).toEqual(['push #d=1&h=55555555&t=0&f=0&w=stacks', 'push #d=1&h=55555555&t=0&f=0']);
  select.follow('#d=1&h=55555555&t=0&f=0&w=stacks');
  expect([...store.state.opened]).toEqual(['5.0.parallel']);
  select.follow('#d=1&h=55555555&t=0&f=0');
  expect([...store.state.opened]).toEqual([]);
});

describe('move', () => {
  test('goes through inlined calls and stops at the ends', () => {
    select.move(-1);
    expect(store.state.place).toMatchObject({frame: 0, inline: 0});
    select.move(-1);
    expect(store.state.place).toMatchObject({frame: 0, inline: 0});
    for (let i = 0; i < 5; i++) select.move(1);
    expect(store.state.place).toMatchObject({frame: 1, inline: null});
    expect(log.every(entry => entry.startsWith('replace'))).toBe(true);
  });

  test('starts at the top when the selected row is hidden', () => {
    select.move(-1);
    store.change('stack', {inlined: false});
    select.move(1);
    expect(store.state.place).toMatchObject({frame: 0, inline: null});
  });
});

test('moveThread opens the group it goes to, and stays at the ends', () => {
  select.moveThread(1);
  expect(store.state.place).toMatchObject({thread: 1, frame: 0});
  expect([...store.state.opened]).toEqual(['5.1.group']);
  select.moveThread(1);
  expect(store.state.place).toMatchObject({thread: 1});
  select.moveThread(-1);
  expect(store.state.place).toMatchObject({thread: 0});
});

test('Back undoes a click on a frame, but not the choice of a panel', () => {
  const row = frameRows(threads[1] ?? thread([]), false)[1];
  if (row) select.row(1, row, 'push');
  select.tab('why');
  expect(log.slice(1)).toEqual(['push #d=1&h=55555555&t=1&f=1', 'replace #d=1&h=55555555&t=1&f=1&v=why']);
});

describe('follow', () => {
  test('goes where the fragment says', () => {
    expect(select.follow('#d=2&t=1&f=1&v=stack')).toBe(true);
    expect(store.state.place).toEqual({dump: 1, thread: 1, frame: 1, inline: null, tab: 'stack'});
  });

  test.each(['#d=3&t=0&f=0', '#d=1&t=2&f=0', '#d=1&t=0&f=9', '#d=1&t=0&f=0&i=1', '#crash'])(
    'stays for %s',
    fragment => {
      const before = store.state.place;
      expect(select.follow(fragment)).toBe(false);
      expect(store.state.place).toBe(before);
    },
  );
});

describe('a link with a hash', () => {
  test('finds its dump wherever it is among the open ones', () => {
    expect(select.follow('#d=1&h=66666666&t=1&f=1')).toBe(true);
    expect(store.state.place).toMatchObject({dump: 1, thread: 1, frame: 1});
    expect(store.state.link).toBeNull();
  });

  test('to a dump that is not open changes nothing, and waits', () => {
    const before = store.state.place;
    expect(select.follow('#d=1&h=77777777&t=1&f=1&v=why')).toBe(false);
    expect(store.state.place).toBe(before);
    expect(store.state.link?.hash).toBe('77777777');
    expect(select.arrive(false)).toBe(false);
    store.update({dumps: [...store.state.dumps, dump(7)]});
    expect(select.arrive(false)).toBe(true);
    expect(store.state.place).toEqual({dump: 2, thread: 1, frame: 1, inline: null, tab: 'why'});
    expect(store.state.link).toBeNull();
    expect(log.at(-1)).toBe('replace #d=3&h=77777777&t=1&f=1&v=why');
  });

  test('names the dump that this tab showed there', () => {
    select.dump(0, 'push');
    expect(kept.state).toEqual({name: '5.dmp'});
    store.update({dumps: []});
    select.follow('#d=1&h=55555555&t=1&f=1');
    expect(store.state.link?.name).toBe('5.dmp');
    kept.state = null;
    select.follow('#d=1&h=55555555&t=1&f=1');
    expect(store.state.link).toMatchObject({name: null, hash: '55555555'});
  });

  test('that is forgotten waits no longer', () => {
    select.follow('#d=1&h=77777777&t=1&f=1');
    select.forget();
    expect(select.arrive(false)).toBe(false);
  });

  test('to a thread that is not walked yet waits for it, and no longer than until the dump is whole', () => {
    select.follow('#d=1&h=77777777&t=1&f=1');
    const early = dump(7);
    const report = {...early.report, threads: threads.map((t, i) => (i === 0 ? t : {...t, frames: []}))};
    store.update({dumps: [{...early, report}]});
    expect(select.arrive(false)).toBe(false);
    expect(store.state.link).not.toBeNull();
    expect(select.arrive(true)).toBe(false);
    expect(store.state.link).toBeNull();
  });

  test('to a place that its dump does not have is not waited for', () => {
    expect(select.follow('#d=1&h=55555555&t=9&f=9')).toBe(false);
    expect(store.state.link).toBeNull();
  });
});

describe('a pair', () => {
  test('is shown, written and followed by its hashes', () => {
    select.pair(0, 1, 'push');
    expect(store.state).toMatchObject({view: 'pair', triage: {pair: [0, 1]}});
    expect(log.at(-1)).toBe('push #a=1&ah=55555555&b=2&bh=66666666');
    select.dump(0, 'push');
    expect(select.follow('#a=9&ah=66666666&b=9&bh=55555555')).toBe(true);
    expect(store.state).toMatchObject({view: 'pair', triage: {pair: [1, 0]}});
  });

  test('of which one is not open is not followed', () => {
    expect(select.follow('#a=1&ah=55555555&b=2&bh=77777777')).toBe(false);
    expect(store.state.view).toBe('one');
  });
});
