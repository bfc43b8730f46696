// The built page for the browser tests of one file: importing this serves dist/ and starts a browser for them.
import {readFileSync} from 'node:fs';
import type {Browser, Page} from 'playwright-core';
import {afterAll, beforeAll} from 'vitest';
import {launch, project, type Site, serve, shownWhole} from './browser.ts';

export let site: Site;
export let browser: Browser;

beforeAll(async () => {
  site = await serve(project('dist'));
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

/** A file of the project's own crash. */
export const example = (name: string): string => project(`web/example/${name}`);

/** All symbols of the project's own crash. */
export const exampleSymbols = ['desk.sym', 'libc.sym', 'libstdcpp.sym'].map(example);

/** A file that a test makes. */
export interface Given {
  readonly name: string;
  readonly buffer: Buffer;
}

/** Gives the page files, by path or as they are, and waits until the dump among them is shown. */
export async function openFiles(page: Page, files: readonly (string | Given)[]): Promise<void> {
  const all = files.map(f => (typeof f === 'string' ? {name: f.split('/').at(-1) ?? f, buffer: readFileSync(f)} : f));
  const payload = all.map(({name, buffer}) => ({name, mimeType: 'application/octet-stream', buffer}));
  await page.setInputFiles('input[data-opens=files]', payload);
  await shownWhole(page);
}
