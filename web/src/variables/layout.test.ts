import {expect, test} from 'vitest';
import type {Variable} from '../report.ts';
import {layout} from './layout.ts';

const variable = (name: string, more: Partial<Variable>): Variable => ({
  name,
  type: 'int',
  kind: '',
  state: 'known',
  value: null,
  why: null,
  location: null,
  ...more,
});

const member = (name: string, address: string, size: number, more: Partial<Variable> = {}): Variable =>
  variable(name, {address: address as `0x${string}`, size, value: '4', ...more});

const object = (size: number, children: readonly Variable[]): Variable =>
  variable('o', {object: {address: '0x1000', size}, children});

const shown = (of: Variable, ...touched: bigint[]): unknown =>
  layout(of, touched)?.segments.map(({kind, at, bytes, offset}) => `${kind} ${at} ${bytes} ${offset}`.trim());

test('members and padding make the object', () => {
  const ring = object(24, [
    member('size', '0x1000', 4),
    member('next', '0x1008', 8, {type: 'Node *', value: '0x7f00'}),
    member('full', '0x1010', 1),
  ]);
  expect(shown(ring)).toEqual(['member 0 4 +00', 'padding 4 4', 'pointer 8 8 +08', 'member 16 1 +10', 'padding 17 7']);
  expect(layout(ring, [])).toMatchObject({size: 24, padding: 11, shown: 24});
  expect(shown(ring, 0x100an)).toContain('touched 8 8 +08');
});

test('of a union the first member is shown', () => {
  expect(shown(object(8, [member('a', '0x1000', 4), member('b', '0x1000', 8)]))).toEqual([
    'member 0 4 +00',
    'padding 4 4',
  ]);
});

test('a large object is shown around the touched member', () => {
  const all = Array.from({length: 32}, (_, i) => member(`m${i}`, `0x${(0x1000 + 8 * i).toString(16)}`, 8));
  expect(shown(object(256, all), 0x1080n)).toEqual(
    [104, 112, 120, 128, 136, 144, 152, 160].map(
      (at, i) => `${at === 128 ? 'touched' : 'member'} ${8 * i} 8 +${at.toString(16)}`,
    ),
  );
  expect(layout(object(256, all), [])?.segments[0]?.offset).toBe('+00');
});

test('values without members in memory have no bar', () => {
  expect(layout(variable('n', {value: '4'}), [])).toBeNull();
  expect(layout(object(8, [variable('elsewhere', {address: '0x2000', size: 8})]), [])).toBeNull();
  expect(layout(object(8, [variable('in a register', {value: '1'})]), [])).toBeNull();
});
