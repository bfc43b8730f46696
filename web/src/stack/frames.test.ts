import {describe, expect, test} from 'vitest';
import {frame, inline, thread} from '../../test/make.ts';
import type {Frame} from '../report.ts';
import {frameRows, rowKey} from './frames.ts';
import {doubt, functionName, mark, noPlace, placeText, tag} from './names.ts';

const shape = (rows: ReturnType<typeof frameRows>): string[] =>
  rows.map(r => `${r.number} ${r.node} ${functionName(r)} ${r.found}${r.guess ? ' ?' : ''}`);

test('an address behind the end of the nearest symbol has no name', () => {
  const after = {name: 'mallopt', offset: '0x99'} as const;
  const [row] = frameRows(
    thread([frame(0, {function: null, public_name: true, name_certainty: 'beyond', after})]),
    false,
  );
  expect(row && [functionName(row), noPlace(row), mark(row)]).toEqual([null, 'no name near', '']);
});

test.each<[Partial<Frame>, string | null]>([
  [{name_certainty: 'inside'}, null],
  [{name_certainty: 'covered'}, null],
  [{name_certainty: 'nearest'}, 'nearest symbol, may be another function'],
  [{name_certainty: 'forced', symbols_forced: true}, 'names from mismatched symbols'],
  [{name_certainty: 'inside', guess: true}, 'a guess'],
  [{name_certainty: 'inside', folded_name: true}, 'identical code folding, may be another function'],
])('%o is marked by its doubt', (fields, want) => {
  const [row] = frameRows(thread([frame(0, {function: 'f', ...fields})]), false);
  expect(row && [doubt(row), mark(row)]).toEqual([want, want === null ? '' : '~ ']);
});

test('an inlined call lies in its function, however that is named', () => {
  const near = frame(0, {function: 'f', name_certainty: 'nearest', inlines: [inline('g')]});
  expect(frameRows(thread([near]), false).map(doubt)).toEqual([null, 'nearest symbol, may be another function']);
});

test('a call of an interpreter has the tag of its language', () => {
  const calls = ['javascript', 'python', undefined].map(kind => ({...inline('f'), ...(kind ? {kind} : {})}));
  const rows = frameRows(thread([frame(0, {function: 'run', inlines: calls})]), false);
  expect(rows.map(row => [row.found, tag(row)])).toEqual([
    ['javascript', 'js'],
    ['python', 'py'],
    ['inlined', ''],
    ['context', ''],
  ]);
});

describe('frameRows', () => {
  test('numbers inlined calls and physical frames in one sequence', () => {
    const rows = frameRows(
      thread([frame(0, {function: 'outer', inlines: [inline('a'), inline('b')]}), frame(1, 'main')]),
      true,
    );
    expect(shape(rows)).toEqual(['0 crash a inlined', '1 small b inlined', '2 disc outer context', '3 disc main CFI']);
    expect(rows.map(rowKey)).toEqual(['0.0', '0.1', '0.p', '1.p']);
  });

  test('gives each trust its shape', () => {
    const trusts = ['context', 'cfi', 'frame_pointer', 'leaf', 'cfi_scan', 'scan', 'something new'];
    const nodes = trusts.map(trust => frameRows(thread([frame(0, {trust})]), false)[0]?.node);
    expect(nodes).toEqual(['disc', 'disc', 'ring', 'ring', 'guess', 'guess', 'guess']);
  });

  test('doubts whatever stands below a scanned frame, its inlined calls too', () => {
    const rows = frameRows(
      thread([
        frame(0, 'a'),
        frame(1, {function: 'b', trust: 'scan', found_by: 'scan', inlines: [inline('in b')]}),
        frame(2, {function: 'c', trust: 'frame_pointer', found_by: 'frame ptr'}),
      ]),
      false,
    );
    expect(shape(rows)).toEqual([
      '0 disc a context',
      '1 small-guess in b inlined ?',
      '2 guess b scan ?',
      '3 after c after scan ?',
    ]);
  });

  test('has no rows for a thread without frames', () => {
    expect(frameRows(thread([]), true)).toEqual([]);
    expect(frameRows({...thread([]), frames: null}, true)).toEqual([]);
  });
});

test('places', () => {
  const rows = frameRows(
    thread([
      frame(0, {function: 'f', file: '/src/a.cpp', line: 7, inlines: [inline('g', 'C:\\x\\b.h', 3), inline('h')]}),
      frame(1, {function: 'p', file: 'c.rs'}),
      frame(2, {module: null}),
      frame(3, {missing_symbols: true}),
      frame(4),
    ]),
    false,
  );
  expect(rows.map(r => placeText(r) ?? noPlace(r))).toEqual([
    'b.h:3',
    'no line',
    'a.cpp:7',
    'c.rs',
    'no module',
    'no symbols',
    'being read',
  ]);
});
