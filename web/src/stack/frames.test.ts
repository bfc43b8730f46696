import {describe, expect, test} from 'vitest';
import {frame, inline, thread} from '../../test/make.ts';
import {frameRows, functionName, noPlace, placeText, rowKey} from './frames.ts';

const shape = (rows: ReturnType<typeof frameRows>): string[] =>
  rows.map(r => `${r.number} ${r.node} ${functionName(r)} ${r.found}${r.guess ? ' ?' : ''}`);

test('a symbol far below an address does not name it', () => {
  const [row] = frameRows(thread([frame(0, {function: 'mallopt', public_name: true, far_name: true})]), false);
  expect(row && [functionName(row), noPlace(row)]).toEqual([null, 'no name near']);
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
