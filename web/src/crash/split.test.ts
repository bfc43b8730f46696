import {expect, test} from 'vitest';
import {afterKey, asShare, within} from './split.ts';

test('each side keeps its least width', () => {
  expect([within(0, 1440), within(0.4, 1440), within(1, 1440), within(0.9, 700), within(0.2, 0)]).toEqual([
    0.25, 0.4, 0.75, 0.5, 0.5,
  ]);
});

test('keys move it by 16 px, and to its limits', () => {
  const moved = (key: string): number | null => afterKey(key, 0.5, 1600);
  expect(['ArrowLeft', 'ArrowRight', 'Home', 'End', 'x'].map(moved)).toEqual([0.49, 0.51, 0.225, 0.775, null]);
  expect(afterKey('Home', 0.5, 0)).toBe(null);
});

test('the kept value is a share of the width; without one both sides are equal', () => {
  expect([asShare('0.3'), asShare(null), asShare('7'), asShare('x'), asShare('-1')]).toEqual([0.3, 0.5, 0.5, 0.5, 0.5]);
});
