// The bytes of a stream and their fields: by keys, by the pointer, and with the real reader.
import {readFileSync} from 'node:fs';
import type {Browser, Page} from 'playwright-core';
import {expect, test} from 'vitest';
import {launch, project, type Site, serve, shownWhole} from './browser.ts';
import {fixture, type HarnessPage} from './harness/page.ts';
import {useHarness} from './harness/tests.ts';

const harness = useHarness();

const drawn = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));

const shown = async (): Promise<HarnessPage> => {
  const p = await harness.page();
  await p.open(fixture('threads'));
  await p.page.focus('#streams button:has-text("ThreadList")');
  await p.page.keyboard.press('Enter');
  await p.page.waitForSelector('.fields .option');
  await drawn(p.page);
  return p;
};

const here = async (page: Page): Promise<string> => {
  await drawn(page);
  return (await page.locator('#file-here').innerText()).replace(/\s+/g, ' ').trim();
};

const marked = (page: Page): Promise<number> => page.locator('#file-bytes .of-field').count();

const at = (): number => fixture('threads').streams?.find(s => s.name.startsWith('ThreadList'))?.offset ?? 0;

test('a stream opens at its first field, and arrows go from byte to byte', async () => {
  const {page, complaints} = await shown();
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('file-bytes');
  await expect
    .poll(() => here(page))
    .toMatch(new RegExp(`^0x${at().toString(16)} byte [0-9a-f]{2} Count 2 \\(0x2\\)$`));
  await expect.poll(() => marked(page)).toBe(4);
  for (let i = 0; i < 8; i++) await page.keyboard.press('ArrowRight');
  await expect.poll(() => here(page)).toContain('RvaOfThreadName of thread 0');
  await expect.poll(() => marked(page)).toBe(8);
  await expect.poll(() => page.locator('.option[aria-selected=true] .name').innerText()).toBe('RvaOfThreadName');
  await page.keyboard.press('Home');
  await expect.poll(() => here(page)).toContain('Count');
  expect(complaints).toEqual([]);
});

test('fields go by arrows, and their bytes follow, also where they are far away', async () => {
  const {page} = await shown();
  await page.focus('#fields');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => here(page)).toContain('ThreadId of thread 0');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => here(page)).toMatch(/^0x1000 byte 00 string of thread 0 main$/);
  await expect.poll(() => marked(page)).toBe(6);
  await page.keyboard.press('End');
  await expect.poll(() => here(page)).toContain('ThreadId of thread 1');
  const focused = await page.evaluate(() => document.activeElement?.getAttribute('aria-activedescendant'));
  expect(focused).toBe('field-4');
});

test('the pointer over a byte names its field and marks all of it', async () => {
  const {page} = await shown();
  const byte = page.locator(`[data-offset="${at() + 9}"]`);
  await byte.hover();
  await expect.poll(() => byte.getAttribute('title')).toBe('RvaOfThreadName, thread 0');
  await expect.poll(() => page.locator('#file-bytes .hovered').count()).toBe(8);
  await expect.poll(() => page.locator('.option.hovered .name').innerText()).toBe('RvaOfThreadName');
  await byte.click();
  await expect.poll(() => here(page)).toContain('RvaOfThreadName');
  await page.locator('.option', {hasText: 'Count'}).click();
  await expect.poll(() => here(page)).toContain('Count');
  await page.click('.overlay button:has-text("Close")');
  await expect.poll(() => page.locator('.overlay').count()).toBe(0);
});

test('the real reader’s fields cover what the bytes say', {timeout: 90_000}, async () => {
  const site: Site = await serve(project('dist'));
  const browser: Browser = await launch();
  try {
    const page = await browser.newPage({viewport: {width: 1440, height: 900}});
    await page.goto(site.url);
    const file = readFileSync(project('web/example/crash.dmp'));
    await page.setInputFiles('input[data-opens=files]', {
      name: 'crash.dmp',
      mimeType: 'application/octet-stream',
      buffer: file,
    });
    await shownWhole(page);
    const names = await page.locator('#streams tbody th button').allInnerTexts();
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) {
      await page.locator('#streams tbody th button', {hasText: new RegExp(`^${name}$`)}).click();
      await page.waitForSelector(`.overlay h3:text-is("${name}")`);
      await page.waitForSelector('.fields .option[aria-selected=true]');
      const offset = Number.parseInt((await page.locator('.option[aria-selected=true] .at').innerText()).slice(2), 16);
      await page.waitForSelector(`[data-offset="${offset}"]:not(.absent)`);
      const byte = await page.locator(`[data-offset="${offset}"]`).innerText();
      expect(byte, name).toBe(file[offset]?.toString(16).padStart(2, '0'));
      await expect.poll(() => page.locator('.option .name').filter({hasText: /^$/}).count(), {message: name}).toBe(0);
    }
  } finally {
    await browser.close();
    await site.close();
  }
});
