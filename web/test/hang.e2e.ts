import {expect, test} from 'vitest';
import {hashOf} from './browser.ts';
import {fixture} from './harness/page.ts';
import {texts, useHarness} from './harness/tests.ts';
import {deadlocked} from './make.ts';

const harness = useHarness();

test('says which thread waits for which, as cards, as a chain of evidence and as a table', async () => {
  const {page, open, complaints} = await harness.page();
  await open(deadlocked());
  await expect
    .poll(() => texts(page, '#title'))
    .toEqual(['No crash: 3 of 3 threads wait; threads 3 and 7 wait for each other']);
  await expect.poll(() => texts(page, '.card-head button')).toEqual(['accept 3', 'net-io 7']);
  await expect
    .poll(() => texts(page, '.card-part.stuck > b'))
    .toEqual(['Waits for mutex 0x5000', 'Waits for mutex 0x6000']);
  await expect.poll(() => texts(page, '.pill')).toEqual(['mutex 0x5000', 'mutex 0x6000', 'end of thread 3']);
  await expect
    .poll(() => texts(page, '.order'))
    .toEqual([
      'Take both locks in one order: accept 3 takes mutex 0x6000 then mutex 0x5000, net-io 7 takes mutex 0x5000 then mutex 0x6000.',
    ]);
  await expect.poll(() => page.locator('.hang-known li').count()).toBe(4);
  await expect.poll(() => page.locator('.crash-panel').count()).toBe(0);
  await page.click('.hang-waits > summary');
  await expect.poll(() => texts(page, '.hang-table tbody th')).toEqual(['accept 3', 'net-io 7', 'thread 9']);
  await expect.poll(() => texts(page, '.hang .region-head .quiet')).toEqual(['1 more thread behind it']);
  expect(complaints).toEqual([]);
});

test('the arrows of two threads are level and lead to the thread that holds the lock; a phone has one column', async () => {
  const {page, open} = await harness.page({viewport: {width: 1440, height: 900}});
  await open(deadlocked());
  const lefts = (): Promise<number[]> =>
    page.locator('.cycle > li').evaluateAll(all => all.map(e => Math.round(e.getBoundingClientRect().left)));
  const [first = 0, lower = 0, second = 0, upper = 0] = await lefts();
  expect([first < lower, lower < second, lower === upper]).toEqual([true, true, true]);
  const tops = await page.locator('.wait-link').evaluateAll(all => all.map(e => e.getBoundingClientRect().top));
  expect((tops[0] ?? 0) > (tops[1] ?? 0)).toBe(true);
  await page.setViewportSize({width: 360, height: 800});
  await expect.poll(async () => new Set(await lefts()).size).toBe(2);
});

test('opens to all evidence, by keyboard', async () => {
  const {page, open} = await harness.page();
  await open(deadlocked());
  await page.click('.hang-waits > summary');
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

test('leads to a thread, whose group opens and says what it waits for', async () => {
  const {page, open} = await harness.page();
  await open(deadlocked());
  await page.click('.card-head button:has-text("net-io")');
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

test('the arrow of a pointer in the name of a lock is not broken', async () => {
  const {page, open} = await harness.page({viewport: {width: 360, height: 800}});
  const base = deadlocked();
  const threads = (base.threads ?? []).map(t => ({
    ...t,
    waits: t.waits && {...t.waits, name: 'a_desk_of_the_whole_house->registry->of_all_the_names->mutex_'},
  }));
  await open({...base, threads});
  const lines = (): Promise<number[]> =>
    page.locator('.pill .name-arrow').evaluateAll(all => all.map(arrow => arrow.getClientRects().length));
  await expect.poll(() => lines()).toEqual([1, 1, 1, 1, 1, 1]);
  for (let width = 361; width < 420; width++) {
    await page.setViewportSize({width, height: 800});
    expect(new Set(await lines())).toEqual(new Set([1]));
  }
});
