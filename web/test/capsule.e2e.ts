// A capsule opens by itself, from a disk and without a network: its dump, its symbols and its lines of source.
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import type {Browser, Page} from 'playwright-core';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {launch, project, shownWhole} from './browser.ts';

let browser: Browser;
let folder: string;
let file: string;

beforeAll(async () => {
  browser = await launch();
  folder = mkdtempSync(join(tmpdir(), 'crashglass-capsule-'));
  file = join(folder, 'crash.html');
  const [dump, symbols] = [
    project('web/example/crash.dmp'),
    ['desk', 'libc', 'libstdcpp'].map(name => project(`web/example/${name}.sym`)),
  ];
  const args = ['capsule', '--no-local', '-o', file, '--source', project('web/example'), dump, ...symbols];
  execFileSync(project('build/crashglass'), args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {...process.env, SOURCE_DATE_EPOCH: '1764000000'},
  });
});
afterAll(async () => {
  await browser.close();
  rmSync(folder, {recursive: true});
});

async function open(path: string): Promise<{page: Page; complaints: string[]; requested: string[]}> {
  const context = await browser.newContext({viewport: {width: 1440, height: 900}});
  const page = await context.newPage();
  const complaints: string[] = [];
  const requested: string[] = [];
  page.on('console', message => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
  page.on('pageerror', error => complaints.push(error.message));
  context.on('request', request => requested.push(request.url()));
  await context.setOffline(true);
  await page.goto(pathToFileURL(path).href);
  return {page, complaints, requested};
}

test('it opens offline, with the stack of the full symbols, its source, and a note that it is a capsule', async () => {
  const {page, complaints, requested} = await open(file);
  await shownWhole(page);
  await page.keyboard.press('f'); // all frames, the system's too
  const rows = page.locator('.stack-region').first().locator('tr.frame');
  await expect.poll(() => rows.count()).toBe(12);
  await expect
    .poll(async () => (await rows.allInnerTexts()).join('\n'))
    .toMatch(/desk::available[\s\S]*start_thread[\s\S]*__clone3/);
  const note = page.locator('details.capsule');
  await expect
    .poll(() => note.innerText())
    .toMatch(
      /This page has its dump inside\. The file says that personal data was removed from the dump, and that it was made 2025-11-24 16:00:00 UTC by Crashglass \S+\./,
    );
  await note.locator('summary').click();
  await expect
    .poll(() => note.locator('li').allInnerTexts())
    .toEqual([
      'crash.dmp',
      expect.stringMatching(/^desk\/\w+\/desk\.sym$/),
      expect.stringMatching(/^libstdc\+\+\.so\.6\/\w+\/libstdc\+\+\.so\.6\.sym$/),
      expect.stringMatching(/^libc\.so\.6\/\w+\/libc\.so\.6\.sym$/),
      'src/desk/crash.cpp',
    ]);
  const source = page.locator('.source-panel').first();
  await source.scrollIntoViewIfNeeded();
  await expect.poll(() => source.innerText()).toMatch(/crash\.cpp[\s\S]*available/);
  expect(complaints).toEqual([]);
  expect(requested.filter(url => !/^(blob|data):/.test(url))).toEqual([pathToFileURL(file).href]);
  if (process.env['SHOTS']) {
    await page.evaluate('scrollTo({top: 0})');
    await page.screenshot({path: join(process.env['SHOTS'], 'capsule.png')});
  }
  await page.context().close();
});

test('names in it are text, and a file that is damaged is named', async () => {
  const hostile = join(folder, 'hostile.html');
  const whole = readFileSync(file, 'utf8');
  const name = '&lt;img src=x onerror=alert(1)&gt;';
  writeFileSync(
    hostile,
    whole
      .replace('data-name="crash.dmp"', `data-name="${name}"`)
      .replace(/data-capsule>[^<]*</, 'data-capsule>{"by":"\\u003cb\\u003ebold","made":"never"}<')
      .replace(/(data-role="source"[^>]*>)[^<]*/, '$1AAAA'),
  );
  const {page, complaints} = await open(hostile);
  await page.locator('.problems').waitFor();
  await expect
    .poll(() => page.locator('.problems').innerText())
    .toContain('The contents of this capsule could not be read');
  await expect.poll(() => page.locator('img').count()).toBe(0);
  expect(complaints.filter(text => text.includes('Content Security'))).toEqual([]);
  await page.context().close();
});

test('a forged description is shown as the words of the file', async () => {
  const forged = join(folder, 'forged.html');
  const claim = '{"by":"\\u003cb\\u003eyour own security team","made":"never","cleaned":true}';
  writeFileSync(forged, readFileSync(file, 'utf8').replace(/data-capsule>[^<]*</, `data-capsule>${claim}<`));
  const {page} = await open(forged);
  await expect
    .poll(() => page.locator('details.capsule summary').innerText())
    .toBe(
      'This page has its dump inside. The file says that personal data was removed from the dump, and that it was made by <b>your own security team.',
    );
  await page.context().close();
});
