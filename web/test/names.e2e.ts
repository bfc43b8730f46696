// Functions under both of their names, and modules whose symbols came out of several files.
import {readFileSync} from 'node:fs';
import type {Page} from 'playwright-core';
import {expect, test} from 'vitest';
import type {Report, Symbols} from '../src/report.ts';
import {fixture, type HarnessPage} from './harness/page.ts';
import {useHarness} from './harness/tests.ts';
import {frame, inline, module, report, thread} from './make.ts';

const harness = useHarness();

const symbols: Symbols = {
  state: 'matched',
  file: 'build/libwork.so.debug',
  given_id: null,
  why: null,
  lines: true,
  inlines: true,
  cfi: true,
  code: true,
  bytes: 1000,
  forcible: false,
  also: ['build/libwork.so'],
};

const named = (): Report => {
  const inlines = [{...inline('queue::pop()'), linkage_function: '_ZN5queue3popEv'}];
  const frames = [
    frame(0, {function: 'work::run()', linkage_function: '_ZN4work3runEv', inlines}),
    frame(1, {function: '_ZN4main2goEv', readable_function: 'main::go()'}),
    frame(2, 'start'),
  ];
  const other = thread([frame(0, {function: 'idle::wait()', linkage_function: '_ZN4idle4waitEv'})], {thread_id: 2});
  const alone: Symbols = {...symbols, file: 'libold.sym', also: null, code: false};
  return report({
    threads: [thread(frames, {crashed: true}), other],
    modules: [module('libwork.so', {symbols}), module('libold.so', {symbols: alone})],
  });
};

const shown = async (): Promise<HarnessPage> => {
  const p = await harness.page();
  await p.open(named());
  return p;
};

const functions = async (page: Page): Promise<string[]> => {
  await page.evaluate(() => new Promise(requestAnimationFrame));
  return page.locator('.stack-region tr.frame .function').allInnerTexts();
};

test('names are demangled, and r shows the raw ones', async () => {
  const {page, complaints} = await shown();
  const readable = ['queue::pop()', 'work::run()', 'main::go()', 'start'];
  await expect.poll(() => functions(page)).toEqual(readable);
  await page.keyboard.press('r');
  await expect.poll(() => functions(page)).toEqual(['_ZN5queue3popEv', '_ZN4work3runEv', '_ZN4main2goEv', 'start']);
  await page.getByRole('button', {name: 'View', exact: true}).click();
  const button = page.getByRole('button', {name: 'Raw names'});
  await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true');
  await button.click();
  await expect.poll(() => functions(page)).toEqual(readable);
  await expect.poll(() => page.locator('tr.frame.selected').count()).toBe(1);
  expect(complaints).toEqual([]);
});

test('files that were used together are named, and native ones become a .sym file', async () => {
  const {page} = await shown();
  const rows = page.locator('#modules tbody tr');
  const work = await rows.filter({hasText: 'libwork.so'}).innerText();
  expect(work).toContain('from libwork.so.debug, libwork.so; its code is here, too');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', {name: 'Download .sym of libwork.so'}).last().click(),
  ]);
  expect(download.suggestedFilename()).toBe('libwork.so.sym');
  expect(readFileSync(await download.path(), 'utf8')).toMatch(/^MODULE /);
  await expect.poll(() => rows.filter({hasText: 'libold.so'}).getByRole('button').count()).toBe(0);
});

// From six groups on there is a filter.
const crowded = (): Report => {
  const {threads, ...rest} = named();
  const others = Array.from({length: 6}, (_, i) => thread([frame(0, `other_${i}`)], {thread_id: 10 + i}));
  const [main, ...idle] = threads ?? [];
  const started = (main?.frames ?? []).map(f => (f.frame === 0 ? {...f, function_offset: '0x8' as const} : f));
  return {...rest, dump: {...rest.dump, memory: 4096}, threads: [thread(started, {crashed: true}), ...idle, ...others]};
};

test.each([
  ['readable', '_ZN4idle4wait', 'idle::wait()'],
  ['readable', 'IDLE::WAIT', 'idle::wait()'],
  ['raw', 'idle::wait', '_ZN4idle4waitEv'],
  ['raw', '_zn4idle', '_ZN4idle4waitEv'],
])('with %s names shown the filter finds %s', async (spelling, text, name) => {
  const {page, open} = await harness.page();
  await open(crowded());
  if (spelling === 'raw') await page.keyboard.press('r');
  await page.fill('#filter', text);
  await page.waitForSelector('#threads [role=status]:has-text("1 shown")');
  await expect.poll(() => page.locator('.group .where-name').allInnerTexts()).toEqual([name]);
});

test.each([
  ['readable', '_ZN4work3runEv'],
  ['readable', 'work::run()'],
  ['readable', 'work::run'],
  ['raw', 'work::run()'],
  ['raw', '_ZN4work3runEv + 0x8'],
])('with %s names shown %s leads to the function', async (spelling, text) => {
  const {page, open} = await harness.page();
  await open(crowded());
  if (spelling === 'raw') await page.keyboard.press('r');
  await page.fill('#goto', text);
  await page.press('#goto', 'Enter');
  await page.waitForSelector('#hex code');
  // The frame is eight bytes into it. Nothing of it was captured, which the view says.
  await expect
    .poll(() => page.locator('#hex code').first().innerText())
    .toBe(text.endsWith('0x8') ? '0x1000' : '0xff8');
});

// A name has the offset from itself or from its module, never both.
test.each(['threads', 'chromium'] as const)('%s: no name has two offsets behind it', async name => {
  const {page, open} = await harness.page({viewport: {width: 1440, height: 900}});
  await open(fixture(name));
  const twice = (): Promise<string[]> =>
    page
      .locator('main')
      .evaluate(main =>
        [...main.querySelectorAll<HTMLElement>('tr, li, p, h1, h2, dd, button')]
          .map(e => e.innerText.replace(/\s+/g, ' '))
          .filter(text => /\+ ?0x[\da-f]+\S* \+ ?0x/.test(text)),
      );
  const inRows = (): Promise<string[]> =>
    page
      .locator('tr.frame')
      .evaluateAll(rows => rows.map(row => row.textContent ?? '').filter(text => text.split('0x').length > 2));
  await page.keyboard.press('x');
  await expect.poll(() => page.locator('tr.frame').count()).toBeGreaterThan(3);
  for (const tab of ['Registers', 'Stack words', 'Evidence']) {
    await page.click(`[role=tab]:has-text("${tab}")`);
    expect([tab, await twice(), await inRows()]).toEqual([tab, [], []]);
  }
});
