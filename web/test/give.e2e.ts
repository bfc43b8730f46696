// Capsules, made in the page: the page shows their size before they are saved, and they show the same stack everywhere.
import {mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import type {Page} from 'playwright-core';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {openFresh, project, shownWhole} from './browser.ts';
import {browser, site} from './built.ts';

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'crashglass-give-'));
});
afterAll(async () => {
  rmSync(folder, {recursive: true});
});

const example = ['crash.dmp', 'desk.sym', 'libc.sym', 'libstdcpp.sym'].map(name => project(`web/example/${name}`));

const rows = (page: Page): Promise<string[]> =>
  page
    .locator('.stack-region')
    .first()
    .locator('tr.frame')
    .evaluateAll(all => all.map(row => row.querySelector('.function')?.textContent?.replace(/\s+/g, ' ').trim() ?? ''));

async function share(page: Page): Promise<void> {
  await page.keyboard.press('s');
  await page.click('#share-popover button:has-text("Make")');
  await page.waitForSelector('#share[open] .tells');
}

/** What the dialog says of a file before it is saved, and the file. */
async function made(page: Page): Promise<{words: string; path: string}> {
  await page.click('#share-capsule');
  await page.waitForSelector('#share-save');
  const words = await page.locator('#share .cleaned').innerText();
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#share-save')]);
  const path = join(folder, download.suggestedFilename());
  writeFileSync(path, readFileSync(await download.path()));
  return {words, path};
}

async function withExample(host = site): Promise<{page: Page; complaints: string[]}> {
  const fresh = await openFresh(browser, host);
  await fresh.page.evaluate('navigator.serviceWorker.ready.then(() => true)');
  await fresh.page.setInputFiles('input[data-opens=files]', [...example]);
  await shownWhole(fresh.page);
  return fresh;
}

/** A file from the disk, without a network. */
async function opened(path: string): Promise<{page: Page; complaints: string[]; requested: string[]}> {
  const context = await browser.newContext({viewport: {width: 1440, height: 900}});
  const page = await context.newPage();
  const [complaints, requested]: [string[], string[]] = [[], []];
  page.on('console', message => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
  page.on('pageerror', error => complaints.push(error.message));
  context.on('request', request => requested.push(request.url()));
  await context.setOffline(true);
  await page.goto(pathToFileURL(path).href);
  await shownWhole(page);
  return {page, complaints, requested: requested.filter(url => !/^(blob|data):/.test(url))};
}

test('a capsule opens offline with the same stack, and makes another one', async () => {
  const {page, complaints} = await withExample();
  const want = await rows(page);
  await share(page);
  await page.selectOption('#share-symbols-names', 'all');
  const first = await made(page);
  expect(first.words).toMatch(/The capsule: [\d.]+ Mi?B: the dump [\d.]+ ki?B, 3 symbol files [\d.]+ ki?B/i);
  expect(first.path).toMatch(/crash\.capsule\.html$/);
  expect(complaints).toEqual([]);
  await page.context().close();

  const text = readFileSync(first.path, 'utf8');
  expect(text.length).toBeLessThan(8_000_000);
  expect(text).toContain('"cleaned":true');
  expect(text).toContain('Apache License');
  for (const word of ['mallory', 'hunter2', 'ghp_']) expect(text).not.toContain(word);

  const capsule = await opened(first.path);
  await expect.poll(() => rows(capsule.page)).toEqual(want);
  await expect
    .poll(() => capsule.page.locator('details.capsule').innerText())
    .toContain('The file says that personal data was removed from the dump');
  await share(capsule.page);
  await capsule.page.selectOption('#share-symbols-names', 'all');
  const second = await made(capsule.page);
  expect(capsule.complaints).toEqual([]);
  expect(capsule.requested).toEqual([pathToFileURL(first.path).href]);
  await capsule.page.context().close();

  const again = await opened(second.path);
  await expect.poll(() => rows(again.page)).toEqual(want);
  expect(again.complaints).toEqual([]);
  await expect.poll(() => again.page.title()).not.toBe('');
  expect((readFileSync(second.path, 'utf8').match(/data-role="dump"/g) ?? []).length).toBe(1);
  await again.page.context().close();
});

test('the page of a remote host makes a capsule with the program as the host sent it', async () => {
  const {page, complaints} = await withExample({...site, url: site.url.replace('127.0.0.1', 'crashglass.localhost')});
  const want = await rows(page);
  await share(page);
  const {path} = await made(page);
  expect(complaints).toEqual([]);
  await page.context().close();
  expect(statSync(path).size).toBeLessThan(4_000_000);
  const capsule = await opened(path);
  await expect.poll(() => rows(capsule.page)).toEqual(want);
  expect(capsule.complaints).toEqual([]);
  await capsule.page.context().close();
});

test('without a copy of the page, a message says what to use instead', async () => {
  const {page} = await withExample();
  await page.evaluate('caches.keys().then(names => Promise.all(names.map(name => caches.delete(name))))');
  await share(page);
  await page.click('#share-capsule');
  await page.waitForSelector('#share [role=status] .doubt');
  await expect
    .poll(() => page.locator('#share [role=status]').innerText())
    .toContain('Use viewer.html, or crashglass capsule on a terminal.');
  await page.context().close();
});
