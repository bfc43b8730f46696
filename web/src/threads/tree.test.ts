import {expect, test} from 'vitest';
import {frame, thread} from '../../test/make.ts';
import {parallel} from './parallel.ts';
import {tree} from './tree.ts';

const stack = (...outermostFirst: string[]) => thread(outermostFirst.toReversed().map((name, i) => frame(i, name)));

test('what is called stands to the right of its caller, and no box lies on another', () => {
  const {boxes, width, height} = tree(parallel([stack('main', 'a'), stack('main', 'b', 'c'), stack('start')]));
  expect(boxes.map(b => b.lines.join(' '))).toEqual(['main', 'a', 'b c', 'start']);
  const [main, a, b, start] = boxes;
  expect(a?.from).toBe(main);
  expect(a?.x).toBe(b?.x);
  expect((a?.y ?? 0) + (a?.height ?? 0)).toBeLessThan(b?.y ?? 0);
  expect(start?.x).toBe(main?.x);
  expect((b?.y ?? 0) + (b?.height ?? 0)).toBeLessThan(start?.y ?? 0);
  expect(width).toBeGreaterThan((b?.x ?? 0) + 249);
  expect(height).toBeGreaterThan((start?.y ?? 0) + (start?.height ?? 0));
});

test('long boxes show their innermost calls, long names are cut, and there are not too many', () => {
  const names = Array.from({length: 20}, (_, i) => `f${i}`);
  const [box] = tree(parallel([stack(...names)])).boxes;
  expect(box).toMatchObject({more: 13, lines: names.slice(13)});
  expect(box?.leaf?.frame.frame).toBe(0);
  expect(tree(parallel([stack('x'.repeat(4096))])).boxes[0]?.lines[0]).toHaveLength(32);
  expect(tree(parallel(Array.from({length: 2000}, (_, i) => stack(`f${i}`)))).boxes).toHaveLength(400);
  expect(tree([])).toEqual({boxes: [], width: 10, height: 10});
});
