import {expect, test} from 'vitest';
import {deadlocked, report, thread} from '../../test/make.ts';
import {behind, lockName, observed, proof, rings} from './hang.ts';

test('a cycle is its threads in the order of who waits for whom, and who is behind it', () => {
  const hung = deadlocked();
  expect(rings(hung).map(ring => ring.map(({thread}) => thread.thread_id))).toEqual([[3, 7]]);
  expect(behind(hung).map(({thread, wait}) => [thread.thread_id, wait.text])).toEqual([
    [9, 'a thread to end: thread 3'],
  ]);
  expect(rings(report({threads: [thread([])]}))).toEqual([]);
});

test('indexes that no thread has are left out', () => {
  const hung = {...deadlocked(), hang: {waiting: 1, threads: 1, cycles: [[7]], behind: [8]}};
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
