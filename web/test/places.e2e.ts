// Every place that can host the page: it loads and reads the example to its last frame, and the console stays empty.
import {spawn} from 'node:child_process';
import {cpSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import type {Browser, BrowserContext, Page} from 'playwright-core';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {launch, project, serve, shownWhole} from './browser.ts';

let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/** A page that fails the test by what it complains of. */
async function open(url: string): Promise<{page: Page; complaints: string[]}> {
  await context?.close();
  context = await browser.newContext();
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', message => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
  page.on('pageerror', error => complaints.push(error.message));
  await page.goto(url);
  return {page, complaints};
}

/** Opens the example, and expects all of its crashing thread. */
async function expectTheExample(page: Page): Promise<void> {
  await page.getByRole('button', {name: 'Null pointer'}).first().click();
  await shownWhole(page);
  await page.keyboard.press('f'); // all frames, the system's too
  const rows = page.locator('.stack-region tr.frame');
  await expect.poll(() => rows.count()).toBe(12);
  await expect
    .poll(async () => (await rows.allTextContents()).join('\n'))
    .toMatch(/desk::available[\s\S]*start_thread[\s\S]*__clone3/);
}

test('a plain static server', async () => {
  const site = await serve(project('dist'));
  const {page, complaints} = await open(site.url);
  await expectTheExample(page);
  expect(complaints).toEqual([]);
  await site.close();
});

test('a folder somewhere below the root', async () => {
  const root = mkdtempSync(join(tmpdir(), 'crashglass-'));
  cpSync(project('dist'), join(root, 'some/where'), {recursive: true});
  const site = await serve(root);
  const {page, complaints} = await open(`${site.url}some/where/`);
  await expectTheExample(page);
  expect(complaints).toEqual([]);
  expect(site.requests.filter(path => !path.startsWith('/some/where/'))).toEqual([]);
  await site.close();
  rmSync(root, {recursive: true});
});

describe('viewer.html', () => {
  test('opens from a disk, without a network', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'crashglass-'));
    cpSync(project('dist/viewer.html'), join(folder, 'viewer.html'));
    const {page, complaints} = await open('about:blank');
    const requested: string[] = [];
    context.on('request', request => requested.push(request.url()));
    await context.setOffline(true);
    await page.goto(pathToFileURL(join(folder, 'viewer.html')).href);
    await expectTheExample(page);
    expect(complaints).toEqual([]);
    expect(requested.filter(url => !/^(blob|data):/.test(url))).toEqual([
      pathToFileURL(join(folder, 'viewer.html')).href,
    ]);
    rmSync(folder, {recursive: true});
  });

  test('works from a host, too, and registers no service worker there', async () => {
    const site = await serve(project('dist'));
    const {page, complaints} = await open(`${site.url}viewer.html`);
    await expectTheExample(page);
    expect(complaints).toEqual([]);
    expect(site.requests).toEqual(['/viewer.html']);
    await expect
      .poll(async () => await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length))
      .toBe(0);
    await site.close();
  });
});

/** Starts a server that prints its address first. */
async function started(program: string, args: readonly string[]): Promise<{url: string; stop(): void}> {
  const child = spawn(program, args, {stdio: ['ignore', 'pipe', 'inherit']});
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', data => resolve(String(data).trim()));
    child.once('exit', status => reject(new Error(`${program} ended with ${status}`)));
  });
  return {url, stop: () => void child.kill()};
}

test.each([
  ['from a folder', ['--dir', project('dist')]],
  ['from itself', []],
])('crashglass serve, %s', async (_, where) => {
  const server = await started(project('build/crashglass'), ['serve', '--addr', '127.0.0.1:0', ...where]);
  const {page, complaints} = await open(server.url);
  await expectTheExample(page);
  expect(complaints).toEqual([]);
  const listing = await fetch(`${server.url}assets/`);
  expect(listing.status).toBe(404);
  server.stop();
});
