// A visit keeps the page: it opens again with the server gone, never mixes two builds, and receives files that the system shares.
import {cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Browser, BrowserContext, Page} from 'playwright-core';
import {afterAll, afterEach, beforeAll, beforeEach, expect, test, vi} from 'vitest';
import {launch, project, type Site, serve} from './browser.ts';

// Each opens the page several times, and a busy machine takes its time for each.
vi.setConfig({testTimeout: 120_000});

let browser: Browser;
let context: BrowserContext;
let page: Page;
let site: Site;
let folder: string;

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'crashglass-'));
  cpSync(project('dist'), folder, {recursive: true});
  site = await serve(folder);
  context = await browser.newContext();
  page = await context.newPage();
});
afterEach(async () => {
  await context.close();
  await site.close().catch(() => {});
  rmSync(folder, {recursive: true});
});

const ready = (): Promise<unknown> => page.waitForSelector('.local:has-text("0 requests")', {timeout: 60_000});

async function openExample(): Promise<void> {
  await page.getByRole('button', {name: 'Null pointer'}).first().click();
  await expect.poll(() => page.locator('.stack-region tr.frame').count(), {timeout: 60_000}).toBe(9);
}

test('after one visit it opens with the server stopped', async () => {
  await page.goto(site.url);
  await ready();
  await site.close();
  await page.reload();
  await ready();
  await openExample();
});

test('the second visit requests only files that may have changed', async () => {
  await page.goto(site.url);
  await ready();
  site.requests.length = 0;
  await page.reload();
  await ready();
  expect(site.requests.filter(path => !['/sw.js', '/site.json'].includes(path))).toEqual([]);
});

test('a file of another build is not kept, and the page works all the same', async () => {
  writeFileSync(join(folder, 'icon.svg'), '<svg/>');
  await page.goto(site.url);
  await ready();
  await expect.poll(() => page.evaluate(() => caches.keys())).toEqual([]);
  await openExample();
});

test('a new version is announced, and loaded when the user agrees', async () => {
  await page.goto(site.url);
  await ready();
  const [first] = await page.evaluate(() => caches.keys());
  // Another build: the name of the page's and its digest.
  const worker = readFileSync(join(folder, 'sw.js'), 'utf8');
  const name = first?.replace('crashglass-', '') ?? '';
  expect(worker).toContain(name);
  writeFileSync(join(folder, 'sw.js'), worker.replaceAll(name, 'another'));
  // A visit does not wait for long to hear of it; on a slow machine only the next one knows.
  const cached = async (): Promise<string[]> => {
    await page.reload();
    await ready();
    return page.evaluate(() => caches.keys());
  };
  await expect.poll(cached, {timeout: 60_000}).toEqual([first, 'crashglass-another']);
  await page.reload();
  await ready();
  await page.locator('.local').click();
  const loaded = page.waitForEvent('load');
  await page.getByRole('button', {name: 'Load it, and close what is open'}).click();
  await loaded;
  await ready();
  await expect.poll(() => page.evaluate(() => caches.keys())).toEqual(['crashglass-another']);
  await openExample();
});

test('what is shared with the page stays on the machine, and reaches the page that it opens alone', async () => {
  await page.goto(site.url);
  await ready();
  const {other, heard} = await listening();
  site.requests.length = 0;
  const dump = [...readFileSync(project('web/example/crash.dmp'))];
  // The system's share sheet posts a form to the address that the manifest names; so does this, past the page's policy.
  const session = await context.newCDPSession(page);
  await session.send('Page.setBypassCSP', {enabled: true});
  await page.reload();
  await ready();
  site.requests.length = 0;
  await page.evaluate(bytes => {
    const form = document.createElement('form');
    form.method = 'post';
    form.enctype = 'multipart/form-data';
    form.action = 'share';
    const input = document.createElement('input');
    input.type = 'file';
    input.name = 'files';
    const files = new DataTransfer();
    files.items.add(new File([new Uint8Array(bytes)], 'shared.dmp'));
    input.files = files.files;
    form.append(input);
    document.body.append(form);
    form.submit();
  }, dump);
  await tellAll(other);
  await page.waitForSelector('.facts', {timeout: 60_000});
  await tellAll(other);
  await expect.poll(() => page.locator('.topbar .dump').textContent()).toContain('shared.dmp');
  expect(page.url()).toMatch(new RegExp(`^${site.url}(#.*)?$`));
  expect(site.requests.filter(path => !['/sw.js', '/site.json'].includes(path))).toEqual([]);
  expect(await heard()).toEqual([]);
});

/** Another page of the same folder, and the messages with files that it gets. */
async function listening(): Promise<{other: Page; heard: () => Promise<unknown>}> {
  const other = await context.newPage();
  await other.goto(site.url);
  await other.waitForSelector('.local:has-text("0 requests")', {timeout: 60_000});
  await other.evaluate(() => {
    const heard: unknown[] = [];
    Object.assign(window, {heard});
    navigator.serviceWorker.addEventListener('message', ({data}) => 'files' in data && heard.push(data.files.length));
  });
  return {other, heard: () => other.evaluate('heard')};
}

/** Sends the service worker what it knows of files, and what it does not know, and waits for a moment. */
const tellAll = (from: Page): Promise<void> =>
  from.evaluate(async () => {
    for (const message of [{kind: 'shared'}, {kind: 'unknown'}, {}, null, 'shared']) {
      navigator.serviceWorker.controller?.postMessage(message);
    }
    await new Promise(resolve => setTimeout(resolve, 300));
  });

// Without its scripts the page does not lock itself: behind the lock a browser without a window, which has not read the manifest before, cannot do so any more.
test('it can be installed', async () => {
  await context.close();
  context = await browser.newContext({javaScriptEnabled: false});
  page = await context.newPage();
  await page.goto(site.url);
  const session = await context.newCDPSession(page);
  const {errors, data} = await session.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  const manifest = JSON.parse(data ?? '{}');
  expect(manifest.file_handlers[0].accept['application/vnd.ms-minidump']).toEqual(['.dmp', '.mdmp']);
  expect(manifest.share_target).toMatchObject({action: './share', method: 'POST', enctype: 'multipart/form-data'});
  const {installabilityErrors} = await session.send('Page.getInstallabilityErrors');
  // A context of a test is a private window, which installs nothing and reads no icon: those are looked at here.
  const expected = ['in-incognito', 'no-acceptable-icon'];
  expect(installabilityErrors.map(({errorId}) => errorId).filter(id => !expected.includes(id))).toEqual([]);
  for (const {src, sizes, type} of manifest.icons.filter((icon: {type: string}) => icon.type === 'image/png')) {
    const icon = Buffer.from(await (await fetch(new URL(src, site.url))).arrayBuffer());
    expect([type, `${icon.readUInt32BE(16)}x${icon.readUInt32BE(20)}`]).toEqual(['image/png', sizes]);
  }
});
