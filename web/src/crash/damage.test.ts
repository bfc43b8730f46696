import {expect, test} from 'vitest';
import {report} from '../../test/make.ts';
import type {Stream} from '../report.ts';
import {damageBadge, lost, streamType} from './damage.ts';

const stream = (type: number, offset: number, error: string | null = null): Stream => ({
  type,
  name: `stream ${type}`,
  offset,
  size: 100,
  error,
});

const of = (streams: readonly Stream[], size: number) => {
  const base = report({streams});
  return {...base, dump: {...base.dump, size}};
};

test('a whole dump has no badge', () => {
  expect(damageBadge(report())).toBeNull();
  expect(damageBadge(of([stream(3, 32), stream(4, 132)], 1000))).toBeNull();
});

test('a truncated dump says how much of it is there', () => {
  const badge = damageBadge(of([stream(3, 32), stream(4, 3000, 'reaches beyond the end')], 1000));
  expect(badge).toMatchObject({kind: 'doubt', text: '✕ 1 stream unreadable'});
  expect(badge?.evidence).toEqual([
    'The file has 1000 bytes, its streams reach to 3 KiB: it was not written or copied completely.',
    'stream 4: reaches beyond the end',
  ]);
});

test('damage in the middle is not truncation, and some of many streams are named', () => {
  const many = Array.from({length: 9}, (_, i) => stream(i, 32, 'is damaged'));
  const evidence = damageBadge(of(many, 1000))?.evidence ?? [];
  expect(evidence).toHaveLength(7);
  expect(evidence[0]).toBe('stream 0: is damaged');
  expect(evidence.at(-1)).toBe('and 3 more, see Streams');
});

test('memory beyond the end of the file is damage, too', () => {
  const text = '3348 bytes of memory at 0x37f2ec reach beyond the end of the file at 0x2532';
  const badge = damageBadge(report({notes: [{kind: 'truncated', where: 'memory', text, offset: 9510, count: 4}]}));
  expect(badge).toMatchObject({text: '✕ Memory truncated', evidence: [`${text}, and 3 more like it`]});
  expect(
    damageBadge(report({notes: [{kind: 'odd', where: 'memory', text: '2 ranges overlap', offset: 1, count: 1}]})),
  ).toBeNull();
});

test('a stream that cannot be read says why', () => {
  const broken = of([stream(3, 32), stream(4, 132, 'is damaged')], 1000);
  expect([lost(broken, streamType.modules), lost(broken, 3), lost(report(), 4)]).toEqual(['is damaged', null, null]);
});
