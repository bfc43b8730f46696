import {expect, test} from 'vitest';
import {frame, report, thread} from '../../test/make.ts';
import {cleared, closed, forgotten, reopened} from './close.ts';
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
  place: {dump: shown, thread: 0, frame: 0, inline: null, tab: 'registers'},
  view,
  triage: {...initial.triage, chosen: [0, 2]},
});
const ids = (state: State): number[] => state.dumps.map(({id}) => id);
const shownId = (state: State): number | undefined => state.dumps[state.place?.dump ?? -1]?.id;
const close = (state: State, ...at: number[]): State => ({...state, ...closed(state, at)});
const undo = (state: State): State => ({...state, ...reopened(state)});

test('the dump that is shown stays when another is closed', () => {
  const state = close(open(2), 0);
  expect([ids(state), shownId(state), state.triage.chosen, state.messages.toast]).toEqual([
    [2, 3],
    3,
    [],
    '1.dmp closed',
  ]);
  expect([ids(undo(state)), shownId(undo(state))]).toEqual([[1, 2, 3], 3]);
});

test('when the shown dump is closed its neighbour is shown, and Undo restores the selection', () => {
  const state = close(open(2), 2);
  expect([ids(state), shownId(state)]).toEqual([[1, 2], 2]);
  expect(undo(state)).toMatchObject({place: {dump: 2, tab: 'registers'}, closed: null, messages: {toast: null}});
});

test('all are closed, and all come back', () => {
  const state = close(open(1, 'all'), 0, 1, 2);
  expect([ids(state), state.place, state.view, state.messages.toast]).toEqual([[], null, 'one', '3 dumps closed']);
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

test('a closed dump is forgotten when it cannot be opened again', () => {
  const before = open(0);
  const one = close(before, 1);
  expect(forgotten(before, one)).toEqual([]);
  expect(forgotten(one, undo(one))).toEqual([]);
  const other = close(one, 0);
  expect(forgotten(one, other)).toEqual([2]);
  expect(forgotten(other, {...other, closed: null})).toEqual([1]);
  const moved: State = {...before, place: null};
  expect(forgotten(before, moved)).toEqual([]);
});

test('the answers about a forgotten dump go with it', () => {
  const about = new Map([1, 2, 12, 21].map(id => [`${id}.0.1`, undefined as never]));
  const before: State = {
    ...initial,
    stack: {...initial.stack, rowArguments: about},
    frame: {...initial.frame, explained: about, memory: about, pointers: about, code: about},
    variables: {...initial.variables, values: about, globals: about},
    memory: {
      ...initial.memory,
      pages: about,
      captured: new Map([1, 2, 12].map(id => [id, {state: 'waiting' as const}])),
    },
    streams: {...initial.streams, pages: about},
    symbols: {...initial.symbols, syms: about},
  };
  const {stack, frame, variables, memory, streams, symbols} = {...initial, ...cleared(before, [2, 21])};
  const left = [
    ...[stack.rowArguments, frame.explained, frame.memory, frame.pointers, frame.code],
    ...[variables.values, variables.globals, memory.pages, streams.pages, symbols.syms],
  ];
  for (const all of left) expect([...all.keys()]).toEqual(['1.0.1', '12.0.1']);
  expect([...memory.captured.keys()]).toEqual([1, 12]);
});
