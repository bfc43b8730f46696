import {describe, expect, test} from 'vitest';
import {deadlocked, frame} from '../../test/make.ts';
import {behind, rings, type Waiter} from './hang.ts';
import {cards, drawn, groups, pillName, takesLocks} from './hang-cards.ts';

const hung = deadlocked();
const [ring = []] = rings(hung);
const [first, second] = ring as [Waiter, Waiter];

const source = [
  'int take(Pool *pool) {',
  '  pthread_mutex_lock(&pool->mutex_);',
  '}',
  'void *accept(Desk *desk) {',
  '  pthread_mutex_lock(&desk->registry.mutex_);',
  '  take(&desk->pool);',
  '}',
];

/** The cycle with its frames at lines of a source: the first thread holds what the second one waits for. */
function sourced(name: string): Waiter[] {
  const frames = [
    frame(0, {function: 'take(Pool*)', file: 'desk.cpp', line: 2}),
    frame(1, {function: 'accept(Desk*)', file: 'desk.cpp', line: 6}),
  ];
  return [
    {...first, thread: {...first.thread, frames}},
    {...second, wait: {...second.wait, name}},
  ];
}

const took = (lines: readonly string[], name = 'registry->mutex_'): string | null =>
  cards(sourced(name), file => (file === 'desk.cpp' ? lines : null))[0]?.took?.text ?? null;

describe('a card', () => {
  test('has the line that waits, and what the thread holds: what the one before it waits for', () => {
    const [card] = cards(sourced('registry->mutex_'), () => source);
    expect([card?.waits?.number, card?.waits?.text, card?.held.thread.thread_id]).toEqual([
      2,
      'pthread_mutex_lock(&pool->mutex_);',
      7,
    ]);
  });

  test('guesses the line that took the lock from the source', () => {
    expect(took(source)).toBe('pthread_mutex_lock(&desk->registry.mutex_);');
  });

  test.each([
    ['the function releases it again', source.toSpliced(5, 1, '  unlock(&desk->registry.mutex_);', source[5] ?? '')],
    ['two lines may have taken it', source.toSpliced(5, 1, '  lock(&desk->pool.mutex_);', source[5] ?? '')],
    ['the source is another one', source.toSpliced(3, 1, 'void *other(Desk *desk) {')],
    ['the source is not known', []],
  ])('has none where %s', (why, lines) => {
    const moved = lines.length > source.length;
    const all = sourced('registry->mutex_').map(one => ({
      ...one,
      thread: {
        ...one.thread,
        frames: (one.thread.frames ?? []).map(f => ({...f, line: moved && f.line === 6 ? 7 : f.line})),
      },
    }));
    expect([why, cards(all, () => lines)[0]?.took ?? null]).toEqual([why, null]);
  });

  test('of a lock without a name has none', () => {
    expect(took(source, '')).toBeNull();
  });
});

test('threads outside of the cycle are one line for each lock', () => {
  const waiters = [11, 12, 13].map((index): Waiter => ({...first, index, stuck: false}));
  const [group, join] = groups([...waiters, ...behind(hung)]);
  expect([group?.count, group && pillName(group.first), join && pillName(join.first)]).toEqual([
    3,
    'mutex 0x5000',
    'end of thread 3',
  ]);
});

test('an order is only for locks that threads hold', () => {
  const joined: Waiter = {...second, wait: {...second.wait, holder: 'joined'}};
  expect([takesLocks(ring), takesLocks([first]), takesLocks([first, joined])]).toEqual([true, false, false]);
});

test('of hundreds of cycles the first have cards, and none that is long', () => {
  const long = Array.from({length: 9}, () => first);
  expect(drawn([long, ...Array.from({length: 500}, () => ring)])).toEqual(Array.from({length: 8}, () => ring));
});
