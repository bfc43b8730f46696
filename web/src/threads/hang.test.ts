import {describe, expect, test} from 'vitest';
import {deadlocked, report, thread} from '../../test/make.ts';
import {behind, hangOf, lockName, observed, proof, rings} from './hang.ts';

test('a cycle is its threads in the order of who waits for whom, and who is behind it', () => {
  const hung = deadlocked();
  expect(rings(hung).map(ring => ring.map(({thread}) => thread.thread_id))).toEqual([[3, 7]]);
  expect(behind(hung).map(({thread, wait}) => [thread.thread_id, wait.text])).toEqual([
    [9, 'a thread to end: thread 3'],
  ]);
  expect(rings(report({threads: [thread([])]}))).toEqual([]);
});

test('indexes that no thread has are left out', () => {
  const hung = {...deadlocked(), hang: {waiting: 1, threads: 1, cycles: [[7]], behind: [8], functions: []}};
  expect([rings(hung), behind(hung)]).toEqual([[], []]);
});

test('a lock is named by its kind and place', () => {
  const [first] = deadlocked().threads ?? [];
  expect(first?.waits && lockName(first.waits)).toBe('mutex 0x5000');
});

test('evidence says what was read and what that is', () => {
  const wait = deadlocked().threads?.[0]?.waits;
  if (!wait) throw new Error('no wait');
  expect((wait.evidence ?? []).map(observed)).toEqual([
    {read: 'rdi = 0x5000', means: 'address of the word that the thread waits at'},
    {read: 'pthread_mutex_lock', means: 'frame 1 is in this function'},
    {read: '[0x5008] = 0x7', means: 'ID of the thread that holds it'},
  ]);
  expect(proof(wait)?.meaning).toBe('owner');
});

describe('the section of a hang', () => {
  // The same three threads, whose locks do not record an owner: no cycle can be proved.
  const hung = deadlocked();
  const threads = (hung.threads ?? []).map(one => ({
    ...one,
    waits: one.waits && {...one.waits, holder: 'not_recorded', thread: null},
  }));
  const ownerless = {...hung, threads, hang: {waiting: 3, threads: 3, cycles: [], behind: [], functions: []}};

  test('has the cycles, and the threads behind them', () => {
    const shown = hangOf(hung);
    expect([shown?.title, shown?.words]).toEqual(['Threads that wait for each other', '1 more thread behind it']);
  });

  test('without a cycle it lists the locks whose owner is unknown', () => {
    expect(hangOf(ownerless)).toMatchObject({
      cycles: [],
      waiting: [],
      unknown: [{index: 0}, {index: 1}, {index: 2}],
      title: 'Threads that wait for a lock',
      words: '3 threads; the dump does not show which thread can end the wait',
    });
  });

  // The lock names its owner, so the dump does say it: only the thread is missing.
  test('its words hold for one thread, and for an owner that is not in the dump', () => {
    const [first] = threads;
    const gone = {
      ...ownerless,
      threads: [{...first, waits: first?.waits && {...first.waits, holder: 'gone'}}],
    } as typeof hung;
    expect(hangOf(gone)?.words).toBe('1 thread; the dump does not show which thread can end the wait');
  });

  test('there is none in a crash, nor where all threads wait for work', () => {
    expect(hangOf({...ownerless, verdict: {...hung.verdict, crashed: true}})).toBeNull();
    expect(hangOf({...ownerless, threads: []})).toBeNull();
  });
});
