// The symbol proxy under the real runtime, with a symbol server on this machine: by the platform's fetch and by a binding.
import {readFileSync, rmSync} from 'node:fs';
import {type IncomingHttpHeaders, request} from 'node:http';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {BIG, type Cached, type SymbolServer, startCache, startSymbolServer} from './symbol-server.ts';
import {configure, startWorkerd, type Workerd} from './workerd.ts';

const id = '49F6744A29752BD4B61262C76D7B1ADD0';
const build = '4a74f6497529d42bb61262c76d7b1add49c4dea6';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly bytes: number;
  readonly isWhole: boolean;
}

/** Asks as the page would; fetch of Node would not send what browsers send. */
const send = (url: string, headers: Record<string, string> = {}, method = 'GET', path = ''): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const options = {
      method,
      headers: {'sec-fetch-site': 'same-origin', ...headers},
      ...(path ? {path} : {}),
      agent: false,
    };
    const sent = request(url, options, response => {
      let bytes = 0;
      let text = '';
      response.on('data', (part: Buffer) => {
        bytes += part.length;
        if (text.length < 1000) text += part.toString('latin1');
      });
      const end = (): void =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: text.slice(0, 1000),
          bytes,
          isWhole: response.complete,
        });
      response.on('end', end).on('error', end);
    });
    sent.on('error', reject).end();
  });

describe.each([
  ['fetch', (port: number) => `http://127.0.0.1:${port}/store/`],
  ['binding', () => 'binding:SYMBOLS/store/'],
])('by %s', (name, address) => {
  let server: SymbolServer;
  let cache: {port: number; close(): void};
  let workerd: Workerd;
  let config: string;
  const cached: Cached = new Map();
  const symbols = (file: string, as = file): string => `${workerd.url}symbols/${file}/${id}/${as}.sym`;

  beforeAll(async () => {
    server = await startSymbolServer();
    cache = await startCache(cached);
    const at = address(server.port);
    config = configure(name, `breakpad=${at} symstore=${at} debuginfod=${at}`, server.port, cache.port);
    workerd = await startWorkerd(config);
  });
  afterAll(() => {
    workerd?.process.kill();
    server?.close();
    cache?.close();
    rmSync(config, {force: true});
  });

  test('the page is told of it', async () => {
    await expect
      .poll(async () => (await send(`${workerd.url}site.json`)).text)
      .toBe('{"symbols": "symbols/", "builds": true}\n');
  });

  test.each([
    ['small', 200, 'hello'],
    ['packed', 200, 'hello'],
    ['nowhere', 404, 'no server has this file\n'],
    ['slow', 504, 'the symbol server is too slow\n'],
    ['huge', 502, 'the file is larger than this site passes on\n'],
    ['broken', 502, 'the symbol server failed\n'],
    ['refused', 403, 'a symbol server refuses this file, or lacks it\n'],
    ['elsewhere', 502, 'the symbol server failed\n'],
    ['partial', 502, 'the symbol server failed\n'],
  ])('%s answers %i', async (file, status, text) => {
    const answer = await send(symbols(file));
    expect([answer.status, answer.text]).toEqual([status, text]);
    expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none'/);
    expect([answer.headers['set-cookie'], answer.headers['x-secret']]).toEqual([undefined, undefined]);
  });

  test('an endless transfer is aborted, and does not look complete', async () => {
    const answer = await send(symbols('endless')).catch(() => null);
    expect(answer?.isWhole ?? false).toBe(false);
    expect(answer?.bytes ?? 0).toBeLessThanOrEqual(BIG);
  });

  test('a range', async () => {
    const answer = await send(symbols('big'), {range: 'bytes=100-199'});
    expect([answer.status, answer.bytes, answer.headers['content-range']]).toEqual([206, 100, `bytes 100-199/${BIG}`]);
  });

  test('a missing file is requested once', async () => {
    server.requests.length = 0;
    for (let i = 0; i < 3; i++) expect((await send(symbols('never'))).status).toBe(404);
    expect(server.requests.map(({path}) => path)).toEqual([`/store/never/${id}/never.sym`]);
    expect([...cached.keys()].join()).toContain('never');
  });

  test('a refused file is requested each time', async () => {
    server.requests.length = 0;
    for (let i = 0; i < 3; i++) expect((await send(symbols('refused'))).headers['cache-control']).toBe('no-store');
    expect(server.requests.map(({path}) => path)).toEqual(Array(3).fill(`/store/refused/${id}/refused.sym`));
    expect([...cached.keys()].join()).not.toContain('refused');
  });

  test('each server layout is tried, and learns nothing else', async () => {
    server.requests.length = 0;
    await send(symbols('my.pdb', 'my'), {cookie: 'a=b', 'user-agent': 'me', 'x-forwarded-for': '10.0.0.1'});
    await send(`${symbols('my.so')}?build=${build}`);
    expect(server.requests.map(({path}) => path)).toEqual([
      `/store/my.pdb/${id}/my.sym`,
      `/store/my.pdb/${id}/my.pdb`,
      `/store/my.so/${id}/my.so.sym`,
      `/store/buildid/${build}/debuginfo`,
    ]);
    for (const {headers} of server.requests) {
      expect(JSON.stringify(headers)).not.toMatch(/a=b|10\.0\.0\.1|"me"/);
      expect(headers['user-agent']).toBe('crashglass');
    }
  });

  test.each([
    ['POST', `/symbols/a/${id}/a.sym`, {}, 405],
    ['PUT', `/symbols/a/${id}/a.sym`, {}, 405],
    ['GET', `/symbols/../${id}/...sym`, {}, 400],
    ['GET', `/symbols/%2e%2e%2fa/${id}/%2e%2e%2fa.sym`, {}, 400],
    ['GET', `/symbols/a%2fb/${id}/a%2fb.sym`, {}, 400],
    ['GET', `/symbols/%u002e/${id}/%u002e.sym`, {}, 400],
    ['GET', `/symbols/%u002e`, {}, 400],
    ['GET', `/symbols/a%5cb/${id}/a%5cb.sym`, {}, 400],
    ['GET', `/symbols/a%00/${id}/a%00.sym`, {}, 400],
    ['GET', `/symbols/a%0d%0aX:%20y/${id}/a%0d%0aX:%20y.sym`, {}, 400],
    ['GET', `/symbols/${'a'.repeat(200)}/${id}/${'a'.repeat(200)}.sym`, {}, 400],
    ['GET', `/symbols/a/${id}/a.sym?x=secret`, {}, 400],
    ['GET', `/symbols/a/${id}/a.sym`, {range: 'bytes=0-1,4-5'}, 400],
    ['GET', `/symbols/a/${id}/a.sym`, {'sec-fetch-site': 'cross-site'}, 403],
  ])('%s %s %o answers %i without a request to a server', async (method, path, headers, status) => {
    server.requests.length = 0;
    expect((await send(workerd.url, headers, method, path)).status).toBe(status);
    expect(server.requests).toEqual([]);
  });

  test('20 at once, each of 100 MB, are streamed', async () => {
    const before = peak(workerd);
    const start = performance.now();
    const answers = await Promise.all(Array.from({length: 20}, () => send(symbols('big'))));
    const seconds = (performance.now() - start) / 1000;
    expect(answers.map(({status, bytes, isWhole}) => ({status, bytes, isWhole}))).toEqual(
      Array(20).fill({status: 200, bytes: BIG, isWhole: true}),
    );
    const each = (peak(workerd) - before) / 20;
    process.stdout.write(
      `by ${name}: ${(each / 2 ** 20).toFixed(1)} MiB of memory for each of 20 requests of 100 MiB, ${seconds.toFixed(1)} s\n`,
    );
    expect(each).toBeLessThan(BIG / 4);
  });

  test('it logs counts, and no requested name', async () => {
    const lines = (): string[] => workerd.said().trim().split('\n');
    // What was broken off is the platform's own to report.
    const ours = (): Set<string> =>
      new Set(lines().filter(line => !line.endsWith('RangeError: the file is too large')));
    await expect
      .poll(ours)
      .toEqual(new Set(['symbols found', 'symbols missing', 'symbols refused', 'symbols forbidden', 'symbols failed']));
  });
});

/** The most memory that a process has held so far, in bytes; 0 where the system does not say. */
function peak({process: {pid}}: Workerd): number {
  try {
    return Number(/^VmHWM:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
