// The Worker that serves the page, under the runtime that Cloudflare runs it in: one page load, and the headers.
import type {Browser} from 'playwright-core';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {launch, project} from './browser.ts';
import {startWorkerd, type Workerd} from './workerd.ts';

let workerd: Workerd;
let browser: Browser;

beforeAll(async () => {
  workerd = await startWorkerd(project('build/edge/workerd.capnp'));
  browser = await launch();
});

afterAll(async () => {
  workerd?.process.kill();
  await browser?.close();
});

test('the page loads from it, and opens the example', async () => {
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on('console', message => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', error => problems.push(error.message));
  await page.goto(workerd.url);
  await page.getByRole('button', {name: 'Null pointer'}).first().click();
  await page.getByText('desk::available').first().waitFor();
  await expect.poll(() => page.locator('.stack-region tr.frame').count()).toBe(9);
  await expect.poll(() => page.evaluate('crossOriginIsolated')).toBe(true);
  expect(problems).toEqual([]);
  await page.close();
});

test.each([
  ['GET', '', 200],
  ['GET', 'missing.js', 404],
  ['GET', 'assets', 404],
  ['GET', '..%2f..%2fetc/passwd', 404],
  ['HEAD', 'index.html', 200],
  ['GET', 'symbols/a/49F6744A29752BD4B61262C76D7B1ADD0/a.sym', 404],
  ['POST', '', 405],
])('%s /%s answers %i, with the policy', async (method, path, status) => {
  const response = await fetch(workerd.url + path, {method});
  expect(response.status).toBe(status);
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/);
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
});

test('viewer.html keeps its own policy', async () => {
  const response = await fetch(`${workerd.url}viewer.html`);
  expect(response.headers.get('content-security-policy')).toBe("frame-ancestors 'none'");
});

test('it logged nothing, and no request failed', () => {
  expect(workerd.said()).toBe('');
});
