// What is left on the disk by Firefox: its profile and its folder for temporary files, after a dump and its symbols were open, when it was
// closed and when it was killed. profile.e2e.ts does this for Chromium; WebKit has no profile under WebDriver.
import {mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, test} from 'vitest';
import {project, type Site, serve} from '../browser.ts';
import {expectNoCanary, inSymbols, plantCanaries, untilWritten, witness} from '../canaries.ts';
import {inEachEngine} from './all.ts';
import {click, ready, until} from './page.ts';

inEachEngine(
  engine => {
    let site: Site;
    let folder: string;
    let files: string[];
    beforeAll(async () => {
      site = await serve(project('dist'));
      folder = mkdtempSync(join(tmpdir(), 'crashglass-profile-'));
      files = plantCanaries(folder);
    });
    afterAll(async () => {
      await site.close();
      rmSync(folder, {recursive: true, force: true});
    });

    test.each(['closed', 'killed'] as const)(
      'when it was %s, no file has a word of a dump or of symbols',
      async how => {
        const profile = join(folder, how);
        const temporary = join(profile, 'temporary');
        mkdirSync(temporary, {recursive: true});
        const browser = await engine.start({profile, environment: {TMPDIR: temporary}});
        const {tab} = browser;
        await tab.open(site.url);
        await ready(tab);
        await tab.choose('input[data-opens=files]', files);
        await until(tab, 'tr.frame', inSymbols);
        await tab.press('s');
        await click(tab, '#share-popover button');
        await until(tab, '#share', 'The environment');
        await tab.run(word => localStorage.setItem('witness', word), witness);
        await untilWritten(profile);
        await (how === 'closed' ? browser.close() : browser.kill());
        expectNoCanary(profile);
      },
    );
  },
  ['Firefox'],
);
