// The Worker that serves the page, under the runtime that Cloudflare runs it in: one page load, and the headers.
import {type ChildProcess, spawn} from 'node:child_process';
import {createServer} from 'node:net';
import type {Browser} from 'playwright-core';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {launch, project} from './browser.ts';

let workerd: ChildProcess;
let browser: Browser;
let url: string;
let said = '';

/** A port that is free now. */
const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}/`;
  const at = [`--socket-addr=http=127.0.0.1:${port}`, `--directory-path=dist=${project('dist')}`];
  workerd = spawn(project('web/node_modules/.bin/workerd'), ['serve', project('build/edge/workerd.capnp'), ...at]);
  for (const stream of [workerd.stdout, workerd.stderr]) stream?.on('data', text => (said += text));
  browser = await launch();
  for (let tries = 0; tries < 100; tries++) {
    if (
      await fetch(url).then(
        response => response.ok,
        () => false,
      )
    )
      return;
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  throw new Error(`workerd serves nothing: ${said}`);
});

afterAll(async () => {
  workerd?.kill();
  await browser?.close();
});

test('the page loads from it, and opens the example', async () => {
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on('console', message => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', error => problems.push(error.message));
  await page.goto(url);
  await page.getByRole('button', {name: 'Try the example'}).first().click();
  await page.getByText('desk::available').first().waitFor();
  expect(await page.evaluate('crossOriginIsolated')).toBe(true);
  expect(problems).toEqual([]);
  await page.close();
});

test.each([
  ['GET', '', 200],
  ['GET', 'missing.js', 404],
  ['GET', 'assets', 404],
  ['GET', '..%2f..%2fetc/passwd', 404],
  ['HEAD', 'index.html', 200],
  ['POST', '', 405],
])('%s /%s answers %i, with the policy', async (method, path, status) => {
  const response = await fetch(url + path, {method});
  expect(response.status).toBe(status);
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/);
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
});

test('it said nothing, and stumbled over nothing', () => {
  expect(said).toBe('');
});
