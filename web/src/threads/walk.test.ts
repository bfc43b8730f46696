import {expect, test} from 'vitest';
import {frame, thread} from '../../test/make.ts';
import {parallel} from './parallel.ts';
import {tree} from './tree.ts';
import {neighbour, zoomed} from './walk.ts';

const stack = (...outermostFirst: string[]) => thread(outermostFirst.toReversed().map((name, i) => frame(i, name)));

test('arrows follow calls and callers', () => {
  const {boxes} = tree(parallel([stack('main', 'a'), stack('main', 'b'), stack('start')]), false);
  expect(boxes.map(box => box.lines[0]?.text)).toEqual(['main', 'a', 'b', 'start']);
  const from = (at: number, key: string): number | null => neighbour(boxes, at, key);
  expect([from(0, 'ArrowRight'), from(1, 'ArrowLeft'), from(1, 'ArrowRight'), from(0, 'ArrowLeft')]).toEqual([
    1, 0, 1, 0,
  ]);
  expect([from(1, 'ArrowDown'), from(2, 'ArrowDown'), from(0, 'ArrowDown'), from(3, 'ArrowUp')]).toEqual([2, 2, 3, 0]);
  expect([from(0, 'x'), from(9, 'ArrowUp')]).toEqual([null, null]);
});

test('zoom has steps and ends', () => {
  expect([zoomed(1, 1), zoomed(1, -1), zoomed(2, 1), zoomed(0.25, -1)]).toEqual([1.25, 0.75, 2, 0.25]);
});
