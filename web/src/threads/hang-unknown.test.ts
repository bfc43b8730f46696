import {expect, test} from 'vitest';
import {deadlocked} from '../../test/make.ts';
import type {Wait} from '../report.ts';
import {unowned, type Waiter} from './hang.ts';
import {unknownDrawing} from './hang-unknown.ts';

const hung = deadlocked();
const [one] = hung.threads ?? [];

const waiter = (index: number, wait: Partial<Wait>): Waiter => {
  if (!one?.waits) throw new Error('no wait');
  return {
    index,
    thread: {...one, thread_id: 20 + index, thread_name: null},
    stuck: false,
    wait: {...one.waits, thread: null, ...wait},
  };
};

test('threads that wait for one lock are a row, and its owner a box that is not known', () => {
  const same = {object: '0x8000', holder: 'not_captured'} as const;
  const drawn = unknownDrawing([waiter(1, same), waiter(2, same), waiter(3, {object: '0x9000', holder: 'gone'})]);
  expect(drawn?.shapes.map(({kind, title, detail}) => `${kind}: ${title}, ${detail}`)).toEqual([
    'behind: 2 threads, 21, 22',
    'free-lock: mutex 0x8000, owner not known',
    'unknown: ? not known, not captured',
    'behind: thread 23, futex_wait',
    'free-lock: mutex 0x9000, owner not known',
    'unknown: ? not known, not in the dump',
  ]);
  expect(drawn?.edges).toEqual([
    [0, 1],
    [1, 2],
    [3, 4],
    [4, 5],
  ]);
});

test('there is none where all owners are known', () => {
  expect(unowned(hung)).toEqual([]);
  expect(unknownDrawing([])).toBeNull();
});

test.each([
  ['not_found', 1],
  ['free', 0],
  ['none', 0],
])('a wait with the holder %s is one of %i', (holder, count) => {
  const {thread, wait} = waiter(3, {holder});
  const report = {...hung, threads: [...(hung.threads ?? []), {...thread, waits: wait}]};
  expect(unowned(report)).toHaveLength(count);
});
