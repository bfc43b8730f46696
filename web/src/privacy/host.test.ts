import {expect, test} from 'vitest';
import {symbolHost} from './host.ts';

const page = 'https://host.test/some/where/index.html';

test('a host that offers symbols says where, below itself', () => {
  expect(symbolHost({symbols: 'symbols/', builds: true}, page)).toEqual({
    url: 'https://host.test/some/where/symbols/',
    builds: true,
  });
  expect(symbolHost({symbols: '/symbols/'}, page)).toEqual({url: 'https://host.test/symbols/', builds: false});
});

test.each([
  null,
  'symbols/',
  {},
  {symbols: null},
  {symbols: 'symbols'},
  {symbols: 'https://other.test/symbols/'},
  {symbols: '//other.test/symbols/'},
  {symbols: 'symbols/?a=/'},
  {symbols: 'data:,/'},
])('%j offers none', said => {
  expect(symbolHost(said, page)).toBeNull();
});
