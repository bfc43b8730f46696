// The page inside of another page: who may give it a dump, when, how often, and what the parent learns.
import {readFileSync} from 'node:fs';
import type {ServerResponse} from 'node:http';
import type {Browser, Frame, Page} from 'playwright-core';
import {afterAll, beforeAll, beforeEach, expect, test} from 'vitest';
import {launch, project, type Site, serve} from './browser.ts';
import {payloads} from './payloads.ts';
import {Planter} from './plant.ts';
import {stopped, stoppedInPage} from './ways.ts';

let browser: Browser;
let viewer: Site;
let friend: Site; // named by the viewer
let stranger: Site;
let witness: Site;

const dump = readFileSync(project('web/example/crash.dmp'));

beforeAll(async () => {
  const empty = (_: unknown, response: ServerResponse): boolean => {
    response.writeHead(200, {'Content-Type': 'text/html'}).end('<!doctype html><title>a tracker</title>');
    return true;
  };
  browser = await launch();
  const folder = project('web/src');
  [friend, stranger, witness] = await Promise.all([serve(folder, empty), serve(folder, empty), serve(folder)]);
  viewer = await serve(project('dist'), (request, response) => {
    if (request.url !== '/site.json') return false;
    response.end(JSON.stringify({symbols: 'symbols/', embed: [new URL(friend.url).origin, '*', 'null']}));
    return true;
  });
});
afterAll(() => Promise.all([browser, viewer, friend, stranger, witness].map(one => one?.close())));

let page: Page;
beforeEach(async () => {
  for (const old of browser.contexts()) await old.close();
  page = await (await browser.newContext()).newPage();
  // In each frame, how many policies are in force when files arrive.
  await page.addInitScript(() => {
    const {set, get} = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'onmessage') ?? {};
    Object.defineProperty(MessagePort.prototype, 'onmessage', {
      ...(get ? {get} : {}),
      set(listener) {
        const noted = (event: MessageEvent): void => {
          const policies = document.querySelectorAll('meta[http-equiv]').length;
          if (Array.isArray(event.data)) Object.assign(window, {policies});
          listener(event);
        };
        set?.call(this, listener && noted);
      },
    });
  });
});

/** Makes a parent with the viewer inside. */
async function embed(parent: Site, query = '?embed'): Promise<Frame> {
  await page.goto(parent.url);
  await page.evaluate(
    src =>
      new Promise(resolve => {
        const frame = document.createElement('iframe');
        Object.assign(frame, {src, onload: resolve});
        document.body.append(frame);
      }),
    `${viewer.url}${query}`,
  );
  const frame = page.frames()[1];
  if (!frame) throw new Error('there is no frame');
  return frame;
}

/** From a frame: sends a port with files to the first frame of the page, and returns all that comes back until it is quiet. */
const give = (from: Page | Frame, bytes: Buffer, path = 'crash.dmp'): Promise<unknown[]> =>
  from.evaluate(
    ([base64, path]) =>
      new Promise(resolve => {
        const bytes = Uint8Array.from(atob(base64 ?? ''), letter => letter.charCodeAt(0));
        const said: unknown[] = [];
        const {port1, port2} = new MessageChannel();
        addEventListener('message', ({data}) => said.push(['to the window', data]));
        port1.onmessage = ({data}) => {
          said.push(data);
          setTimeout(() => resolve(said), 200); // whatever else is said
        };
        top?.frames[0]?.postMessage('here', '*', [port2]);
        port1.postMessage([{path, bytes}]);
        port1.postMessage([{path: 'second.dmp', bytes}]);
      }),
    [bytes.toString('base64'), path] as const,
  );

const isShown = async (frame: Frame): Promise<boolean> => (await frame.locator('.facts').count()) > 0;

test('a parent that the host names shows one dump, after the lock', async () => {
  const frame = await embed(friend);
  expect(await give(page, dump)).toEqual(['shown']);
  expect(await isShown(frame)).toBe(true);
  expect(await frame.evaluate(() => Reflect.get(window, 'policies'))).toBe(2);
  expect(await give(page, dump)).toEqual(['refused']);
  expect(await frame.locator('.dump-list, .triage').count()).toBe(0);
  expect(viewer.requests.filter(path => path.startsWith('/symbols'))).toEqual([]);
});

test('any other parent is refused, and so is a window that is not the parent', async () => {
  const frame = await embed(stranger);
  expect(await give(page, dump)).toEqual(['refused']);
  expect(await isShown(frame)).toBe(false);

  const other = await embed(friend);
  await page.evaluate(() => document.body.append(document.createElement('iframe')));
  const sibling = page.frames()[2];
  expect(sibling && (await give(sibling, dump))).toEqual(['refused']);
  expect(await isShown(other)).toBe(false);
  expect(await give(page, dump)).toEqual(['shown']); // its try was none of the parent's
});

test('a page that is not embedded takes nothing', async () => {
  const frame = await embed(friend, '');
  const answer = await Promise.race([give(page, dump), new Promise(resolve => setTimeout(resolve, 2000, 'silence'))]);
  expect(answer).toBe('silence');
  expect(await isShown(frame)).toBe(false);
});

test('bytes in the first message and files that are no dump are refused', async () => {
  const frame = await embed(friend);
  await page.evaluate(() => top?.frames[0]?.postMessage([{path: 'a.dmp', bytes: new Uint8Array(4)}], '*'));
  expect(await give(page, Buffer.from('no dump'), payloads[0])).toEqual(['refused']);
  expect(await isShown(frame)).toBe(false);
});

test('a hostile dump runs nothing, and nothing gets out of the page or to its parent', async () => {
  const frame = await embed(friend);
  await page.exposeFunction('alert', () => Promise.reject(new Error('a script ran')));
  const failures: string[] = [];
  page.on('pageerror', error => failures.push(error.message));
  const planter = new Planter(dump);
  for (const [i, payload] of payloads.slice(0, 4).entries()) planter.module(i, payload);
  expect(await give(page, planter.threadName(0, payloads[1] ?? '').dump, payloads[2])).toEqual(['shown']);
  for (const way of Object.values({...stopped, ...stoppedInPage}))
    await frame.evaluate(
      `(async () => { try { await (${way})(${JSON.stringify(`${witness.url}leak`)}) } catch {} })()`,
    );
  await new Promise(resolve => setTimeout(resolve, 150));
  expect({failures, got: witness.requests}).toEqual({failures: [], got: []});
});

test('the element of the npm package shows a dump', async () => {
  await page.goto(friend.url);
  await page.addScriptTag({type: 'module', content: readFileSync(project('build/library/element.js'), 'utf8')});
  const answers = await page.evaluate(
    async ([src, base64]) => {
      await customElements.whenDefined('crash-glass');
      const element = document.createElement('crash-glass') as HTMLElement & {show(files: unknown): Promise<string>};
      element.setAttribute('src', src);
      document.body.append(element);
      const bytes = new Blob([Uint8Array.from(atob(base64), letter => letter.charCodeAt(0))]);
      return [
        await element.show([{path: 'crash.dmp', bytes}]),
        await element.show([{path: 'empty', bytes: new Blob([])}]),
      ];
    },
    [viewer.url, dump.toString('base64')] as const,
  );
  expect(answers).toEqual(['shown', 'refused']);
});
