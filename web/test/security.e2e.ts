// The lock: on a host without headers, nothing leaves the page or its worker after loading, by any way that a script
// has. Two servers (the page's own and another host) and the browser's network log record what arrives.
import type {Browser, Page, Request, Worker} from 'playwright-core';
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {launch, project, type Site, serve} from './browser.ts';

let browser: Browser;
let site: Site;
let stranger: Site;
let page: Page;
let worker: Worker;
/** Every request since the page was ready that the browser did not refuse by policy. */
const logged: string[] = [];

beforeAll(async () => {
  [browser, site, stranger] = await Promise.all([launch(), serve(project('dist')), serve(project('dist'))]);
  const context = await browser.newContext();
  page = await context.newPage();
  const started = page.waitForEvent('worker');
  await page.goto(site.url);
  worker = await started;
  await worker.evaluate(untilServed);
  const log = (request: Request): void => {
    if (!/^(blob|data):/.test(request.url())) logged.push(request.url());
  };
  context.on('requestfinished', log);
  context.on('requestfailed', request => {
    if (request.failure()?.errorText !== 'csp') log(request);
  });
});

afterAll(() => Promise.all([browser?.close(), site?.close(), stranger?.close()]));

beforeEach(() => {
  for (const list of [site.requests, stranger.requests, logged]) list.length = 0;
});

/** In a worker: the Go program has started. */
async function untilServed(): Promise<void> {
  while (!('crashglass' in globalThis)) await new Promise(resolve => setTimeout(resolve, 10));
}

/** Waits for what was tried to have arrived, had it been let out, and expects that nothing did. */
async function expectSilence(): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, 150));
  expect({site: site.ownRequests(), stranger: stranger.requests, logged}).toEqual({site: [], stranger: [], logged: []});
}

// Each runs in the page or the worker, gets a URL, and says "refused", or what happened instead.
type Attempt = (url: string) => Promise<string>;

const everywhere: Readonly<Record<string, Attempt>> = {
  fetch: url =>
    fetch(url).then(
      () => 'answered',
      () => 'refused',
    ),
  'fetch without cors': url =>
    fetch(url, {method: 'POST', mode: 'no-cors', keepalive: true, body: 'secret'}).then(
      () => 'answered',
      () => 'refused',
    ),
  XMLHttpRequest: url =>
    new Promise(resolve => {
      const request = new XMLHttpRequest();
      request.onload = () => resolve('answered');
      request.onerror = () => resolve('refused');
      request.open('GET', url);
      request.send();
    }),
  WebSocket: url =>
    new Promise(resolve => {
      try {
        const socket = new WebSocket(url.replace('http', 'ws'));
        socket.onopen = () => resolve('open');
        socket.onerror = () => resolve('refused');
      } catch {
        resolve('refused');
      }
    }),
  EventSource: url =>
    new Promise(resolve => {
      const source = new EventSource(url);
      source.onopen = () => resolve('open');
      source.onerror = () => resolve('refused');
    }),
};

const pageOnly: Readonly<Record<string, Attempt>> = {
  // A beacon says "queued" and is refused later, or returns false: only the servers know.
  sendBeacon: async url => {
    navigator.sendBeacon(url, 'secret');
    return 'refused';
  },
  form: async url => {
    const form = document.createElement('form');
    form.action = url;
    document.body.append(form);
    form.submit();
    return 'refused';
  },
};

/** What an element can ask for, as the tag and the attributes that hold the URL. */
const elements: readonly [tag: string, attributes: Readonly<Record<string, string>>][] = [
  ['img', {src: ''}],
  ['iframe', {src: ''}],
  ['video', {src: ''}],
  ['object', {data: ''}],
  ['embed', {src: ''}],
  ['link', {href: '', rel: 'stylesheet'}],
  ['link', {href: '', rel: 'prefetch'}],
  ['link', {href: '', rel: 'preload', as: 'image'}],
  ['link', {href: '', rel: 'modulepreload'}],
  ['link', {href: '', rel: 'manifest'}],
];

describe.each([
  ['its own host', () => `${site.url}leak`],
  ['a stranger', () => `${stranger.url}leak`],
])('to %s', (_, url) => {
  test.each(Object.entries(everywhere))('the page has no %s', async (_name, attempt) => {
    expect(await page.evaluate(attempt, url())).toBe('refused');
    await expectSilence();
  });

  test.each(Object.entries(everywhere))('the worker has no %s', async (_name, attempt) => {
    expect(await worker.evaluate(attempt, url())).toBe('refused');
    await expectSilence();
  });

  test.each(Object.entries(pageOnly))('the page has no %s', async (_name, attempt) => {
    expect(await page.evaluate(attempt, url())).toBe('refused');
    await expectSilence();
  });

  test.each(elements)('the page has no <%s %o>', async (tag, attributes) => {
    await page.evaluate(
      ([tag, attributes, url]) => {
        const made = document.createElement(tag);
        try {
          for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value || url);
        } catch (error) {
          if (!String(error).includes('Trusted')) throw error;
        }
        document.head.append(made);
      },
      [tag, attributes, url()] as const,
    );
    await expectSilence();
  });

  test('the page has no import()', async () => {
    const outcome = `import(${JSON.stringify(url())}).then(() => 'loaded', () => 'refused')`;
    expect(await page.evaluate(outcome)).toBe('refused');
    await expectSilence();
  });

  test('the worker has no importScripts and no worker of its own', async () => {
    const outcome = await worker.evaluate(url => {
      const tries = [() => Reflect.get(globalThis, 'importScripts')(url), () => new Worker(url)];
      return tries.map(attempt => {
        try {
          attempt();
          return 'let through';
        } catch {
          return 'refused';
        }
      });
    }, url());
    expect(outcome).toEqual(['refused', 'refused']);
    await expectSilence();
  });
});

describe('scripts', () => {
  test('text does not become one', async () => {
    const outcome = await page.evaluate(async () => {
      // Scripts that a debugger sends are let do what the policy refuses, until they first wait.
      await new Promise(resolve => setTimeout(resolve, 10));
      const tries: (() => unknown)[] = [
        () => {
          document.body.innerHTML = '<b>markup</b>';
        },
        () => new Worker('data:text/javascript,0'),
        () => new Worker(URL.createObjectURL(new Blob(['0']))),
        () => Reflect.get(globalThis, 'eval')('1'),
        () => Reflect.get(globalThis, 'trustedTypes').createPolicy('another', {}),
        () => Reflect.get(globalThis, 'trustedTypes').createPolicy('crashglass', {}),
      ];
      return tries.map(attempt => {
        try {
          attempt();
          return 'let through';
        } catch {
          return 'refused';
        }
      });
    });
    expect(outcome).toEqual(Array(6).fill('refused'));
  });
});
