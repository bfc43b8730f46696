// What is left on the disk: the browser's profile after a dump and its symbols were open, when it was closed and when it was killed.
// Words that are in these files alone must be in no file of the profile.
import {type ChildProcess, spawn} from 'node:child_process';
import {mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {type Browser, chromium} from 'playwright-core';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {chromiumPath, project, quiet, type Site, serve} from './browser.ts';
import {Planter, streamType} from './plant.ts';

const inDump = 'kanarienvogel-in-the-dump';
const inName = 'kanarie-of-a-thread';
const inSymbols = 'kanariensymbol_of_a_function';

const PATIENCE = 60_000;

let site: Site;
let folder: string;
let files: string[];

beforeAll(async () => {
  site = await serve(project('dist'));
  folder = mkdtempSync(join(tmpdir(), 'crashglass-profile-'));
  const dump = new Planter(readFileSync(project('web/example/crash.dmp')))
    .stream(streamType.environment, `SECRET=${inDump}\0`)
    .threadName(0, inName).dump;
  const symbols = readFileSync(project('web/example/desk.sym'), 'utf8').replaceAll(
    'desk::available',
    `desk::${inSymbols}`,
  );
  files = [join(folder, 'a.dmp'), join(folder, 'desk.sym.gz')];
  writeFileSync(files[0] ?? '', dump);
  // As large as what a browser may want to have on the disk.
  writeFileSync(files[1] ?? '', gzipSync(symbols + `FUNC ffffff00 1 0 ${inSymbols}\n`.repeat(200_000)));
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

/** Every file below a folder. */
const below = (at: string): string[] =>
  readdirSync(at, {recursive: true, withFileTypes: true})
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name));

/** The files of a profile that hold a word, in either width of characters. */
function holding(profile: string, word: string): string[] {
  const forms = [Buffer.from(word), Buffer.from(word, 'utf16le')];
  return below(profile).filter(path => {
    const data = readFileSync(path);
    return forms.some(form => data.includes(form));
  });
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
    await page.setInputFiles('input[data-opens=files]', files);
    await page.getByText(inSymbols).first().waitFor();
    await page.keyboard.press('s');
    await page.locator('#share').getByText('The environment').first().waitFor();
    await page.evaluate("localStorage.setItem('witness', 'witness-of-the-test')");
    await page.waitForTimeout(how === 'killed' ? 6000 : 0); // until the browser has written what it wants to write
    if (how === 'closed') {
      await page.close();
      const cdp = await running.browser.newBrowserCDPSession();
      await cdp.send('Browser.close').catch(() => undefined);
    } else if (running.process.pid) process.kill(-running.process.pid, 'SIGKILL');
    await ended;
    expect(below(profile).reduce((sum, path) => sum + statSync(path).size, 0)).toBeGreaterThan(1e6);
    expect(holding(profile, 'witness-of-the-test')).not.toEqual([]); // the search finds what is there
    for (const word of [inDump, inName, inSymbols]) expect(holding(profile, word), word).toEqual([]);
  },
);
