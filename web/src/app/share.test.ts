import {afterEach, expect, test, vi} from 'vitest';
import {report} from '../../test/make.ts';
import type {Engine} from '../engine/types.ts';
import {createShare} from './share.ts';
import type {OpenDump} from './state.ts';
import {createStore} from './store.ts';

afterEach(() => vi.unstubAllGlobals());

const dump: OpenDump = {id: 1, name: 'a.dmp', report: report(), revision: 0, waiting: null, early: false};

test('a drawing that fails leaves no dialog that can never be closed', async () => {
  vi.stubGlobal('document', {querySelector: () => null});
  let fails = false;
  const store = createStore(() => {
    if (fails) throw new Error('drawing');
  });
  store.update({dumps: [dump], place: {dump: 0, thread: 0, frame: 0, inline: null, tab: 'registers'}});
  await store.drawn();
  const failures: unknown[] = [];
  const note = (error: unknown): void => void failures.push(error);
  process.on('unhandledRejection', note);
  fails = true;
  const act = createShare(store, new Promise<Engine>(() => undefined));
  act.open();
  await new Promise(resolve => setTimeout(resolve));
  fails = false;
  act.closed();
  await store.drawn();
  expect(store.state.share).toBeNull();
  process.off('unhandledRejection', note);
});
