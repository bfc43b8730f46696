import {expect, test} from 'vitest';
import type {GivenFile} from '../engine/given.ts';
import type {Engine} from '../engine/types.ts';
import {createOpen} from './open.ts';
import type {Select} from './select.ts';
import {initial, type State} from './state.ts';

/** The page before a dump, and the paths of all that the engine was given. */
function page(): {store: Parameters<typeof createOpen>[0]; given: string[]; open: ReturnType<typeof createOpen>} {
  const store = {
    state: initial,
    update(change: Partial<State> | ((state: State) => Partial<State>)) {
      store.state = {...store.state, ...(typeof change === 'function' ? change(store.state) : change)};
    },
    drawn: () => Promise.resolve(),
    watch: () => undefined,
  };
  const given: string[] = [];
  const add = async (files: readonly GivenFile[]): Promise<object> => {
    given.push(...files.map(({path}) => path));
    return {files: [], opened: [], changed: []};
  };
  const select = {arrive: () => false, stay: () => undefined, all: () => undefined} as unknown as Select;
  return {store, given, open: createOpen(store, Promise.resolve({add} as unknown as Engine), select, () => false)};
}

const file = (path: string, text: string): GivenFile => ({path, file: new File([text], path)});

test('a result of triage becomes the baseline, and the engine does not get it', async () => {
  const {store, given, open} = page();
  await open.add([
    file('old\u0007.json', '{"groups":[{"kind":"crash","signature":"f","count":2}]}'),
    file('a.dmp', ''),
  ]);
  expect([given, store.state.baseline?.crashes.size]).toEqual([['a.dmp'], 1]);
});

test('the name of a baseline is shown as text', async () => {
  const {store, open} = page();
  await open.add([file('old\u0007.json', '{"groups":[{"kind":"crash","signature":"f","count":2}]}')]);
  expect(store.state.toast).not.toContain('\u0007');
});

test('an unreadable file does not stop the others from opening', async () => {
  const {given, open} = page();
  const lost = Object.assign(new File([], 'x.json'), {text: () => Promise.reject(new Error('gone'))});
  await open.add([{path: 'x.json', file: lost}, file('a.dmp', '')]);
  expect(given).toEqual(['x.json', 'a.dmp']);
});
