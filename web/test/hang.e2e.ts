import {expect, test} from 'vitest';
import {hashOf} from './browser.ts';
import {fixture} from './harness/page.ts';
import {texts, useHarness} from './harness/tests.ts';
import {deadlocked} from './make.ts';

const harness = useHarness();

test('says who waits for whom, in words, as a drawing and as a table', async () => {
  const {page, open, complaints} = await harness.page();
  await open(deadlocked());
  await expect
    .poll(() => texts(page, '#title'))
    .toEqual(['No crash: 3 of 3 threads wait; threads 3 and 7 wait for each other']);
  await expect
    .poll(() => texts(page, '.ring-graph .title'))
    .toEqual(['accept 3', 'net-io 7', 'mutex 0x5000', 'mutex 0x6000', 'thread 9']);
  await expect
    .poll(() => texts(page, '.ring-graph .words'))
    .toEqual(['waits for', 'held by', 'waits for', 'held by', 'joins']);
  await page.focus('.ring-graph .shape');
  for (const [key, shape] of [
    ['ArrowRight', 'mutex 0x5000, held'],
    ['ArrowRight', 'net-io 7, futex_wait'],
  ] as const) {
    await page.keyboard.press(key);
    await page.waitForSelector(`.ring-graph .shape[aria-label="${shape}"]:focus`);
  }
  expect(await page.locator('.ring-graph .shape[tabindex="0"]').evaluateAll(all => all.map(e => e.ariaLabel))).toEqual([
    'net-io 7, futex_wait',
  ]);
  await page.keyboard.press('Enter');
  await expect.poll(() => new URL(page.url()).hash).toContain('t=1');
  await page.waitForSelector('tr.frame.selected:focus');
  await page.setViewportSize({width: 360, height: 800});
  await expect
    .poll(() => texts(page, '.ring-drawing > *'))
    .toEqual([
      'accept 3',
      'waits for',
      'mutex 0x5000',
      'held by',
      'net-io 7',
      'waits for',
      'mutex 0x6000',
      'held by',
      'accept 3',
    ]);
  await expect.poll(() => texts(page, '.hang-table tbody th')).toEqual(['accept 3', 'net-io 7', '9']);
  await expect.poll(() => texts(page, '.hang .region-head .quiet')).toEqual(['1 more thread behind it']);
  expect(complaints).toEqual([]);
});

test('opens to all evidence, by keyboard', async () => {
  const {page, open} = await harness.page();
  await open(deadlocked());
  await page.locator('.hang-table td button').first().focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('.popover:popover-open');
  await expect
    .poll(() => texts(page, '.popover:popover-open li'))
    .toEqual([
      'rdi = 0x5000 address of the word that the thread waits at',
      'pthread_mutex_lock frame 1 is in this function',
      '[0x5008] = 0x7 ID of the thread that holds it',
    ]);
});

test('each dump has one stop for Tab, also after a larger graph', async () => {
  const {page, open, give} = await harness.page();
  const hung = deadlocked();
  await open(hung);
  await page.locator('.ring-graph .shape').last().focus();
  const ring = {...hung, dump: {...hung.dump, hash: 'ring'}, hang: hung.hang && {...hung.hang, behind: []}};
  await give('ring.dmp', {report: ring});
  await expect.poll(() => page.locator('.ring-graph .shape').count()).toBe(4);
  await expect.poll(() => page.locator('.ring-graph .shape[tabindex="0"]').count()).toBe(1);
});

test('leads to a thread, whose group opens and says what it waits for', async () => {
  const {page, open} = await harness.page();
  await open(deadlocked());
  await page.click('.hang-table th button:has-text("net-io")');
  await page.waitForSelector('.group[aria-expanded=true]');
  await expect.poll(() => hashOf(page)).toContain('t=1');
});

test.each([360, 1440, 2560])('keeps to %i px', async width => {
  const {page, open} = await harness.page({viewport: {width, height: 900}});
  await open(deadlocked());
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
    .toBeLessThanOrEqual(0);
});

test('is no part of a crash', async () => {
  const {page, open} = await harness.page();
  await open(fixture('threads'));
  await expect.poll(() => page.locator('.hang').count()).toBe(0);
});
