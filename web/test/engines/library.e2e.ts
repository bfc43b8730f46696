// The npm package in a page of another host, in each engine: the report of a dump, and the page in an iframe.
import {readFileSync} from 'node:fs';
import {afterAll, beforeAll, expect, test} from 'vitest';
import type {Library} from '../../library/api.ts';
import type {CrashGlassElement} from '../../library/element-api.ts';
import {commandLine, expectSame} from '../answers.ts';
import {project, type Site, serve} from '../browser.ts';
import {inEachEngine} from './all.ts';
import type {Running} from './engine.ts';

const dump = project('web/example/crash.dmp');
const base64 = readFileSync(dump).toString('base64');

const USE = `<!doctype html><script type="module">
  import * as library from './browser.js';
  import './element.js';
  Object.assign(globalThis, {library});
</script>`;

inEachEngine(engine => {
  let viewer: Site;
  let tracker: Site;
  let browser: Running;

  beforeAll(async () => {
    tracker = await serve(project('build/library'), (request, response) => {
      if (request.url !== '/') return false;
      response.writeHead(200, {'Content-Type': 'text/html'}).end(USE);
      return true;
    });
    viewer = await serve(project('dist'), (request, response) => {
      if (request.url !== '/site.json') return false;
      response.end(JSON.stringify({symbols: null, embed: [new URL(tracker.url).origin]}));
      return true;
    });
    browser = await engine.start();
    await browser.tab.open(tracker.url);
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all([viewer, tracker].map(site => site?.close()));
  });

  test('the report is that of the command line', async () => {
    const got = await browser.tab.run(async base64 => {
      const {open}: Library = Reflect.get(globalThis, 'library');
      const session = await open(Uint8Array.from(atob(base64), letter => letter.charCodeAt(0)));
      const text = await session.dumps[0]?.render('json');
      session.close();
      return text;
    }, base64);
    expectSame(engine.name, got ?? '', commandLine(dump, []));
  });

  test('the page in an iframe shows a dump', async () => {
    const answers = await browser.tab.run(
      async (src, base64) => {
        const element = document.createElement('crash-glass') as CrashGlassElement;
        element.setAttribute('src', src);
        document.body.append(element);
        const bytes = Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));
        const shown = await element.show([{path: 'crash.dmp', bytes}]);
        return [shown, element.querySelectorAll('iframe').length];
      },
      viewer.url,
      base64,
    );
    expect(answers).toEqual(['shown', 1]);
  });
});
