// Everything works by keyboard: no test in this file moves the mouse.
import type {Page} from 'playwright-core';
import {expect, test} from 'vitest';
import {fixture} from './harness/page.ts';
import {useHarness} from './harness/tests.ts';

const harness = useHarness();

const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const e = document.activeElement;
    return e?.id || e?.textContent?.trim() || e?.tagName || '';
  });

const press = async (page: Page, ...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
  await page.evaluate(() => new Promise(requestAnimationFrame));
};

const selected = (page: Page): Promise<string> => page.locator('tr.selected .function').innerText();

test('the skip link leads to the stack, and j and k work without it', async () => {
  const {page, open} = await harness.page();
  await open(fixture('threads'));
  const first = await selected(page);
  await press(page, 'j');
  const second = await selected(page);
  expect(second).not.toBe(first);
  await press(page, 'k');
  await expect.poll(() => selected(page)).toBe(first);
  const hash = await page.evaluate(() => location.hash);
  await page.locator('a.skip').focus();
  await press(page, 'Enter');
  await expect.poll(() => page.evaluate(() => document.activeElement?.matches('tr.frame.selected'))).toBe(true);
  expect(await page.evaluate(() => location.hash)).toBe(hash);
  await press(page, 'j');
  await expect.poll(() => selected(page)).toBe(second);
});

test('from opening a file to a frame and its evidence', async () => {
  const {page} = await harness.page();
  // Registered early: the browser needs a while until it intercepts file choosers.
  const chooser = page.waitForEvent('filechooser');
  // Chromium's dialog that gives handles cannot be answered by a test; other browsers have the ordinary one.
  await page.evaluate(() => Reflect.deleteProperty(window, 'showOpenFilePicker'));
  // The first tab stops: the skip link, the theme, the keys, then the button that opens files.
  const stops: string[] = [];
  for (let i = 0; i < 8; i++) {
    await press(page, 'Tab');
    stops.push(
      await page.evaluate(() =>
        document.activeElement instanceof HTMLInputElement
          ? 'file input'
          : (document.activeElement?.textContent ?? '').trim(),
      ),
    );
    if (stops.at(-1) === 'file input') break;
  }
  expect(stops.at(-1)).toBe('file input');
  await press(page, 'Enter');
  const buffer = Buffer.from(JSON.stringify({report: fixture('threads')}));
  await (await chooser).setFiles({name: 'crash.dmp', mimeType: '', buffer});
  await page.waitForSelector('.facts');
  await expect.poll(() => focused(page)).toBe('title');

  await press(page, 'j', 'j', 'j');
  await expect.poll(() => selected(page)).toBe('crasher()');
  await press(page, 'k');
  await expect.poll(() => selected(page)).toContain('work::process');
  await expect.poll(() => page.evaluate(() => document.activeElement?.matches('tr.selected'))).toBe(true);
  await press(page, 'ArrowDown');
  await expect.poll(() => selected(page)).toBe('crasher()');
  await expect.poll(() => page.evaluate(() => location.hash)).toBe('#d=1&h=9f86d081&t=0&f=1');

  await press(page, 'Enter');
  await expect.poll(() => focused(page)).toBe('inspector');
  await press(page, '4');
  await expect.poll(() => page.locator('[role=tab][aria-selected=true]').innerText()).toBe('Evidence');
  await expect.poll(() => page.locator('.why li').first().innerText()).toContain('call frame info');
  await press(page, 'Escape');
  await expect.poll(() => page.evaluate(() => document.activeElement?.matches('tr.selected'))).toBe(true);
});

test('tabs follow the arrows', async () => {
  const {page, open} = await harness.page();
  await open(fixture('threads'));
  await page.locator('#tab-variables').focus();
  await press(page, 'ArrowRight');
  await expect.poll(() => focused(page)).toBe('tab-registers');
  await press(page, 'End');
  await expect.poll(() => focused(page)).toBe('tab-why');
  await press(page, 'ArrowRight');
  await expect.poll(() => focused(page)).toBe('tab-variables');
  await press(page, 'ArrowLeft');
  await expect.poll(() => focused(page)).toBe('tab-why');
});

test('threads, inlined calls, guesses, groups', async () => {
  const {page, open} = await harness.page();
  await open(fixture('chromium'));
  await press(page, 'f');
  await press(page, 'n');
  await expect.poll(() => page.locator('.groups tr.selected').count()).toBe(1);
  await press(page, 'p');
  await expect.poll(() => page.locator('.stack-region tr.selected').count()).toBe(1);
  const rows = (): Promise<number> => page.locator('.stack-region tr.frame').count();
  const all = await rows();
  await press(page, 'i');
  await expect.poll(() => rows()).toBe(all - 2);
  await press(page, 'i', 'h');
  await expect.poll(() => page.locator('.stack-region tr.frame .guess').count()).toBe(0);
  await press(page, 'h', 'x');
  await expect.poll(() => page.locator('.group[aria-expanded=false]').count()).toBe(0);
  await press(page, 'x');
  await expect.poll(() => page.locator('.group[aria-expanded=true]').count()).toBe(0);
});

test('the filter takes every key, and Esc leaves it', async () => {
  const {page, open} = await harness.page();
  await open(fixture('chromium'));
  await page.focus('#filter');
  await page.keyboard.type('jokpny');
  await expect.poll(() => page.locator('#filter').inputValue()).toBe('jokpny');
  await expect.poll(() => page.locator('.group').count()).toBe(0);
  await page.locator('#filter').fill('HangWatcher');
  await expect.poll(() => page.locator('.group').count()).toBe(1);
  await press(page, 'Escape');
  await expect.poll(() => page.evaluate(() => document.activeElement?.matches('tr.selected'))).toBe(true);
});

test('a fold is a button like any other', async () => {
  const {page, open} = await harness.page();
  await open(fixture('chromium'));
  await press(page, 'f');
  const before = await page.locator('.stack-region tr.frame').count();
  await page.locator('.stack-region .fold button').first().focus();
  await press(page, 'Enter');
  await expect.poll(() => page.locator('.stack-region tr.frame').count()).toBe(before + 10);
});

test('the Share menu opens on s, goes by arrows, and gives the focus back', async () => {
  const {page, open} = await harness.page();
  await open(fixture('threads'));
  await page.locator('tr.selected').focus();
  await press(page, 's');
  await page.waitForSelector('#share-popover:popover-open');
  await expect.poll(() => focused(page)).toBe('Make a report, a smaller dump or a capsule');
  await press(page, 'ArrowDown');
  await expect.poll(() => focused(page)).toBe('Copy this stack as text');
  await press(page, 'Escape');
  await expect.poll(() => page.locator('#share-popover:popover-open').count()).toBe(0);
});

test('the help sheet lists the keys, and can turn them off', async () => {
  const {page, open} = await harness.page();
  await open(fixture('threads'));
  await press(page, '?');
  await expect.poll(() => page.locator('dialog[open] dt').count()).toBeGreaterThan(15);
  await page.locator('dialog[open] input').focus();
  await press(page, 'Space', 'Escape');
  const before = await selected(page);
  await press(page, 'j');
  await expect.poll(() => selected(page)).toBe(before);
});

/** The controls of the page that no number of Tabs leads to, as far as they are no part of a group that the arrows go through. */
async function unreachable(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    (document.activeElement as HTMLElement | null)?.blur();
    for (const e of document.querySelectorAll('[data-reached]')) e.removeAttribute('data-reached');
    for (const e of document.querySelectorAll('[data-control]')) e.removeAttribute('data-control');
    document.body.tabIndex = -1;
    document.body.focus();
  });
  const all = await page.evaluate(() => {
    const wanted = [
      ...document.querySelectorAll<HTMLElement>(
        'button, a[href], input, select, summary, [role=button], [tabindex="0"]',
      ),
    ];
    const shown = wanted.filter(e => e.checkVisibility({visibilityProperty: true}) && !e.closest('dialog:not([open])'));
    for (const [i, e] of shown.entries()) e.setAttribute('data-control', String(i));
    return shown.length;
  });
  for (let i = 0; i < all + 20; i++) {
    await page.keyboard.press('Tab');
    const over = await page.evaluate(() => {
      const e = document.activeElement;
      const again = e?.hasAttribute('data-reached');
      e?.setAttribute('data-reached', '');
      return again === true && e !== document.body;
    });
    if (over) break;
  }
  return page.evaluate(() =>
    [...document.querySelectorAll('[data-control]:not([data-reached])')]
      .filter(e => !e.matches('[role=tab], tr.frame, .map g, [tabindex="-1"]'))
      .map(e => e.outerHTML.slice(0, 120)),
  );
}

test('every control of every view is reached with Tab, or by arrows in its group', {timeout: 120_000}, async () => {
  const {page, open, give} = await harness.page();
  expect(await unreachable(page)).toEqual([]);
  await open(fixture('threads'), 'one.dmp');
  expect(await unreachable(page)).toEqual([]);
  await give('two.dmp', {report: fixture('chromium')});
  await page.waitForSelector('.dump:has-text("two.dmp")');
  await press(page, 't');
  expect(await unreachable(page)).toEqual([]);
  for (let row = 0; row < 2; row++) {
    await press(page, 'j');
    await press(page, 'Space');
  }
  await page.locator('.comparing button').focus();
  await press(page, 'Enter');
  await page.waitForSelector('.pair-table');
  expect(await unreachable(page)).toEqual([]);
});

test('from the table to two dumps, swapped, and to a frame of one', async () => {
  const {page, open, give} = await harness.page();
  await open(fixture('threads'), 'one.dmp');
  await give('two.dmp', {report: fixture('chromium')});
  await page.waitForSelector('.dump:has-text("two.dmp")');
  await press(page, 't');
  await expect.poll(() => focused(page)).toBe('title');
  for (let row = 0; row < 2; row++) {
    await press(page, 'j');
    await press(page, 'Space');
  }
  await page.locator('.comparing button').focus();
  await press(page, 'Enter');
  await page.waitForSelector('.pair-table');
  await expect.poll(() => focused(page)).toBe('title');
  await page.locator('button:has-text("Swap")').focus();
  await press(page, 'Enter');
  await expect
    .poll(() => page.locator('.compare select option:checked').allInnerTexts())
    .toEqual(['two.dmp', 'one.dmp']);
  await page.locator('.compare select >> nth=0').focus();
  await press(page, 'ArrowUp');
  await expect.poll(() => page.locator('h1').innerText()).toBe('Two crashes with one signature');
  await page.locator('.pair-table button:has-text("crasher") >> nth=0').focus();
  await press(page, 'Enter');
  await expect.poll(() => selected(page)).toBe('crasher()');
});

test('the map goes by arrows and leads to bytes; text is searched for as UTF-16', async () => {
  const {page, open} = await harness.page();
  await open(fixture('threads'));
  await page.locator('.map g >> nth=0').focus();
  await expect.poll(() => page.locator('.map-name').innerText()).toMatch(/^threads_o2, code, 0x555d77538000/);
  await press(page, 'ArrowRight');
  await expect.poll(() => page.locator('.map-name').innerText()).toMatch(/^libc/);
  await press(page, 'End', 'ArrowRight', 'Home', 'ArrowLeft', 'Enter');
  await page.waitForFunction(() => document.activeElement?.id === 'hex');
  await expect.poll(() => page.locator('#hex code').first().innerText()).toBe('0x555d77538000');
  await page.locator('#find-wide').focus();
  await press(page, 'Space');
  await page.locator('#find-bytes').focus();
  await page.keyboard.type('hi');
  await press(page, 'Enter');
  await page.waitForSelector('.hex-view [role=status]:has-text("Not in the captured memory")');
});
