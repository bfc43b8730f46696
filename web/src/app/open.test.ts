import {expect, test} from 'vitest';
import {report as emptyReport} from '../../test/make.ts';
import type {InputFile} from '../engine/protocol.ts';
import type {Engine, Opened} from '../engine/types.ts';
import type {Report} from '../report.ts';
import {createOpen} from './open.ts';
import type {Select} from './select.ts';
import {createStore} from './store.ts';

/** The page before a dump, and the paths of all that the engine was given. */
function page(): {
  store: Parameters<typeof createOpen>[0];
  inputs: string[];
  open: ReturnType<typeof createOpen>;
  opens: Opened[];
  closed: number[];
} {
  const store = createStore();
  const inputs: string[] = [];
  const add = async (files: readonly InputFile[]): Promise<object> => {
    inputs.push(...files.map(({path}) => path));
    return {files: [], opened: [...opens], updated: []};
  };
  const opens: Opened[] = []; // the dumps that the engine finds
  const closed: number[] = [];
  const close = async (dumps: readonly number[]): Promise<void> => void closed.push(...dumps);
  const nothing = (): void => undefined;
  const select = {arrive: () => false, stay: nothing, all: nothing, dump: nothing} as unknown as Select;
  const engine = Promise.resolve({add, close} as unknown as Engine);
  return {store, inputs, open: createOpen(store, engine, select, () => false), opens, closed};
}

const file = (path: string, text: string): InputFile => ({path, file: new File([text], path)});

test('a result of triage becomes the baseline, and the engine does not get it', async () => {
  const {store, inputs, open} = page();
  await open.add([
    file('old\u0007.json', '{"groups":[{"kind":"crash","signature":"f","rules":"crashglass","count":2}]}'),
    file('a.dmp', ''),
  ]);
  expect([inputs, store.state.triage.baseline?.crashes.size]).toEqual([['a.dmp'], 1]);
});

test('the name of a baseline is shown as text', async () => {
  const {store, open} = page();
  await open.add([
    file('old\u0007.json', '{"groups":[{"kind":"crash","signature":"f","rules":"crashglass","count":2}]}'),
  ]);
  expect(store.state.messages.toast).not.toContain('\u0007');
});

test('a dump that is open already is closed in the engine', async () => {
  const {store, open, closed, opens} = page();
  const report = (hash: string): Report => ({...emptyReport(), dump: {...emptyReport().dump, hash}});
  opens.push({dump: 1, name: 'a.dmp', report: report('aa')}, {dump: 2, name: 'b.dmp', report: report('bb')});
  await open.add([file('a.dmp', ''), file('b.dmp', '')]);
  opens.splice(0, 2, {dump: 3, name: 'c.dmp', report: report('bb')}, {dump: 4, name: 'd.dmp', report: report('dd')});
  await open.add([file('c.dmp', ''), file('d.dmp', '')]);
  expect([store.state.dumps.map(({id}) => id), closed]).toEqual([[1, 2, 4], [3]]);
});

test('an unreadable file does not stop the others from opening', async () => {
  const {inputs, open} = page();
  const lost = Object.assign(new File([], 'x.json'), {text: () => Promise.reject(new Error('gone'))});
  await open.add([{path: 'x.json', file: lost}, file('a.dmp', '')]);
  expect(inputs).toEqual(['x.json', 'a.dmp']);
});
