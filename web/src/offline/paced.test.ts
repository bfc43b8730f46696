import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {paced} from './paced.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the first value goes at once, the latest of the others when its time has come, and none twice', () => {
  const sent: number[] = [];
  const send = paced<number>(200, value => sent.push(value));
  for (const value of [1, 2, 3]) send(value);
  expect(sent).toEqual([1]);
  vi.advanceTimersByTime(200);
  expect(sent).toEqual([1, 3]);
  send(4);
  vi.advanceTimersByTime(1000);
  expect(sent).toEqual([1, 3, 4]);
  send(5);
  expect(sent).toEqual([1, 3, 4, 5]);
});
