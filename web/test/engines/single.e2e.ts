// The pages that are one file, in each engine: viewer.html and a capsule, opened from the disk.
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {project} from '../browser.ts';
import {inEachEngine} from './all.ts';
import type {Running} from './engine.ts';
import {drop, ready, texts, until} from './page.ts';

const dump = project('web/example/crash.dmp');
const symbols = ['desk', 'libc', 'libstdcpp'].map(name => project(`web/example/${name}.sym`));

let folder: string;
let capsule: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'crashglass-single-'));
  capsule = join(folder, 'crash.html');
  execFileSync(project('build/crashglass'), ['capsule', '--no-local', '-o', capsule, dump, ...symbols], {
    stdio: 'ignore',
  });
});
afterAll(() => rmSync(folder, {recursive: true, force: true}));

inEachEngine(engine => {
  let browser: Running;
  beforeAll(async () => {
    browser = await engine.start();
  });
  afterAll(() => browser?.close());

  test('viewer.html reads a dump', async () => {
    await browser.tab.open(pathToFileURL(project('dist/viewer.html')).href);
    await ready(browser.tab);
    await drop(browser.tab, [['crash.dmp', readFileSync(dump).toString('base64')]]);
    await until(browser.tab, '.verdict', 'Null pointer read');
  });

  test('a capsule shows its dump', async () => {
    await browser.tab.open(pathToFileURL(capsule).href);
    await until(browser.tab, 'tr.frame', 'desk::available');
    await expect
      .poll(async () => (await texts(browser.tab, '.stack-region tr.frame th.function')).join(' '))
      .toContain('desk::available');
  });
});
