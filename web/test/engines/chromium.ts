// Chromium by Playwright, as in all other tests, behind what the three engines have in common.
import {type BrowserContext, chromium as playwright} from 'playwright-core';
import {chromiumPath, quiet} from '../browser.ts';
import {asText} from './call.ts';
import type {EngineUnderTest, Running, Start, Tab} from './engine.ts';
import {profileFolder} from './process.ts';

export const chromium: EngineUnderTest = {name: 'Chromium', missing: () => null, start: startChromium};

async function startChromium({profile: wanted, environment}: Start = {}): Promise<Running> {
  const profile = profileFolder(wanted);
  const context = await playwright.launchPersistentContext(profile.path, {
    executablePath: chromiumPath(),
    args: quiet,
    viewport: {width: 1440, height: 900},
    env: {...process.env, ...environment} as Record<string, string>,
  });
  const close = async (): Promise<void> => {
    await context.close();
    profile.remove();
  };
  return {version: `Chromium ${context.browser()?.version()}`, tab: await tabOf(context), close, kill: close};
}

async function tabOf(context: BrowserContext): Promise<Tab> {
  const page = context.pages()[0] ?? (await context.newPage());
  return {
    open: async url => void (await page.goto(url)),
    reload: async () => void (await page.reload()),
    run: async (call, ...args) =>
      JSON.parse(await page.evaluate(`(${asText(call)})(${JSON.stringify(JSON.stringify(args))})`)),
    press: async (...keys) => {
      for (const key of keys) await page.keyboard.press(key === ' ' ? 'Space' : key);
    },
    choose: (selector, files) => page.setInputFiles(selector, [...files]),
    picture: () => page.screenshot(),
  };
}
