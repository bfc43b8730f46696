// A Chromium with a profile that outlives it, for tests that end it and look at what is left.
import {type Browser, type BrowserContext, chromium} from 'playwright-core';
import {chromiumPath, PATIENCE, quiet} from './browser.ts';
import {type Program, start} from './engines/process.ts';

export interface Profiled extends Pick<Program, 'ended' | 'kill'> {
  readonly browser: Browser;
  readonly context: BrowserContext;
}

/** Starts it. Playwright's own would take the profile away with it. */
export async function startProfiled(profile: string): Promise<Profiled> {
  const args = [...quiet, '--headless=new', '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'];
  const {said, ended, kill} = await start(chromiumPath(), args, /DevTools listening on (ws:\S+)/);
  const browser = await chromium.connectOverCDP(said, {isLocal: true});
  const context = browser.contexts()[0];
  if (!context) throw new Error('the browser has no context');
  context.setDefaultTimeout(PATIENCE);
  return {browser, context, ended, kill};
}
