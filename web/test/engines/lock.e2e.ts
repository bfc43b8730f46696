// Every way out in each engine, from the page and from the worker, after a dump was opened: each goes to a server of its own, which
// counts what comes. What a policy does not stop there is listed in docs/privacy.md by engine, and is expected here.
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {outside as host, project, type Site, serve} from '../browser.ts';
import {connects, notStopped, stopped, stoppedInPage, type Ways} from '../ways.ts';
import {inEachEngine} from './all.ts';
import {code, elements, inWorker} from './elements.ts';
import type {EngineUnderTest, Running, Tab} from './engine.ts';
import {callIn, findWorker, type Hooked, hooked} from './hooked.ts';
import {ready, until} from './page.ts';
import {type Outcome, outcome, type Sink, startSink} from './sink.ts';

const fromWorker: Ways = {...stopped, ...inWorker};
// A name has to be looked up for dns-prefetch, which a server does not see: exits.e2e.ts sees it in Chromium's own log.
// A way of WebAuthn names a host and no port: exits.e2e.ts has those, too.
const {'dns-prefetch': _, ...counted} = notStopped;
const fromPage: Ways = {...stopped, ...stoppedInPage, ...elements, ...code, ...connects, ...counted};

/** What gets out, by engine, of what is tried from the page; the rest and all of the worker is nothing. */
const GETS_OUT: Readonly<Record<EngineUnderTest['name'], Readonly<Record<string, Outcome>>>> = {
  Chromium: {
    form: 'connection',
    iframe: 'connection',
    FederatedCredential: 'request',
    'window.open': 'request',
    preconnect: 'connection',
    WebRTC: 'datagram',
    TURN: 'request',
    download: 'request',
    navigation: 'request',
  },
  Firefox: {
    'window.open': 'request',
    preconnect: 'connection',
    WebRTC: 'datagram',
    TURN: 'request',
    download: 'request',
    navigation: 'request',
  },
  // Debian's has no WebRTC, and its MiniBrowser opens windows after a click only.
  WebKit: {preconnect: 'connection', download: 'request', navigation: 'request'},
};

/** What arrives out of a page without a policy, in each engine and in some: without that, silence would say nothing. */
const ARRIVE = [
  'fetch',
  'XMLHttpRequest',
  'WebSocket',
  'EventSource',
  'cache.add',
  'sendBeacon',
  'image',
  'font',
  'a style sheet',
  'remote playback',
  'an audio worklet',
  'a style sheet of XML',
  'an SVG image',
  'an SVG filter',
  'image-set and srcset',
  'a poster',
  'an image button',
  'an empty frame',
  '<link modulepreload>',
  'import()',
];
const ARRIVE_TOO: Readonly<Record<EngineUnderTest['name'], readonly string[]>> = {
  Chromium: [
    'WebSocketStream',
    'prefetch',
    'fetchLater',
    'FedCM, which signs in',
    'the manifest of a payment method',
    'a paint worklet',
    '<link manifest>',
  ],
  Firefox: ['prefetch', '<object>', '<embed>'],
  WebKit: ['a link that pings'],
};

/** The least time for what was tried to arrive, in ms. */
const MOMENT = 2000;

const staying = Object.keys(fromPage).filter(name => name !== 'navigation');

/** Tries a way that the page names. */
const tryOne = `async ([name, url]) => {
  const ways = {${Object.entries(fromWorker)
    .map(([name, way]) => `${JSON.stringify(name)}: ${way}`)
    .join(',\n')}};
  try { await ways[name](url); } catch {}
}`;

/** Tries a way of the page. It is not waited for: what navigates takes the answer away with it. */
async function tryWay(tab: Tab, name: string, sink: Sink): Promise<void> {
  const start = `setTimeout(async () => { try { await (${fromPage[name]})(url) } catch {} })`;
  await tab.run(Reflect.construct(Function, ['url', start]) as (url: string) => void, sink.url).catch(() => undefined);
}

/** Tries ways of the page, each to a sink of its own. */
async function tryFromPage(tab: Tab, names: readonly string[]): Promise<Map<string, Sink>> {
  const sinks = new Map<string, Sink>();
  for (const name of names) {
    const sink = await startSink(host);
    sinks.set(name, sink);
    await tryWay(tab, name, sink);
  }
  return sinks;
}

/**
 * Tries again what should arrive from the page and has not. Chromium may close a call that shares its page with so many
 * other attempts before it sends anything, and the test is about what gets out at all.
 */
async function tryAgain(tab: Tab, sinks: ReadonlyMap<string, Sink>, want: Record<string, Outcome>): Promise<void> {
  const missing = (): string[] => Object.keys(want).filter(name => arrived(sinks)[name] !== want[name]);
  await expect
    .poll(missing, {timeout: 5 * MOMENT})
    .toEqual([])
    .catch(() => undefined);
  for (const name of missing()) await tryWay(tab, name, sinks.get(name) as Sink);
}

/** Tries all ways of the worker. Rejects when it has not tried one. */
async function tryFromWorker(tab: Tab): Promise<Map<string, Sink>> {
  const worker = await findWorker(tab);
  const sinks = new Map<string, Sink>();
  for (const name of Object.keys(fromWorker)) {
    const sink = await startSink(host);
    sinks.set(name, sink);
    await callIn(tab, worker, [name, sink.url]);
  }
  return sinks;
}

/** What has arrived so far, by the names of the ways. */
const arrived = (sinks: ReadonlyMap<string, Sink>): Record<string, Outcome> =>
  Object.fromEntries(
    [...sinks].map(([name, sink]) => [name, outcome(sink)] as const).filter(([, what]) => what !== 'nothing'),
  );

/** Expects that certain outcomes arrive and, after a while, that nothing else did. */
async function expectOnly(sinks: ReadonlyMap<string, Sink>, want: Record<string, Outcome>, ms: number): Promise<void> {
  await expect.poll(() => arrived(sinks)).toEqual(want);
  await new Promise(resolve => setTimeout(resolve, ms));
  for (const sink of sinks.values()) sink.close();
  expect(arrived(sinks)).toEqual(want);
}

inEachEngine(engine => {
  let page: Hooked;
  let site: Site;
  let browser: Running;
  /** How long silence is listened to, in ms: longer than it took until all had arrived that was not stopped. */
  let moment = 3 * MOMENT;

  beforeAll(async () => {
    page = hooked(tryOne);
    writeFileSync(join(page.folder, 'plain.html'), '<!doctype html><title>No policy</title>');
    site = await serve(page.folder);
    browser = await engine.start();
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
    page?.remove();
  });

  test('out of a page without a policy the same attempts arrive', async () => {
    await browser.tab.open(`${site.url}plain.html`);
    const start = performance.now();
    const names = [...ARRIVE, ...ARRIVE_TOO[engine.name]];
    const sinks = await tryFromPage(browser.tab, names);
    await expect.poll(() => Object.keys(arrived(sinks))).toEqual(names);
    moment = MOMENT + performance.now() - start;
    for (const sink of sinks.values()) sink.close();
  });

  test('the worker has no way out, and the page has those that docs/privacy.md lists', async () => {
    const {tab} = browser;
    await tab.open(site.url);
    await ready(tab);
    await tab.choose('input[data-opens=files]', [project('web/example/crash.dmp')]);
    await until(tab, '.verdict', 'Null pointer read');
    site.requests.length = 0;
    await expectOnly(await tryFromWorker(tab), {}, moment);
    // What navigates takes away what is still on its way, so it comes last.
    const {navigation, ...others} = GETS_OUT[engine.name];
    const sinks = await tryFromPage(tab, staying);
    await tryAgain(tab, sinks, others);
    await expectOnly(sinks, others, moment);
    await expectOnly(await tryFromPage(tab, ['navigation']), navigation ? {navigation} : {}, 0);
    expect(site.requests.filter(path => path !== '/sw.js')).toEqual([]);
  });

  test('docs/privacy.md names the engine and what gets out there', () => {
    const privacy = readFileSync(project('docs/privacy.md'), 'utf8');
    const row = privacy.split('\n').find(line => line.startsWith(`| ${engine.name} |`)) ?? '';
    for (const name of Object.keys(GETS_OUT[engine.name])) expect(row).toContain(name);
  });
});
