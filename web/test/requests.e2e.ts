// Asking the page's own host for symbols: no request before the user agrees to the list, exactly the list after that, and then names.
import {readFileSync, rmSync} from 'node:fs';
import type {Browser} from 'playwright-core';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {launch, project, shownWhole} from './browser.ts';
import {type SymbolServer, startCache, startSymbolServer} from './symbol-server.ts';
import {configure, startWorkerd, type Workerd} from './workerd.ts';

let browser: Browser;
let server: SymbolServer;
let cache: {port: number; close(): void};
let workerd: Workerd;
let config: string;

const desk = readFileSync(project('web/example/desk.sym'));
const [, , , id = '', name = ''] = desk.toString().split('\n', 1)[0]?.split(' ') ?? [];
const path = `${name}/${id}/${name}.sym`;
const files = new Map([[`/store/${path}`, desk]]);
const refused = new Set<string>();

beforeAll(async () => {
  server = await startSymbolServer(files, new Map(), refused);
  cache = await startCache(new Map());
  config = configure('ask', `breakpad=http://127.0.0.1:${server.port}/store/`, server.port, cache.port);
  workerd = await startWorkerd(config);
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  workerd?.process.kill();
  server?.close();
  cache?.close();
  rmSync(config, {force: true});
});

test('the list is shown, and then asked for', async () => {
  const page = await browser.newPage();
  await page.goto(workerd.url);
  await page.waitForSelector('.local:has-text("0 requests")');
  await page.setInputFiles('input[data-opens=files]', project('web/example/crash.dmp'));
  await shownWhole(page); // more threads may want more files
  await page.getByRole('button', {name: 'Get from this host'}).click();
  const list = page.locator('#request-symbols li');
  await expect.poll(() => list.allTextContents()).toContain(path);
  const listed = await list.allTextContents();
  expect(server.requests).toEqual([]);
  await expect.poll(() => page.locator('.local').textContent()).toBe('Local, 0 requests');

  await page.getByRole('button', {name: /^Get \d+ files?$/}).click();
  const stack = page.locator('.stack-region');
  await expect.poll(() => stack.textContent()).toContain('desk::');
  expect(server.requests.map(({path}) => path.replace('/store/', ''))).toEqual(listed.map(decodeURIComponent));
  await expect.poll(() => page.locator('.local').textContent()).toBe(`Local, ${listed.length} requests`);
  // The page itself still sends no request, not even to this host.
  expect(await page.evaluate(() => fetch('symbols/').catch(() => 'refused'))).toBe('refused');
  await page.close();
});

test('a refusal is no missing file, is asked for once, and asked for again at the next visit', async () => {
  files.delete(`/store/${path}`);
  refused.add(`/store/${path}`);
  for (let visit = 0; visit < 2; visit++) {
    const page = await browser.newPage();
    await page.goto(workerd.url);
    await page.waitForSelector('.local:has-text("0 requests")');
    await page.setInputFiles('input[data-opens=files]', project('web/example/crash.dmp'));
    await shownWhole(page); // more threads may want more files
    server.requests.length = 0;
    await page.getByRole('button', {name: 'Get from this host'}).click();
    await page.getByRole('button', {name: /^Get \d+ files?$/}).click();
    await page.getByText('The host sent none of these files: it answered 403').first().waitFor();
    expect(server.requests.filter(({path: at}) => at === `/store/${path}`)).toHaveLength(1);
    await page.close();
  }
  refused.clear();
});

test('a page for signing in is no symbol file', async () => {
  const page = await browser.newPage();
  files.set(`/store/${path}`, Buffer.from('<!DOCTYPE html><title>Sign in</title>'));
  await page.goto(workerd.url);
  await page.waitForSelector('.local:has-text("0 requests")');
  await page.setInputFiles('input[data-opens=files]', project('web/example/crash.dmp'));
  await shownWhole(page); // more threads may want more files
  await page.getByRole('button', {name: 'Get from this host'}).click();
  await page.getByRole('button', {name: /^Get \d+ files?$/}).click();
  await page.getByText('The host sent none of these files: it sent a web page instead').first().waitFor();
  await expect.poll(() => page.getByText('Sign in').count()).toBe(0);
  await page.close();
});
