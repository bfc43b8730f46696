// The first visit to a host that packs nothing, over a slow line: what it costs, and what stands there before all of it has come.
import {existsSync, readFileSync, statSync} from 'node:fs';
import {createServer} from 'node:http';
import {extname, join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {project, types} from '../browser.ts';
import {inEachEngine} from './all.ts';
import type {Running} from './engine.ts';
import {texts, until} from './page.ts';

/**
 * The most that a first visit may cost on any host, in bytes. WebKit's is the largest by 14 KB: its driver opens private windows, which keep neither
 * the page nor its style for the service worker.
 */
const MOST = 2_750_000;

/** Bytes a second. CRASHGLASS_LINE=200000 is what Chromium's developer tools call "Slow 4G". */
const LINE = Number(process.env['CRASHGLASS_LINE'] ?? 1_600_000);

const CHUNK = 16 << 10;

interface Host {
  /** By a name that is not this machine's, as far as the page can tell. */
  readonly url: string;
  /** Bytes of bodies that were sent. */
  sent: number;
  /** What was sent of each path. */
  readonly each: Map<string, number>;
  /** Sends the second half of the program, which waits for this. */
  goOn(): void;
  close(): void;
}

/** A plain host behind a slow line: one chunk after the other, whatever they are of. */
function startHost(folder: string): Promise<Host> {
  let line = Promise.resolve();
  let goOn = (): void => undefined;
  const reported = new Promise<void>(resolve => {
    goOn = resolve;
  });
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
    if (!existsSync(file) || !statSync(file).isFile()) return void response.writeHead(404).end();
    const etag = `"${statSync(file).size}"`;
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end();
    const bytes = readFileSync(file);
    const type = types[extname(file)] ?? 'application/octet-stream';
    response.writeHead(200, {'Content-Type': type, 'Content-Length': bytes.length, ETag: etag});
    if (request.method === 'HEAD') return void response.end();
    for (let at = 0; at < bytes.length && !response.destroyed; at += CHUNK) {
      const chunk = bytes.subarray(at, at + CHUNK);
      if (path.includes('.wasm') && at > bytes.length / 2) await reported;
      line = line.then(() => new Promise(resolve => setTimeout(resolve, (1000 * chunk.length) / LINE)));
      await line;
      if (response.destroyed) return;
      host.sent += chunk.length;
      host.each.set(path, (host.each.get(path) ?? 0) + chunk.length);
      response.write(chunk);
    }
    response.end();
  });
  const host = {url: '', sent: 0, each: new Map<string, number>(), goOn, close: () => void server.close()};
  return new Promise(resolve =>
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      host.url = `http://crashglass.localhost:${typeof address === 'object' ? address?.port : 0}/`;
      resolve(host);
    }),
  );
}

inEachEngine(engine => {
  let browser: Running;
  let host: Host;
  beforeEach(async () => {
    [browser, host] = await Promise.all([engine.start(), startHost(project('dist'))]);
  });
  afterEach(async () => {
    await browser?.close();
    host?.close();
  });

  test('the first screen takes files at once, and the whole visit costs little more than the packed program', async () => {
    const {tab} = browser;
    const start = performance.now();
    const lap = (): number => Math.round(performance.now() - start);
    await tab.open(host.url);
    await until(tab, '#drop');
    const [screen, sent] = [lap(), host.sent];
    await tab.choose('input[data-opens=files]', [project('web/example/crash.dmp')]);
    await expect.poll(async () => (await texts(tab, '.local')).join()).not.toContain('0 requests');
    await until(tab, 'h1, p', 'MB so far');
    host.goOn();
    await until(tab, '.verdict', 'Null pointer read');
    const crash = lap();
    process.stdout.write(`${engine.name}: first screen ${screen} ms, crash ${crash} ms, ${host.sent} bytes\n`);
    if (process.env['CRASHGLASS_LINE']) process.stdout.write(`${JSON.stringify([...host.each])}\n`);
    expect(sent).toBeLessThan(MOST / 4);
    expect(host.sent).toBeLessThan(MOST);
    expect([...host.each.keys()].filter(path => /\/index-[^/]*\.js/.test(path))).toHaveLength(1); // the service worker has it from the page
  });
});
