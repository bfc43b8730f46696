import {expect, test} from 'vitest';
import {report} from '../../test/make.ts';
import type {Wanted} from '../report.ts';
import {requestList} from './request-list.ts';

const id = '49F6744A29752BD4B61262C76D7B1ADD0';
const build = '4a74f6497529d42bb61262c76d7b1add49c4dea6';

const wanted = (more: Partial<Wanted>): Wanted => ({
  module: 0,
  debug_file: 'app',
  debug_id: id,
  code_file: 'app',
  code_id: build,
  paths: null,
  frames: 1,
  crashing: true,
  state: 'missing',
  why: null,
  ...more,
});

const list = (more: Partial<Wanted>, builds = false): string[] =>
  requestList(report({wanted_symbols: [wanted(more)]}), builds).map(({path}) => path);

test('a name and an id make a path', () => {
  expect(list({})).toEqual([`app/${id}/app.sym`]);
  expect(list({debug_file: 'My App.PDB'})).toEqual([`My%20App.PDB/${id}/My%20App.sym`]);
});

test('a build id goes along where it helps, and is the one that the id was made of', () => {
  expect(list({}, true)).toEqual([`app/${id}/app.sym?build=${build}`]);
  expect(list({code_id: build.replace('4a', '4b')}, true)).toEqual([`app/${id}/app.sym`]);
  expect(list({code_id: '5E9A1F00secret'}, true)).toEqual([`app/${id}/app.sym`]);
});

test('a module that is missing twice is requested once', () => {
  const twice = report({wanted_symbols: [wanted({}), wanted({module: 1})]});
  expect(requestList(twice, false)).toHaveLength(1);
});

test.each([
  '',
  '.',
  '..',
  '../x',
  'a/b',
  'a\\b',
  'a\0',
  'a\r\nHost: x',
  'a%2fb',
  'a?b',
  'a"b',
  'ä',
  ' a',
  'a.',
  'a'.repeat(129),
])('the name %j is not list for', debug_file => {
  expect(list({debug_file})).toEqual([]);
});

test.each(['', '0'.repeat(33), id.slice(1), `${id}00000000`, `${id.slice(0, 32)}G`, '../../x'])(
  'the id %j is not list for',
  debug_id => {
    expect(list({debug_id})).toEqual([]);
  },
);
