import {expect, test} from 'vitest';
import {duration, size, speed, time} from './format.ts';

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1023, '1023 bytes'],
  [1024, '1 KiB'],
  [53_248, '52 KiB'],
  [1_556_480, '1.5 MiB'],
  [1024 ** 2 * 9.96, '10 MiB'],
  [1024 ** 3 * 2, '2 GiB'],
  [1024 ** 5 * 3, '3072 TiB'],
])('size(%d)', (bytes, want) => expect(size(bytes)).toBe(want));

test('times are UTC, and none is made of nonsense', () => {
  expect(time(1_795_256_227)).toBe('2026-11-21 10:17:07');
  expect(time(0)).toBe('1970-01-01 00:00:00');
  expect(time(Number.MAX_SAFE_INTEGER)).toBeNull();
});

test.each([
  [0, '0 s'],
  [5, '5 s'],
  [200, '3 min 20 s'],
  [7500, '2 h 5 min'],
  [7200, '2 h'],
  [273_600, '3 d 4 h'],
  [86_401, '1 d'],
])('duration(%d)', (seconds, want) => expect(duration(seconds)).toBe(want));

test('speed', () => expect([speed(1.13e9), speed(4.4e7)]).toEqual(['1.1 GB/s', '44 MB/s']));
