// What the pictures of docs/tour.md show: the page as it is built, with its three examples.
import type {Page} from 'playwright-core';
import {project, shownWhole} from './browser.ts';

/** Opens an example by its button: the null pointer, the deadlock or the poor dump. */
async function open(page: Page, which: 'crash' | 'hang' | 'poor'): Promise<void> {
  const number = ['crash', 'hang', 'poor'].indexOf(which);
  await page.click(`button[aria-describedby="example-${number}"]`);
  await shownWhole(page);
}

const all = ['crash.dmp', 'desk.sym', 'libc.sym', 'libstdcpp.sym', 'hang.dmp', 'hang.elf', 'hang-libc.sym', 'poor.dmp'];

export const tour: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  symbols: page => open(page, 'crash'),
  nosymbols: page => open(page, 'poor'),
  variables: async page => {
    await open(page, 'hang');
    await page.click('tr.frame.own');
    await page.click('.variable .name:has-text("desk")');
    await page.locator('.inspector').evaluate(e => e.scrollIntoView());
  },
  parallel: async page => {
    await open(page, 'hang');
    await page.click('button:has-text("Parallel stacks")');
    await page.waitForSelector('#parallel-title');
  },
  hang: page => open(page, 'hang'),
  triage: async page => {
    const files = all.map(name => project(`web/example/${name}`));
    await page.setInputFiles('input[data-opens=files]', files);
    await page.waitForSelector('#main[aria-busy=false] .triage');
  },
  share: async page => {
    await open(page, 'crash');
    await page.keyboard.press('s');
    await page.click('.popover:popover-open button:has-text("Make")');
    await page.waitForSelector('.tells');
  },
};
