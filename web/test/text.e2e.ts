import {expect, test} from 'vitest';
import {hashOf} from './browser.ts';
import {texts, useHarness} from './harness/tests.ts';
import {panic} from './make.ts';

const harness = useHarness();

test('a report that is text shows its lines, which lead to their frames, in place of memory', async () => {
  const {page, open, complaints} = await harness.page();
  await open(panic(), 'go.txt');
  await page.waitForSelector('.report-text');
  await expect.poll(() => texts(page, 'nav.sections a')).toEqual(['Report', 'Threads 1', 'Text']);
  expect((await texts(page, '.report-text > li'))[0]).toBe(
    'panic: runtime error: index out of range [5] with length 3 <b>',
  );
  await expect
    .poll(() => texts(page, '.report-text button'))
    .toEqual(['main.(*store).label(0x3b79b0914420?, 0x4c5295?)', 'main.main()']);
  await page.click('.report-text button:has-text("main.main")');
  await expect.poll(() => hashOf(page)).toContain('f=1');
  expect(
    await page
      .locator(
        '#memory, .scaled svg, [role=tab]:has-text("Registers"), [role=tab]:has-text("Stack words"), [role=tab]:has-text("Evidence")',
      )
      .count(),
  ).toBe(0);
  expect(complaints).toEqual([]);
});
