// The first screen: few controls, and the answer where the eye begins.
import {existsSync} from 'node:fs';
import type {Page} from 'playwright-core';
import {describe, expect, test} from 'vitest';
import {corpus, openAgain, shownWhole} from './browser.ts';
import {browser, example, exampleSymbols, site} from './built.ts';

// Rows of grids, trees, lists and strips are content, which the user reads; everything else that can be pressed counts.
function controlsInView(): string[] {
  const rows = 'tr, li, [role=row], svg, dl, .strip, .group, .hex';
  return [
    ...document.querySelectorAll<HTMLElement>(
      'button, label.button, a[href], [role=tab], summary, select, input:not([type=file])',
    ),
  ]
    .filter(e => {
      const {top, bottom, left, right, width, height} = e.getBoundingClientRect();
      const isInView = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth && width * height > 0;
      return isInView && e.checkVisibility({visibilityProperty: true}) && !e.matches('.skip') && !e.closest(rows);
    })
    .map(e => (e.textContent.trim() || e.ariaLabel) ?? e.tagName);
}

const most = 20;

const libraries = ['ld-linux-x86-64.so.2', 'libc.so.6', 'libgcc_s.so.1', 'libm.so.6', 'libstdc++.so.6'];
const bug = (program: string, number: number, source: string): string[] =>
  [`cores/${program}-${number}.core.zst`, `native/${program}`, ...libraries.map(l => `libs/${l}`), `src/${source}`].map(
    path => corpus(`bugs/${path}`),
  );

interface Case {
  readonly files: readonly string[];
  /** Functions of the user's own code are named. */
  readonly named?: boolean;
  readonly source?: boolean;
}

const cases: Readonly<Record<string, Case>> = {
  'null pointer': {
    files: [example('crash.dmp'), ...exampleSymbols, example('crash.cpp')],
    named: true,
    source: true,
  },
  deadlock: {files: ['hang.dmp', 'hang.elf', 'hang-libc.sym', 'hang.cpp'].map(example)},
  'poor dump': {files: [example('poor.dmp')]},
  'C++': {files: bug('depot', 11, 'depot.cpp'), named: true, source: true},
  'double free': {files: bug('depot', 21, 'depot.cpp'), named: true, source: true},
  Rust: {files: bug('quarry', 11, 'quarry.rs'), named: true},
  'C++ without symbols': {files: [corpus('bugs/cores/depot-11.core.zst')]},
  'no source': {files: ['dumps/core_threads_o2.dmp', 'native/threads_o2'].map(f => corpus(`real/${f}`)), named: true},
  'mostly guessed': {files: [corpus('real/dumps/chromium_renderer.dmp')]},
  Windows: {files: [corpus('field/dumps/windows-x86.dmp.gz')]},
  macOS: {files: [corpus('field/dumps/macos-x86_64.dmp.gz')]},
  'kernel of Windows': {files: [corpus('kernel/triage-x64/dump.dmp.gz')]},
  'Go, running': {files: [corpus('go/cores/crowd.core.zst'), corpus('go/native/crowd.zst')]},
  'sanitizer report': {files: [corpus('texts/asan-curve/asan-curve.log')]},
};

async function shown(files: readonly string[]): Promise<Page> {
  const {page} = await openAgain(browser, site);
  await page.setInputFiles('input[data-opens=files]', [...files]);
  await shownWhole(page);
  await page.evaluate(() => document.querySelector('#raw > details')?.removeAttribute('open'));
  return page;
}

const bottom = (page: Page, selector: string): Promise<number> =>
  page
    .locator(selector)
    .first()
    .evaluate(e => e.getBoundingClientRect().bottom);
const top = (page: Page, selector: string): Promise<number> =>
  page
    .locator(selector)
    .first()
    .evaluate(e => e.getBoundingClientRect().top);

describe.each(Object.entries(cases))('%s', (_, {files, named = false, source = false}) => {
  test('has few controls, and its panel and first frame where the eye begins', async context => {
    const missing = files.find(file => !existsSync(file));
    if (missing !== undefined) context.skip(`no ${missing}`);
    const page = await shown(files);
    await page.setViewportSize({width: 1440, height: 900});
    await expect.poll(async () => (await page.evaluate(controlsInView)).slice(most)).toEqual([]);
    await expect.poll(() => top(page, 'tr.frame')).toBeLessThan(named ? 450 : 590);
    if (named) await expect.poll(() => bottom(page, '.crash-panel')).toBeLessThan(420);
    await page.setViewportSize({width: 1280, height: 720});
    if (source) await expect.poll(() => bottom(page, '.failed tr:is(.crash, .here)')).toBeLessThan(720);
  });
});

test('on a phone no line of the facts begins with a dot, and marks stand apart from their words', async () => {
  const page = await shown(cases['null pointer']?.files ?? []);
  await page.setViewportSize({width: 360, height: 780});
  const begins = (): Promise<string[]> =>
    page.locator('.in-short > *').evaluateAll(all => all.map(e => getComputedStyle(e, '::before').content));
  await expect.poll(async () => (await begins()).filter(content => content.includes('·'))).toEqual([]);
  await expect
    .poll(() => page.locator('.symbols-link').evaluate(e => getComputedStyle(e).columnGap))
    .not.toBe('normal');
});

test('on a phone the marked instruction and its sentence are one block', async context => {
  const {files} = cases['no source'] ?? {files: []};
  if (files.some(file => !existsSync(file))) context.skip('no corpus at ../shared/corpus');
  const page = await shown(files);
  await page.setViewportSize({width: 360, height: 780});
  const gap = async (): Promise<number> =>
    (await top(page, '.code-panel .said > :last-child')) - (await bottom(page, '.code-panel tr.crash'));
  await expect.poll(() => gap()).toBeLessThanOrEqual(1);
});

test('an open object has a bar of its members, and they have offsets', async context => {
  const files = ['dumps/shop_o0.full.dmp', 'native/shop_o0', 'src/shop.cpp'].map(path => corpus(`vars/${path}`));
  if (files.some(file => !existsSync(file))) context.skip('no corpus at ../shared/corpus');
  const page = await shown(files);
  await page.click('.variable:has-text("ring")');
  await page.waitForSelector('.object rect');
  await expect.poll(() => page.locator('.variable[aria-level="2"] .where').first().innerText()).toBe('+0x0');
});
