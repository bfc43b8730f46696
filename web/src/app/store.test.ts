import {expect, test} from 'vitest';
import {createStore} from './store.ts';

test('an effect runs once for all updates of a task, and only when a part that it names has changed', async () => {
  const runs: string[] = [];
  const store = createStore(() => runs.push('drawn'));
  store.on(['threads'], ({threads}, before) => runs.push(`${before.threads.filter}>${threads.filter}`));
  store.change('threads', {filter: 'a'});
  store.change('threads', {filter: 'b'});
  await store.drawn();
  store.change('messages', {toast: 'Copied'});
  await store.drawn();
  expect(runs).toEqual(['drawn', '>b', 'drawn']);
});

test('a change of nothing runs no effect', async () => {
  let runs = 0;
  const store = createStore();
  store.on(['threads'], () => runs++);
  store.change('threads', () => ({}));
  await store.drawn();
  expect(runs).toBe(0);
});

test('what an effect changes is drawn, and seen by the effects before it', async () => {
  const store = createStore();
  let drawn = '';
  store.on(['messages'], ({messages}) => (drawn = messages.toast ?? ''));
  store.on(['threads'], ({threads}) => store.change('messages', {toast: threads.filter}));
  store.change('threads', {filter: 'a'});
  await store.drawn();
  await store.drawn();
  expect(drawn).toBe('a');
});

test('effects run after a drawing that failed', async () => {
  let ran = false;
  const store = createStore(() => {
    throw new Error('drawing');
  });
  store.on(['threads'], () => (ran = true));
  const failed = store.drawn();
  store.change('threads', {filter: 'a'});
  await expect(failed).rejects.toThrow('drawing');
  expect(ran).toBe(true);
});
