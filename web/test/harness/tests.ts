// The harness for a file of tests, and what several files read of its pages.
import type {Page} from 'playwright-core';
import {afterAll, beforeAll} from 'vitest';
import {type Harness, startHarness} from './page.ts';

/** The harness, from before the first test of a file until after the last. */
export function useHarness(): Pick<Harness, 'page'> {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness.close());
  return {page: (...how) => harness.page(...how)};
}

/** The texts of the elements, each in one line. */
export const texts = (page: Page, selector: string): Promise<string[]> =>
  page.locator(selector).evaluateAll(all => all.map(e => (e.textContent ?? '').replace(/\s+/g, ' ').trim()));
