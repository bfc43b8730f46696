import {expect, test} from 'vitest';
import {frame, report} from '../../test/make.ts';
import type {Region} from '../report.ts';
import {mapWidth, picture} from './map.ts';

const region = (base: bigint, size: bigint, more: Partial<Region> = {}): Region => ({
  base: `0x${base.toString(16)}`,
  size: `0x${size.toString(16)}`,
  protection: 'rw-',
  state: 'committed',
  kind: 'heap',
  name: '',
  captured: false,
  ...more,
});

const regions = [
  region(0x9000n, 0x1000n, {protection: 'r-x', name: '/lib/libc.so'}),
  region(0x1000n, 0x1000n, {captured: true}),
  region(0x2000n, 0x4000n, {protection: 'r--'}),
  region(0x6000n, 0x1000n, {state: 'free'}),
];

test('boxes stand in the order of addresses, wider when larger, with a gap where addresses are left out', () => {
  const {boxes, gaps} = picture(report({memory_regions: regions}), null);
  expect(boxes.map(b => [b.base, b.fill, b.name, b.captured])).toEqual([
    [0x1000n, 'write', 'heap', true],
    [0x2000n, 'read', 'heap', false],
    [0x9000n, 'code', 'libc.so', false],
  ]);
  const [first, second, third] = boxes;
  expect((second?.width ?? 0) / (first?.width ?? 1)).toBeCloseTo(3);
  expect(gaps).toHaveLength(1);
  expect((third?.x ?? 0) + (third?.width ?? 0)).toBeCloseTo(mapWidth - 10);
});

test('a name stands once below the boxes of its file, and not where it would not fit', () => {
  const of = (name: string, at: bigint, size = 0x10_0000n) => region(at, size, {name});
  const {labels, boxes} = picture(
    report({
      memory_regions: [
        of('/lib/a.so', 0x10_0000n),
        of('/lib/a.so', 0x20_0000n),
        of(`/lib/${'long'.repeat(60)}.so`, 0x40_0000n, 0x1000n),
        of('/lib/b.so', 0x60_0000n),
      ],
    }),
    null,
  );
  expect(labels.map(l => [l.text, l.x])).toEqual([
    ['a.so', boxes[0]?.x],
    ['b.so', boxes[3]?.x],
  ]);
});

test('pins stand in their boxes, or in the gap where the address would be', () => {
  const r = report({memory_regions: regions});
  const at = (address: string | null) => ({
    ...r,
    crash_info: {...r.crash_info, address: address as `0x${string}` | null},
  });
  const f = frame(0, {offset: '0x9800', registers: {rsp: '0x1000'}});
  const {pins, boxes, gaps} = picture(at('0x7000'), f);
  expect(pins.map(p => p.what)).toEqual(['pc', 'sp', 'fault']);
  expect(pins[0]?.x).toBeCloseTo((boxes[2]?.x ?? 0) + (boxes[2]?.width ?? 0) / 2);
  expect(pins[1]?.x).toBe(boxes[0]?.x);
  expect(pins[2]?.x).toBeCloseTo(gaps[0] ?? 0);
  expect(picture(at('0x0'), f).pins[2]?.x).toBe(5);
  expect(picture(at('0xffffffffffffffff'), f).pins[2]?.x).toBe(mapWidth - 5);
  expect(picture(at(null), null).pins).toEqual([]);
});

test('many regions become few boxes, and none is lost', () => {
  const many = Array.from({length: 5000}, (_, i) =>
    region(BigInt(i) * 0x2000n, 0x1000n, {name: i < 100 ? '/a.so' : ''}),
  );
  const {boxes} = picture(report({memory_regions: many}), null);
  expect(boxes.length).toBeLessThanOrEqual(241);
  expect(boxes.reduce((n, b) => n + b.regions, 0)).toBe(5000);
  expect(boxes.every(b => b.width >= 1)).toBe(true);
});

test('without regions, or with empty ones, there are no boxes', () => {
  expect(picture(report(), null)).toEqual({labels: [], boxes: [], gaps: [], gapWidth: 10, pins: []});
  expect(picture(report({memory_regions: [region(0n, 0n)]}), null).boxes).toEqual([]);
});
