// The first screen: where to drop files, three examples, and nothing else.
import {beforeEach, expect, test} from 'vitest';
import {openAgain, shownWhole} from './browser.ts';
import {browser, site} from './built.ts';

let page: Awaited<ReturnType<typeof openAgain>>['page'];
let complaints: string[];
beforeEach(async () => ({page, complaints} = await openAgain(browser, site)));

test('has a title, a place to drop files, and three examples', async () => {
  await expect.poll(() => page.locator('h1').innerText()).toContain('Nothing is uploaded');
  await expect.poll(() => page.locator('.zone').evaluate(e => e.clientHeight)).toBeGreaterThanOrEqual(238);
  await expect
    .poll(() => page.locator('.try button').allInnerTexts())
    .toEqual(['Null pointer', 'Deadlock', 'Poor dump']);
  expect(await page.locator('main :is(a, button, summary):visible').count()).toBe(3);
});

test.each([
  ['Null pointer', 'Null pointer read in desk::available at crash.cpp:33', '.source-panel .line'],
  ['Deadlock', /wait for each other/, '.hang'],
  ['Poor dump', /^Null pointer read in ledger \+ 0x1148/, '.stack-region tr.frame .guess'],
])('%s is one click away, also after the others', async (name, title, shows) => {
  for (const other of ['Null pointer', name]) {
    await page.click(`.try button:has-text("${other}")`);
    await shownWhole(page);
    if (other === name) break;
    await page.click('#more-button');
    await page.click('.menu button:has-text("Close ")');
  }
  await expect.poll(() => page.locator('h1').innerText()).toMatch(title);
  await page.waitForSelector(shows);
  expect([complaints, site.ownRequests()]).toEqual([[], []]);
});
