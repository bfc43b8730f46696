// What is left on the disk: the browser's profile after a dump and its symbols were open, when it was closed and when it was killed.
// Words that are in these files alone must be in no file of the profile.
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, afterEach, beforeAll, test} from 'vitest';
import {dropFiles, project, type Site, serve} from './browser.ts';
import {expectNoCanary, inSymbols, plantCanaries, untilWritten, witness} from './canaries.ts';
import {type Profiled, startProfiled} from './profiled.ts';

let site: Site;
let folder: string;
let files: string[];
let running: Profiled | undefined;

beforeAll(async () => {
  site = await serve(project('dist'));
  folder = mkdtempSync(join(tmpdir(), 'crashglass-profile-'));
  files = plantCanaries(folder);
});
afterEach(() => running?.kill());
afterAll(async () => {
  await site.close();
  rmSync(folder, {recursive: true, force: true});
});

test.each(['closed', 'killed'])(
  'when the browser was %s, no file of its profile has a word of a dump or of symbols',
  async how => {
    const profile = join(folder, how);
    running = await startProfiled(profile);
    const page = await running.context.newPage();
    await page.goto(site.url);
    await page.waitForSelector('.local:has-text("0 requests")');
    await dropFiles(page, files);
    await page.getByText(inSymbols).first().waitFor();
    // The browser keeps where the files are, and offers them after a reload. No test can answer its question to the user.
    await page.locator('.stored:has-text("Forget")').waitFor();
    await page.reload();
    await page.locator('#again:has-text("Open again")').waitFor();
    await dropFiles(page, files);
    await page.getByText(inSymbols).first().waitFor();
    await page.keyboard.press('s');
    await page.click('#share-popover button:has-text("Make")');
    await page.locator('#share').getByText('The environment').first().waitFor();
    await page.evaluate(`localStorage.setItem('witness', '${witness}')`);
    if (how === 'closed') {
      await page.close();
      const cdp = await running.browser.newBrowserCDPSession();
      await cdp.send('Browser.close').catch(() => undefined);
      await running.ended;
    } else {
      await untilWritten(profile);
      await running.kill();
    }
    expectNoCanary(profile);
  },
);
