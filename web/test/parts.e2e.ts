// Large symbols at the page's own host: parts of them are asked for, and hosts answer range requests in several ways.
import {existsSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {gunzipSync} from 'node:zlib';
import type {Browser, Page} from 'playwright-core';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {corpus, launch, project, type Site, serve} from './browser.ts';
import {type Ranged, type SymbolServer, sendPart, startCache, startSymbolServer} from './symbol-server.ts';
import {configure, startWorkerd, type Workerd} from './workerd.ts';

const dump = corpus('perf/big.dmp');
const isThere = existsSync(dump);

let browser: Browser;
let server: SymbolServer;
let cache: {port: number; close(): void};
let workerd: Workerd;
let config: string;
let symbols: Ranged;
let site: Site; // a host that sends parts itself: the Worker takes a moment for each of a thousand
let parts = 0;

beforeAll(async () => {
  if (!isThere) return;
  const file = gunzipSync(readFileSync(corpus('perf/minidump-stackwalk.sym.gz')));
  const [, , , id = '', name = ''] = file.subarray(0, 200).toString('latin1').split('\n', 1)[0]?.split(' ') ?? [];
  symbols = {file, how: 'honest', sent: 0};
  server = await startSymbolServer(new Map(), new Map([[`/store/${name}/${id}/${name}.sym`, symbols]]));
  cache = await startCache(new Map());
  config = configure('parts', `breakpad=http://127.0.0.1:${server.port}/store/`, server.port, cache.port);
  const larger = readFileSync(config, 'utf8').replace(/("SYMBOL_MAX_BYTES", text = )"\d+"/, '$1"2GiB"');
  writeFileSync(config, larger);
  workerd = await startWorkerd(config);
  site = await serve(project('dist'), (request, response) => {
    if (request.url === '/site.json') response.end('{"symbols": "symbols/", "builds": false}');
    else if (request.url?.startsWith(`/symbols/${name}/`)) {
      parts++;
      sendPart(symbols, request, response);
    } else return false;
    return true;
  });
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  workerd?.process.kill();
  server?.close();
  await site?.close();
  cache?.close();
  if (config) rmSync(config, {force: true});
});

/** Opens the dump, agrees to the list, and returns the page. */
async function openFrom(how: Ranged['how'], url = workerd.url): Promise<Page> {
  symbols.how = how;
  symbols.sent = 0;
  const page = await browser.newPage();
  await page.goto(url);
  await page.waitForSelector('.local:has-text("0 requests")');
  await page.setInputFiles('input[data-opens=files]', dump);
  await page.getByRole('button', {name: 'Get from this host'}).click();
  await page.getByRole('button', {name: /^Get \d+ files?$/}).click();
  return page;
}

const text = (page: Page): Promise<string> => page.evaluate(() => document.body.textContent ?? '');

test.skipIf(!isThere)('all stacks are named with less than 3 % of the file', {timeout: 300_000}, async () => {
  const start = performance.now();
  const page = await openFrom('honest', site.url);
  await page.locator('.verdict').getByRole('button', {name: 'Show', exact: true}).click({timeout: 240_000});
  await expect.poll(() => text(page)).toContain('input_len');
  const share = symbols.sent / symbols.file.length;
  process.stderr.write(
    `${symbols.sent} bytes, ${(100 * share).toFixed(2)} %, ${parts} requests, ${Math.round(performance.now() - start)} ms\n`,
  );
  expect(share).toBeLessThan(0.03);
  await page.close();
});

test.skipIf(!isThere).each([
  ['ignores ranges', 'the host sent all of the file for a part of it'],
  ['sends another part', 'the host answered 502 for a part of the file'],
  ['changes the file', 'the file at the host has changed'],
] as const)('a host that %s is refused', async (how, why) => {
  const page = await openFrom(how);
  await expect.poll(() => text(page)).toContain(why);
  await expect.poll(() => text(page)).not.toContain('input_len');
  await page.close();
});
