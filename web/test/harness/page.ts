// A browser page that shows the harness, for tests.
import {readFileSync} from 'node:fs';
import type {Browser, BrowserContext, BrowserContextOptions, Page} from 'playwright-core';
import type {Report} from '../../src/report.ts';
import {launch, openRaw, project, type Site, serve} from '../browser.ts';

export interface Harness {
  /** A fresh page without a dump, in place of the last, with a fragment in its URL. What the console or the policy complains of fails the test that calls quiet. */
  page(options?: BrowserContextOptions, fragment?: string): Promise<HarnessPage>;
  close(): Promise<void>;
}

export interface HarnessPage {
  readonly page: Page;
  /** Errors, warnings and refusals so far. */
  readonly complaints: string[];
  /** Gives the page what the harness understands: see Dropped there. */
  give(name: string, dropped: object): Promise<void>;
  /** Opens a report and its raw dump, and waits until they are shown. */
  open(report: Report, name?: string): Promise<void>;
}

export async function startHarness(): Promise<Harness> {
  const site: Site = await serve(project('web/test-results/harness'));
  const browser: Browser = await launch();
  return {
    page: (options, fragment) => newPage(browser, `${site.url}${fragment ?? ''}`, options),
    close: async () => {
      await browser.close();
      await site.close();
    },
  };
}

/** The context that pages without options of their own share: their scripts are compiled once. */
const shared = new WeakMap<Browser, BrowserContext>();

async function emptyPage(browser: Browser, url: string, options?: BrowserContextOptions): Promise<Page> {
  const context = shared.get(browser);
  if (context && !options && browser.contexts().includes(context)) {
    const old = context.pages();
    const page = await context.newPage();
    for (const other of old) await other.close();
    const cdp = await context.newCDPSession(page);
    await cdp.send('Storage.clearDataForOrigin', {origin: new URL(url).origin, storageTypes: 'all'});
    await cdp.detach();
    return page;
  }
  for (const old of browser.contexts()) await old.close();
  const fresh = await browser.newContext({viewport: {width: 1440, height: 900}, ...options});
  if (!options) shared.set(browser, fresh);
  return fresh.newPage();
}

async function newPage(browser: Browser, url: string, options?: BrowserContextOptions): Promise<HarnessPage> {
  const page = await emptyPage(browser, url, options);
  const complaints: string[] = [];
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', error => complaints.push(error.message));
  page.on('dialog', dialog => {
    // The browser asks before open dumps are lost: a test that goes on means it.
    if (dialog.type() === 'beforeunload') return void dialog.accept();
    complaints.push(`dialog: ${dialog.message()}`);
    return void dialog.dismiss();
  });
  await page.goto(url);
  await page.waitForSelector('h1');
  const give = async (name: string, dropped: object): Promise<void> => {
    const buffer = Buffer.from(JSON.stringify(dropped));
    await page.setInputFiles('input[data-opens=files]', {name, mimeType: 'application/octet-stream', buffer});
  };
  return {
    page,
    complaints,
    give,
    open: async (report, name = 'crash.dmp') => {
      await give(name, {report});
      await page.waitForSelector('#main[aria-busy=false] .facts');
      await openRaw(page);
      await page.evaluate(() => new Promise(requestAnimationFrame));
    },
  };
}

/** One of the reports beside the harness: "threads" has symbols, "chromium" has not. */
export const fixture = (name: 'threads' | 'chromium'): Report =>
  JSON.parse(readFileSync(project(`web/test/fixtures/${name}.json`), 'utf8')) as Report;
