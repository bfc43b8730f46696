import {expect, test} from 'vitest';
import {frame, thread} from '../../test/make.ts';
import {parallel} from './parallel.ts';
import {icicle} from './tree.ts';
import {neighbour} from './walk.ts';

const stack = (...outermostFirst: string[]) => thread(outermostFirst.toReversed().map((name, i) => frame(i, name)));

test('arrows follow calls and callers', () => {
  const all = parallel([stack('main', 'a'), stack('main', 'b'), stack('start')]);
  const {boxes} = icicle(all, false, 1200, () => null);
  expect(boxes.map(box => box.lines[0]?.text)).toEqual(['main', 'a', 'b', 'start']);
  const from = (at: number, key: string): number | null => neighbour(boxes, at, key);
  expect([from(0, 'ArrowDown'), from(1, 'ArrowUp'), from(1, 'ArrowDown'), from(0, 'ArrowUp')]).toEqual([1, 0, 1, 0]);
  expect([from(1, 'ArrowRight'), from(2, 'ArrowRight'), from(0, 'ArrowRight'), from(3, 'ArrowLeft')]).toEqual([
    2, 2, 3, 0,
  ]);
  expect([from(0, 'x'), from(9, 'ArrowUp')]).toEqual([null, null]);
  expect([neighbour(boxes, 0, 'ArrowDown', true), neighbour(boxes, 3, 'ArrowUp', true)]).toEqual([1, 2]);
  expect([neighbour(boxes, 0, 'ArrowRight', true), neighbour(boxes, 2, 'ArrowLeft', true)]).toEqual([1, 0]);
});
