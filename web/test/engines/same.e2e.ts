// The same JSON as on the command line, byte for byte, out of the workers of Firefox and WebKit: of the example and of whatever dumps
// the corpus has. same.e2e.ts does this for Chromium.
import {afterAll, beforeAll, test} from 'vitest';
import {analyse, commandLine, dumps, expectSame, inputs} from '../answers.ts';
import {project, type Site, serve} from '../browser.ts';
import {inEachEngine} from './all.ts';
import type {Running} from './engine.ts';
import {callIn, findWorker, type Hooked, hooked} from './hooked.ts';
import {ready} from './page.ts';

const example = (name: string): string => project(`web/example/${name}`);

inEachEngine(
  engine => {
    let page: Hooked;
    let site: Site;
    let browser: Running;
    let worker: number;

    beforeAll(async () => {
      page = hooked(String(analyse));
      site = await serve(page.folder);
      browser = await engine.start();
      await browser.tab.open(site.url);
      await ready(browser.tab);
      worker = await findWorker(browser.tab);
    });
    afterAll(async () => {
      await browser?.close();
      await site?.close();
      page?.remove();
    });

    /** The number of the next dump. A file may have several. */
    let next = 1;
    const MOST = 100;

    async function compare(dump: string, symbols: readonly string[]): Promise<void> {
      const got = await callIn(browser.tab, worker, [inputs(...symbols, dump), next]);
      next += MOST;
      expectSame(engine.name, got, commandLine(dump, symbols));
    }

    test('without symbols', () => compare(example('crash.dmp'), []));
    test.each(dumps())('of %s', (_, path) => compare(path, []));
    // Last, because the symbols stay with the program.
    test('with symbols', () => compare(example('crash.dmp'), ['desk.sym', 'libc.sym', 'libstdcpp.sym'].map(example)));
  },
  ['Firefox', 'WebKit'],
);
