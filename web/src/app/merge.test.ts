import {describe, expect, test} from 'vitest';
import {frame, inline, module, report, thread, withVariables} from '../../test/make.ts';
import type {AddResult, FileResult} from '../engine/types.ts';
import type {Report, Symbols} from '../report.ts';
import {changedFrames, grown, merge, showWaiting} from './merge.ts';
import {firstPlace} from './select.ts';
import {initial, type State} from './state.ts';

const result = (more: Partial<AddResult>): AddResult => ({files: [], opened: [], updated: [], ...more});
const sym = (name: string, message: string | null = null) => ({name, kind: 'symbols' as const, message, left: 0});
const of = (...names: string[]): Report => report({threads: [thread(names.map((name, i) => frame(i, name)))]});

const open: State = {
  ...initial,
  dumps: [{id: 9, name: 'a.dmp', report: of('?', '?'), revision: 0, waiting: null, early: false}],
  place: {dump: 0, thread: 0, frame: 1, inline: null, tab: 'why'},
};
const merged = (more: Partial<AddResult>, moved = true, before = open): State => ({
  ...before,
  ...merge(before, result(more), moved),
});

describe('merge', () => {
  test('opens dumps at the end, each once', () => {
    const state = merged({
      opened: [
        {dump: 9, name: 'a.dmp', report: of('x')},
        {dump: 10, name: 'b.dmp', report: of('y')},
      ],
    });
    expect(state.dumps.map(d => [d.id, d.name])).toEqual([
      [9, 'a.dmp'],
      [10, 'b.dmp'],
    ]);
  });

  test('puts names in place and says by what', () => {
    const symbols = {...withVariables([]).modules?.[0]?.symbols, file: 'a.sym'} as Symbols;
    const named = {...of('f', 'g'), modules: [module('app', {symbols})]};
    const state = merged({files: [sym('a.sym')], updated: [{dump: 9, name: 'a.dmp', report: named}]});
    expect(state.dumps[0]).toMatchObject({
      revision: 1,
      waiting: null,
      report: {threads: [{frames: [{function: 'f'}, {function: 'g'}]}]},
    });
    expect([state.messages.outcome, state.messages.toast, state.place]).toEqual([
      'Updated with a.sym',
      'Updated with a.sym',
      open.place,
    ]);
  });

  test('reports a file that fits no module', () => {
    const state = merged({files: [sym('x.sym')]});
    expect([state.messages.outcome, state.messages.toast]).toEqual([
      'x.sym fits no module here',
      'x.sym fits no module here',
    ]);
  });

  test('reports added views of values', () => {
    const natvis = {name: 'types.natvis', kind: 'views' as const, message: null, left: 0};
    const updated = [{dump: 9, name: 'a.dmp', report: of('f', 'g')}];
    const one = merged({files: [natvis], updated});
    expect([one.messages.outcome, one.messages.toast]).toEqual(['1 NatVis file added', '1 NatVis file added']);
    const both = merged({files: [natvis, sym('a.sym'), sym('b.sym')], updated});
    expect(both.messages.outcome).toBe('2 symbol files fit no module here; 1 NatVis file added');
  });

  test('holds back changed frames while the user reads, until requested', () => {
    const more = {updated: [{dump: 9, name: 'a.dmp', report: of('f', 'g', 'h')}]};
    const state = merged(more);
    expect(state.dumps[0]).toMatchObject({revision: 0, report: {threads: [{frames: [{}, {}]}]}, waiting: {}});
    const shown = {...state, ...showWaiting(state)};
    expect(shown.dumps[0]).toMatchObject({revision: 1, waiting: null, report: {threads: [{frames: [{}, {}, {}]}]}});
    expect(merged(more, false).dumps[0]?.waiting).toBeNull();
  });

  test('files that were not read are counted', () => {
    const many: FileResult = {
      name: 'a.zip',
      kind: 'other',
      message: '3 of the 4 files in this were not read.',
      left: 3,
    };
    const once = merged({files: [many]});
    expect([once.triage.left, merged({files: [many, sym('a.sym')]}, true, once).triage.left]).toEqual([3, 6]);
    // Where no dump is open, the count begins anew; and closed dumps are forgotten, which may have taken the room.
    const closed: State = {...initial, triage: once.triage, closed: {dumps: [], place: null}};
    expect(merged({files: [many]}, false, closed)).toMatchObject({triage: {left: 3}, closed: null});
  });

  test('before the first touch a better frame may be chosen, in the same panel', () => {
    const state = merged({updated: [{dump: 9, name: 'a.dmp', report: of('f', 'g')}]}, false);
    expect(state.place).toEqual({dump: 0, thread: 0, frame: 0, inline: null, tab: 'why'});
  });

  test('a longer report of a dump replaces the short one, keeps the chosen spelling, and keeps the answers so far', () => {
    const before = {
      ...open,
      place: {dump: 0, thread: 0, frame: 0, inline: null, tab: 'why' as const},
      stack: {...open.stack, rawNames: true},
    };
    const more = report({threads: [thread([frame(0, '?'), frame(1, {function: 'f()', linkage_function: '_f'})])]});
    const verdict = {...more.verdict, where: 'f()'};
    const grow = (chosen: boolean): State => ({
      ...before,
      ...grown(before, [{dump: 9, name: 'a.dmp', report: {...more, verdict}}], chosen),
    });
    expect(grow(true)).toMatchObject({
      dumps: [{revision: 0, report: {threads: [{frames: [{function: '?'}, {function: '_f'}]}]}}],
      place: before.place,
    });
    expect(grow(false).place).toMatchObject({frame: firstPlace(grow(false).dumps, 0)?.frame, tab: 'why'});
    expect(grown(before, [{dump: 8, name: 'b.dmp', report: more}], true).dumps).toEqual(open.dumps);
  });

  test('the selection follows the physical frame when its inlined call is gone', () => {
    const before = {...open, place: {dump: 0, thread: 0, frame: 1, inline: 0, tab: 'why' as const}};
    expect(merged({updated: [{dump: 9, name: 'a.dmp', report: of('f', 'g')}]}, true, before).place).toMatchObject({
      frame: 1,
      inline: null,
    });
    const old = report({threads: [thread([frame(0, 'f'), frame(1, {function: 'g', inlines: [inline('in')]})])]});
    expect(merged({updated: [{dump: 9, name: 'a.dmp', report: old}]}, true, before).place).toMatchObject({
      frame: 1,
      inline: 0,
    });
  });

  test('a bad file costs nothing that is shown', () => {
    const state = merged({files: [{name: 'notes.txt', kind: 'other', message: 'Not a dump.', left: 0}]});
    expect(state.messages.problems).toHaveLength(1);
    expect([state.dumps, state.place]).toEqual([open.dumps, open.place]);
  });

  test('symbols without a dump are counted, and forgotten when one comes', () => {
    const one = merged({files: [sym('a.sym'), sym('b.sym', 'Empty.')]}, false, initial);
    const two = merged({files: [sym('c.sym')]}, false, one);
    expect([one.symbols.files, two.symbols.files]).toEqual([['a.sym'], ['a.sym', 'c.sym']]);
    expect(merged({opened: [{dump: 1, name: 'a', report: of('f')}]}, false, two).symbols.files).toEqual([]);
  });
});

test('changedFrames compares places, not names', () => {
  const t = (...offsets: number[]) => thread(offsets.map((o, i) => frame(i, {offset: `0x${o}`})));
  expect(changedFrames(t(1, 2), t(1, 2))).toBe(0);
  expect(changedFrames(t(1, 2), t(1, 3, 4))).toBe(2);
  expect(changedFrames(undefined, t(1))).toBe(1);
});
