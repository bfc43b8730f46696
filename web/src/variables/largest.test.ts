import {expect, test} from 'vitest';
import type {Variable} from '../report.ts';
import {largestOf} from './largest.ts';

const variable = (name: string, size?: number, address: `0x${string}` = '0x1010'): Variable => ({
  name,
  type: 'char[]',
  kind: 'local',
  state: 'known',
  value: '',
  why: null,
  location: null,
  ...(size === undefined ? {} : {size, address}),
});

const part = {from: 0x1000n, to: 0x4000n};

test.each([
  [[variable('i'), variable('line', 256), variable('page', 4096), variable('', 9000)], 'page'],
  [[variable('first', 64), variable('second', 64)], 'first'],
  [[variable('small', 63), variable('in_register')], null],
  [[variable('table', 8192, '0x600000'), variable('below', 512, '0xf00'), variable('line', 256)], 'line'],
  [[variable('beyond', 0x3000)], null],
  [[], null],
])('the largest of %j is %s', (variables, name) => {
  expect(largestOf(variables, part)).toBe(name);
});
