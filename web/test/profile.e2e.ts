// What is left on the disk: the browser's profile after a dump and its symbols were open, when it was closed and when it was killed.
// Words that are in these files alone must be in no file of the profile.
import {type ChildProcess, spawn} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {type Browser, chromium} from 'playwright-core';
import {afterAll, beforeAll, test} from 'vitest';
import {chromiumPath, dropFiles, project, quiet, type Site, serve} from './browser.ts';
import {expectNoCanary, inSymbols, plantCanaries, witness} from './canaries.ts';

const PATIENCE = 60_000;

let site: Site;
let folder: string;
let files: string[];

beforeAll(async () => {
  site = await serve(project('dist'));
  folder = mkdtempSync(join(tmpdir(), 'crashglass-profile-'));
  files = plantCanaries(folder);
});
afterAll(async () => {
  await site.close();
  rmSync(folder, {recursive: true, force: true});
});

/** A browser with a profile that outlives it. */
async function start(profile: string): Promise<{browser: Browser; process: ChildProcess}> {
  const args = [...quiet, '--headless=new', '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'];
  const process = spawn(chromiumPath(), args, {stdio: ['ignore', 'ignore', 'pipe'], detached: true});
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    process.stderr?.on('data', data => {
      said += data;
      const found = /DevTools listening on (ws:\S+)/.exec(said)?.[1];
      if (found) resolve(found);
    });
    process.on('exit', () => reject(new Error(`the browser did not start: ${said}`)));
  });
  return {browser: await chromium.connectOverCDP(url, {isLocal: true}), process};
}

test.each(['closed', 'killed'])(
  'when the browser was %s, no file of its profile has a word of a dump or of symbols',
  {
    timeout: 3 * PATIENCE,
  },
  async how => {
    const profile = join(folder, how);
    const running = await start(profile);
    const ended = new Promise(resolve => running.process.on('exit', resolve));
    const page = await running.browser.contexts()[0]?.newPage();
    if (!page) throw new Error('no page');
    page.setDefaultTimeout(PATIENCE);
    await page.goto(site.url);
    await page.waitForSelector('.local:has-text("0 requests")');
    await dropFiles(page, files);
    await page.getByText(inSymbols).first().waitFor();
    // The browser keeps where the files are, and offers them after a reload. Its question to the person no test can answer.
    await page.locator('.kept:has-text("Forget")').waitFor();
    await page.reload();
    await page.locator('#again:has-text("Open again")').waitFor();
    await dropFiles(page, files);
    await page.getByText(inSymbols).first().waitFor();
    await page.keyboard.press('s');
    await page.locator('#share').getByText('The environment').first().waitFor();
    await page.evaluate(`localStorage.setItem('witness', '${witness}')`);
    await page.waitForTimeout(how === 'killed' ? 6000 : 0); // until the browser has written what it wants to write
    if (how === 'closed') {
      await page.close();
      const cdp = await running.browser.newBrowserCDPSession();
      await cdp.send('Browser.close').catch(() => undefined);
    } else if (running.process.pid) process.kill(-running.process.pid, 'SIGKILL');
    await ended;
    expectNoCanary(profile);
  },
);
