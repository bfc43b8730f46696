// What is shown of a crash while its symbols are still being read: first the part that symbols cannot change, then the rest.
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Browser, Page} from 'playwright-core';
import {afterAll, afterEach, beforeAll, beforeEach, expect, test} from 'vitest';
import {hashOf, launch, project, type Site, serve, shownWhole} from './browser.ts';
import {writeLarge} from './large.ts';

const dump = project('web/example/crash.dmp');

let browser: Browser;
let site: Site;
let folder: string;
let symbols: string;
let page: Page;

beforeAll(async () => {
  [browser, site] = await Promise.all([launch(), serve(project('dist'))]);
  folder = mkdtempSync(join(tmpdir(), 'crashglass-early-'));
  symbols = join(folder, 'desk.sym');
  writeLarge(symbols, 0);
});
afterAll(async () => {
  await Promise.all([browser.close(), site.close()]);
  rmSync(folder, {recursive: true, force: true});
});

/** In the page: holds what workers are asked to scan, until release is called. */
function delay(): void {
  const send = Worker.prototype.postMessage;
  const delayed: (() => void)[] = [];
  let open = false;
  const release = (): void => {
    open = true;
    for (const go of delayed.splice(0)) go();
  };
  Object.assign(globalThis, {release});
  Worker.prototype.postMessage = function (this: Worker, message: {request?: {op: string}}) {
    if (message.request?.op === 'scan' && !open) delayed.push(() => send.call(this, message));
    else send.call(this, message);
  };
}

const functions = (): Promise<string[]> =>
  page.locator('.stack-region').first().locator('tr.frame th.function').allInnerTexts();
const selected = (): Promise<string> => page.locator('tr.frame.selected th.function').innerText();
const release = (): Promise<void> => page.evaluate('release()');

beforeEach(async () => {
  const context = await browser.newContext();
  page = await context.newPage();
  await page.addInitScript(delay);
  await page.goto(site.url);
  await page.waitForSelector('.local:has-text("0 requests")');
  await page.setInputFiles('input[data-opens=files]', [dump, symbols]);
  await page.locator('tr.frame').first().waitFor();
});
afterEach(() => page.context().close());

test('the innermost frame and the crash are shown before the symbols are read, with a note that more will come', async () => {
  await expect.poll(() => functions()).toHaveLength(1);
  await expect
    .poll(() => page.locator('.stack-region').first().innerText())
    .toContain('More to come: the other frames need symbols that are still being read');
  await expect.poll(() => page.locator('.symbols-link').innerText()).toContain('being read');
  // A browser lays out the groups that are near the view only, and innerText is what it laid out.
  const group = page.locator('.group').first();
  await group.scrollIntoViewIfNeeded();
  await expect.poll(() => group.innerText()).toContain('not walked yet');
  await expect.poll(() => page.locator('.verdict').innerText()).toContain('Null pointer read');
  await page.locator('[role=progressbar], progress').first().waitFor();
});

test('the other frames appear below, and the frame of the verdict is selected', async () => {
  const first = await page.locator('tr.frame').first().boundingBox();
  await release();
  await page.getByText('desk::available').first().waitFor();
  await expect.poll(async () => (await functions()).length).toBeGreaterThan(3);
  await page.waitForSelector('.symbols-link:not(:has-text("being read"))');
  await expect.poll(() => page.locator('.toast').isVisible()).toBe(false);
  await expect.poll(() => selected()).toContain('desk::available');
  await expect.poll(async () => (await page.locator('tr.frame').first().boundingBox())?.y).toBe(first?.y);
  const fresh = await browser.newPage();
  await fresh.goto(site.url);
  await fresh.setInputFiles('input[data-opens=files]', [dump, project('web/example/desk.sym')]);
  await fresh.getByText('desk::available').first().waitFor();
  await shownWhole(fresh);
  await expect
    .poll(() => page.locator('.stack-region').first().innerText())
    .toBe(await fresh.locator('.stack-region').first().innerText());
  await expect.poll(() => hashOf(page)).toBe(await hashOf(fresh));
  await fresh.close();
});

test('a frame that the user selects meanwhile stays selected', async () => {
  await page.locator('tr.frame').first().click();
  await expect.poll(() => hashOf(page)).not.toBe('');
  const hash = await hashOf(page);
  await release();
  await page.getByText('desk::available').first().waitFor();
  await page.waitForSelector('.symbols-link:not(:has-text("being read"))');
  expect(await hashOf(page)).toBe(hash);
  await expect.poll(() => page.locator('tr.frame.selected').count()).toBe(1);
});

test('what is shown stays when the reading is stopped', async () => {
  await page
    .getByRole('button', {name: /cancel|stop/i})
    .first()
    .click();
  await expect.poll(() => page.locator('progress, [role=progressbar]').count()).toBe(0);
  await expect.poll(() => functions()).toHaveLength(1);
  await expect.poll(() => page.locator('.verdict').innerText()).toContain('Null pointer read');
});
