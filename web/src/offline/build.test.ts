import {createHash} from 'node:crypto';
import {describe, expect, test} from 'vitest';
import {type Build, cacheName, forgetOthers, fromCache, keep, type Places, pathOf} from './build.ts';

const base = 'https://host.test/some/where/';
const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
const build: Build = {name: 'one', files: {'./': digest('page'), 'assets/a-1.js': digest('script')}};

function answer(text: string | undefined): Response {
  const headers = {'content-security-policy': 'p', 'content-encoding': 'br', 'content-length': '1'};
  return text === undefined ? new Response('', {status: 404}) : new Response(text, {headers});
}

/** Caches in memory, and a host that answers by path. */
function places(
  host: Readonly<Record<string, string>>,
  browser: Readonly<Record<string, string>> = {},
): Places & {stored: Map<string, Map<string, Response>>; fetched: string[]} {
  const fetched: string[] = [];
  const stored = new Map<string, Map<string, Response>>();
  const open = async (name: string): Promise<Cache> => {
    const of = stored.get(name) ?? new Map<string, Response>();
    stored.set(name, of);
    const put = async (url: string, response: Response): Promise<void> => void of.set(url, response);
    return {put, match: async (url: string) => of.get(url)} as unknown as Cache;
  };
  return {
    stored,
    fetched,
    cached: async url => answer(browser[url.slice(base.length)]),
    packed: url => (url.endsWith('.wasm') ? new Blob(['packed']) : undefined),
    caches: {open, keys: async () => [...stored.keys()], delete: async name => stored.delete(name)},
    fetch: async url => {
      fetched.push(url.slice(base.length));
      return answer(host[url.slice(base.length)]);
    },
  };
}

describe('a build', () => {
  test('is kept whole, with the headers that count', async () => {
    const at = places({'': 'page', 'assets/a-1.js': 'script'});
    await keep(build, base, at);
    const page = await fromCache(build, base, `${base}index.html?a=b`, at);
    expect(await page?.text()).toBe('page');
    expect([...(page?.headers.keys() ?? [])]).toEqual([
      'content-security-policy',
      'content-type',
      'permissions-policy',
    ]);
    expect(page?.headers.get('permissions-policy')).toContain('publickey-credentials-get=()');
  });

  test('keeps the compressed copy of the program beside it', async () => {
    const at = places({'': 'page', 'a.wasm': 'program'});
    await keep({name: 'one', files: {'./': digest('page'), 'a.wasm': digest('program')}}, base, at);
    const cache = at.stored.get('crashglass-one') ?? new Map<string, Response>();
    expect([...cache.keys()].map(url => url.slice(base.length))).toEqual(['', 'a.wasm', 'a.wasm.xz']);
    expect(await cache.get(`${base}a.wasm.xz`)?.text()).toBe('packed');
  });

  test('keeps a policy of the host’s own, and adds what the page must not be able to do', async () => {
    const own = {'permissions-policy': 'interest-cohort=(), publickey-credentials-get=(self)'};
    const at = {...places({}), fetch: async () => new Response('page', {headers: own})};
    await keep({name: 'one', files: {'./': digest('page')}}, base, at);
    const policy = (await fromCache({name: 'one', files: {'./': digest('page')}}, base, base, at))?.headers.get(
      'permissions-policy',
    );
    expect(policy?.split(', ')).toContain('interest-cohort=()');
    // Of two entries for one feature browsers take the last (RFC 9651, section 4.2.2).
    expect(policy?.match(/publickey-credentials-get=\S*?\)/g)?.at(-1)).toBe('publickey-credentials-get=()');
  });

  test('keeps a file while it arrives', async () => {
    const at = places({});
    const {readable, writable} = new TransformStream<Uint8Array>();
    const writer = writable.getWriter();
    const open = async (): Promise<Cache> => {
      const put = async (_: string, response: Response): Promise<void> => {
        await writer.write(new TextEncoder().encode('age'));
        await writer.close();
        expect(await response.text()).toBe('page');
      };
      return {put} as unknown as Cache;
    };
    void writer.write(new TextEncoder().encode('p'));
    const late = {...at, caches: {...at.caches, open}, fetch: async () => new Response(readable)};
    await keep({name: 'one', files: {'./': digest('page')}}, base, late);
  });

  test.each([
    ['the same', 'script', ['']],
    ['one of another build', 'other', ['', 'assets/a-1.js']],
  ])('asks for a script by what the browser has of it: %s', async (_, has, fetched) => {
    const at = places({'': 'page', 'assets/a-1.js': 'script'}, {'assets/a-1.js': has});
    await keep(build, base, at);
    expect(at.fetched).toEqual(fetched);
    const script = await fromCache(build, base, `${base}assets/a-1.js`, at);
    expect(await script?.text()).toBe('script');
  });

  test.each([
    ['the same', 'script', ['']],
    ['one of another build', 'other', ['', 'assets/a-1.js']],
  ])('asks for no script that a page has said: %s', async (_, said, fetched) => {
    const at = places({'': 'page', 'assets/a-1.js': 'script'});
    await keep(build, base, at, said);
    expect(at.fetched).toEqual(fetched);
    const script = await fromCache(build, base, `${base}assets/a-1.js`, at);
    expect([await script?.text(), script?.headers.has('permissions-policy')]).toEqual(['script', true]);
    if (said === 'script') expect(script?.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  });

  test.each([
    ['a file is of another build', {'': 'page', 'assets/a-1.js': 'other'}, /is [0-9a-f]{64}, and this build's is/],
    ['a file is missing', {'': 'page'}, /answered 404/],
  ])('is not kept when %s', async (_, host, why) => {
    const at = places(host);
    await expect(keep(build, base, at)).rejects.toThrow(why);
    expect([...at.stored.keys()]).toEqual([]);
  });

  test('replaces the caches of other builds, and leaves foreign caches', async () => {
    const at = places({});
    for (const name of ['crashglass-old', cacheName(build), 'other-page']) await at.caches.open(name);
    await forgetOthers(build, at);
    expect([...at.stored.keys()]).toEqual([cacheName(build), 'other-page']);
  });
});

test.each([
  ['', './'],
  ['index.html', './'],
  ['?shared', './'],
  ['assets/a-1.js', 'assets/a-1.js'],
  ['assets/b-2.js', undefined],
  ['site.json', undefined],
  ['symbols/a/b/a.sym', undefined],
  ['constructor', undefined],
])('%s is %s', (path, name) => {
  expect(pathOf(build, base, base + path)).toBe(name);
});

test('another folder or host has none of its files', () => {
  expect(pathOf(build, base, 'https://host.test/assets/a-1.js')).toBeUndefined();
  expect(pathOf(build, base, 'https://other.test/some/where/')).toBeUndefined();
});
