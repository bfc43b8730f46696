import {afterEach, expect, test, vi} from 'vitest';
import {requestSite, symbolHost} from './host.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

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

test('a host that does not answer offers none, and its request is aborted', async () => {
  const timeUp = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeUp.signal);
  vi.stubGlobal('document', {querySelector: () => null});
  vi.stubGlobal('location', {href: page});
  const silent = (_: unknown, init?: RequestInit): Promise<Response> =>
    new Promise((_, no) => init?.signal?.addEventListener('abort', () => no(new DOMException('', 'TimeoutError'))));
  vi.stubGlobal('fetch', silent);
  const requested = requestSite();
  timeUp.abort();
  expect(await requested).toEqual({symbols: null, embed: []});
});
