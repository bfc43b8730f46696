import {expect, test} from 'vitest';
import {frame, report, thread} from '../../test/make.ts';
import {closed, reopened} from './close.ts';
import {newOnes} from './merge.ts';
import {initial, type OpenDump, type State} from './state.ts';

const dump = (id: number, hash: string | null = null): OpenDump => ({
  id,
  name: `${id}.dmp`,
  report: report({threads: [thread([frame(0, 'f')])], dump: {...report().dump, hash}}),
  revision: 0,
  waiting: null,
  early: false,
});
const open = (shown: number, view: State['view'] = 'one'): State => ({
  ...initial,
  dumps: [dump(1), dump(2), dump(3)],
  place: {dump: shown, thread: 0, frame: 0, inline: null, tab: 'code'},
  view,
  chosen: [0, 2],
});
const ids = (state: State): number[] => state.dumps.map(({id}) => id);
const shownId = (state: State): number | undefined => state.dumps[state.place?.dump ?? -1]?.id;
const close = (state: State, ...at: number[]): State => ({...state, ...closed(state, at)});
const undo = (state: State): State => ({...state, ...reopened(state)});

test('the dump that is shown stays when another is closed', () => {
  const state = close(open(2), 0);
  expect([ids(state), shownId(state), state.chosen, state.toast]).toEqual([[2, 3], 3, [], '1.dmp closed']);
  expect([ids(undo(state)), shownId(undo(state))]).toEqual([[1, 2, 3], 3]);
});

test('when the shown dump is closed its neighbour is shown, and Undo restores the selection', () => {
  const state = close(open(2), 2);
  expect([ids(state), shownId(state)]).toEqual([[1, 2], 2]);
  expect(undo(state)).toMatchObject({place: {dump: 2, tab: 'code'}, closed: null, toast: null});
});

test('all are closed, and all come back', () => {
  const state = close(open(1, 'all'), 0, 1, 2);
  expect([ids(state), state.place, state.view, state.toast]).toEqual([[], null, 'one', '3 dumps closed']);
  expect([ids(undo(state)), shownId(undo(state))]).toEqual([[1, 2, 3], 2]);
});

test('an index without a dump closes nothing', () => expect(closed(open(0), [9])).toEqual({}));

test('a dump that is open already is not new, whatever it is called; one without a hash always is', () => {
  const old = [dump(1, 'aa'), dump(2)];
  const opened = [dump(7, 'aa'), dump(8, 'bb'), dump(9)].map(({id, name, report}) => ({dump: id, name, report}));
  const {fresh, again} = newOnes(old, opened);
  expect([fresh.map(({dump}) => dump), again]).toEqual([[8, 9], 0]);
});

test('dumps of one file are several where they are of several processes', () => {
  const other = {...dump(7, 'aa').report, pid: 12};
  expect(newOnes([dump(1, 'aa')], [{dump: 7, name: 'log', report: other}])).toMatchObject({again: null});
});
