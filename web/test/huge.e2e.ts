// A dump of 6 GiB, opened through a File: neither the page nor the worker holds more of it than it shows.
import {spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {project} from './browser.ts';
import {browser, site} from './built.ts';

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'crashglass-'));
});
afterAll(async () => {
  rmSync(folder, {recursive: true});
});

/** Memory of a process: from /proc, which small systems have without ps, or else from ps. */
function residentBytes(id: number): number {
  const status = `/proc/${id}/status`;
  const kib = existsSync(status)
    ? /^VmRSS:\s*(\d+)/m.exec(readFileSync(status, 'utf8'))?.[1]
    : spawnSync('ps', ['-o', 'rss=', '-p', String(id)], {encoding: 'utf8'}).stdout;
  return Number(kib ?? 0) * 1024;
}

test('a dump of 6 GiB opens without being read whole', async () => {
  const dump = join(folder, 'huge.dmp');
  const made = spawnSync('go', ['test', './core/analyze', '-count=1', '-run', 'HugeDump', '-args', '-huge', dump], {
    cwd: project('.'),
    encoding: 'utf8',
  });
  expect(made.status, made.stdout + made.stderr).toBe(0);
  const size = statSync(dump).size;
  expect(size).toBe(6 * 2 ** 30);

  const page = await browser.newPage();
  await page.goto(site.url);
  await page.waitForSelector('.local:has-text("0 requests")');
  await page.setInputFiles('input[data-opens=files]', dump);
  await page.waitForSelector('.stack-region tr.frame');
  await expect.poll(() => page.locator('.stack-region tr.frame').count()).toBeGreaterThan(0);

  // What all processes of this browser hold together is a fraction of the file.
  const session = await browser.newBrowserCDPSession();
  const {processInfo} = await session.send('SystemInfo.getProcessInfo');
  const resident = processInfo.map(({id}) => residentBytes(id)).reduce((sum, bytes) => sum + bytes, 0);
  expect(resident).toBeGreaterThan(0);
  expect(resident).toBeLessThan(size / 4);
});
