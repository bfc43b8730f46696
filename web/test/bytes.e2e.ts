// The view of bytes, by keys and by links.
import type {Page} from 'playwright-core';
import {expect, test} from 'vitest';
import {fixture, type HarnessPage} from './harness/page.ts';
import {useHarness} from './harness/tests.ts';

const harness = useHarness();

const shown = async (): Promise<HarnessPage> => {
  const p = await harness.page();
  await p.open(fixture('threads'));
  return p;
};

const drawn = (page: Page): Promise<unknown> => page.evaluate(() => new Promise(requestAnimationFrame));

const go = async (page: Page, to: string): Promise<void> => {
  await page.keyboard.press('g');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(to);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.id === 'hex');
  await drawn(page);
};

const caret = async (page: Page): Promise<string> => {
  await drawn(page);
  return (await page.locator('#hex-caret').innerText()).replace(/\s+/g, ' ').trim();
};

test('g asks for an address, arrows move the caret, and the page names the byte below it', async () => {
  const {page, complaints} = await shown();
  await go(page, '0x7fe259618000');
  await page.waitForSelector('.hex .caret:not(.absent)');
  await expect.poll(() => page.locator('.hex-row').count()).toBe(20);
  await expect.poll(() => caret(page)).toMatch(/^0x7fe259618000 byte 00 word 0x7fe259618000/);
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => caret(page)).toMatch(/^0x7fe259618001 byte 80/);
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => caret(page)).toMatch(/^0x7fe259618011 /);
  await page.keyboard.press('PageDown');
  await expect.poll(() => caret(page)).toMatch(/^0x7fe259618141 /);
  await page.keyboard.press('Escape');
  await expect.poll(() => page.evaluate(() => document.activeElement?.matches('tr.selected'))).toBe(true);
  expect(complaints).toEqual([]);
});

test('bytes that are not in the dump are dots', async () => {
  const {page} = await shown();
  await go(page, '0x7fe259617ffe');
  await page.waitForSelector('.hex-row span[data-at="7fe259618000"]:not(.absent)');
  await expect.poll(() => page.locator('.hex .caret').innerText()).toBe('··');
  await expect.poll(() => caret(page)).toBe('0x7fe259617ffe not in the dump');
});

test('the ends of the address space hold', async () => {
  const {page, complaints} = await shown();
  await go(page, '0');
  await page.keyboard.press('PageUp');
  await expect.poll(() => caret(page)).toBe('0x0 not in the dump');
  await go(page, 'ffffffffffffffff');
  await page.keyboard.press('PageDown');
  await expect.poll(() => caret(page)).toBe('0xffffffffffffffff not in the dump');
  expect(complaints).toEqual([]);
});

test('registers, functions and links lead to bytes, and an unknown name is refused', async () => {
  const {page} = await shown();
  await go(page, 'rsp + 10');
  await expect.poll(() => caret(page)).toMatch(/^0x7fe259618e98 /);
  await go(page, 'crasher');
  await expect.poll(() => caret(page)).toMatch(/^0x555d7753/);
  await page.click('[role=tab]:has-text("Registers")');
  await page.click('.registers .to-bytes:has-text("00007fe259618e98")');
  await expect.poll(() => caret(page)).toMatch(/^0x7fe259618e98 /);
  await page.click('[role=tab]:has-text("Stack words")');
  await page.click('.words-panel .to-bytes >> nth=0');
  await expect.poll(() => caret(page)).toMatch(/^0x7fe259618e88 /);
  await page.fill('#goto', 'nowhere at all');
  await page.press('#goto', 'Enter');
  await expect
    .poll(() => page.locator('#goto').evaluate((e: HTMLInputElement) => e.validationMessage))
    .toMatch(/^Neither an address nor a register, function or module of this report\. Registers: /);
});

test('the map shows memory ranges, describes them in words, and leads to bytes', async () => {
  const {page, complaints} = await shown();
  await expect
    .poll(() => page.locator('.map .drawing > svg').getAttribute('aria-label'))
    .toBe(
      'Memory map: 7 regions, 0 with bytes in the dump; this frame at 0x555d7753953e, in threads_o2; its stack at 0x7fe259618e88, in no region; fault at 0x0, in no region',
    );
  await expect.poll(() => page.locator('.map .box').count()).toBe(7);
  await expect.poll(() => page.locator('.map path.fault').count()).toBe(1);
  await page.locator('.map g').first().click();
  await expect.poll(() => caret(page)).toMatch(/^0x555d77538000 /);
  expect(complaints).toEqual([]);
});

test('text and bytes are found, part by part', async () => {
  const {page} = await shown();
  await page.fill('#find-bytes', 'hi');
  await page.press('#find-bytes', 'Enter');
  await page.click('.places button:has-text("7fe259618e88")');
  await expect.poll(() => caret(page)).toMatch(/^0x7fe259618e88 /);
  await page.click('button:has-text("Go on from 0x7fe259618ea0")');
  await page.waitForSelector('.places button:has-text("7fe259618f00")');
  await page.fill('#find-bytes', '00 11');
  await page.press('#find-bytes', 'Enter');
  await page.waitForSelector('.hex-view [role=status]:has-text("Not in the captured memory")');
});

test('words say what they point to, a click follows one, and Back returns', async () => {
  const {page, complaints, open} = await harness.page();
  const region = {
    base: '0x00007fe259618000',
    size: '0x0000000000001000',
    protection: 'rw-',
    state: 'committed',
    kind: 'private',
    name: '',
    captured: true,
  } as const;
  await open({...fixture('threads'), memory_regions: [region]});
  await go(page, '0x7fe259618000');
  await page.waitForSelector('.hex .caret:not(.absent)');
  await expect.poll(() => page.locator('.hex-steps button').allInnerTexts()).toEqual(['Earlier', 'Later']);
  const link = page.locator('.hex-row .means button').last();
  await expect.poll(() => link.innerText()).toMatch(/^→ /);
  await expect.poll(() => page.locator('.hex-row .pointer').count()).toBeGreaterThanOrEqual(8);
  await link.click();
  await page.click('.hex-steps button:has-text("Back")');
  await expect.poll(() => caret(page)).toMatch(/^0x7fe259618000 /);
  await expect.poll(() => page.locator('.hex-steps button').allInnerTexts()).toEqual(['Earlier', 'Later']);
  // A click on the bytes of a pointer follows it as well, and one on other bytes moves the caret.
  const byte = page.locator('.hex-row .pointer').first();
  const to = await byte.getAttribute('data-to');
  await byte.click();
  await expect.poll(() => caret(page)).toMatch(new RegExp(`^0x${to} `));
  await page.click('.hex-steps button:has-text("Back")');
  const plain = page.locator('.hex-row .cells > span:not([data-to]):not(.absent):not(.caret)').first();
  const at = await plain.getAttribute('data-at');
  await plain.click();
  await expect.poll(() => caret(page)).toMatch(new RegExp(`^0x${at} `));
  expect(complaints).toEqual([]);
});
