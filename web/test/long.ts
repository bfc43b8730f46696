// How long a thousand threads and five thousand modules take: from the drop to the answer and to the whole page, and which
// tasks of the main thread are long meanwhile and while one scrolls: `node test/run.js test/long.ts [ROUNDS]`. Times are of
// this machine at this moment, in milliseconds; a task's is that of the processor, which others do not make longer.
import type {CDPSession, Page} from 'playwright-core';
import {project, serve} from './browser.ts';
import type {EngineUnderTest} from './engines/engine.ts';
import {firefox} from './engines/firefox.ts';
import {until} from './engines/page.ts';
import {webkit} from './engines/webkit.ts';
import {startHarness} from './harness/page.ts';
import setup from './harness/setup.ts';
import {many} from './make.ts';

const rounds = Number(process.argv[3] ?? 5);

interface Event {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly tdur?: number;
}

/** The longest tasks of the page's main thread while something is done. */
async function tasks<T>(session: CDPSession, work: () => Promise<T>): Promise<{longest: string; value: T}> {
  const events: Event[] = [];
  const collect = ({value}: {value: object[]}) => events.push(...(value as Event[]));
  session.on('Tracing.dataCollected', collect);
  const traceConfig = {includedCategories: ['toplevel', 'devtools.timeline']};
  await session.send('Tracing.start', {traceConfig, transferMode: 'ReportEvents'});
  const value = await work();
  const complete = new Promise(done => session.once('Tracing.tracingComplete', done));
  await session.send('Tracing.end');
  await complete;
  session.off('Tracing.dataCollected', collect);
  const main = events.find(e => e.name === 'UpdateLayoutTree');
  const times = events
    .filter(e => e.pid === main?.pid && e.tid === main.tid && e.ph === 'X' && e.name.endsWith('RunTask'))
    .map(e => Math.round((e.tdur ?? 0) / 1000))
    .sort((a, b) => b - a);
  return {longest: times.slice(0, 3).join(', '), value};
}

/** From the drop, without the time that the text takes to be parsed: to the crash and its stack, and to the last line. */
async function shown(): Promise<{first: number; whole: number; gap: number}> {
  const text: string = Reflect.get(globalThis, 'text');
  const start = performance.now();
  JSON.parse(text);
  const dropped = performance.now();
  const parsing = dropped - start;
  const data = new DataTransfer();
  data.items.add(new File([text], 'huge.dmp'));
  let last = performance.now();
  let gap = 0;
  const {port1, port2} = new MessageChannel();
  port1.onmessage = () => {
    const now = performance.now();
    gap = Math.max(gap, now - last);
    last = now;
    setTimeout(() => port2.postMessage(null), 1);
  };
  port2.postMessage(null);
  document.dispatchEvent(new DragEvent('drop', {dataTransfer: data, cancelable: true}));
  const until = async (selector: string): Promise<number> => {
    while (!document.querySelector(selector)) await new Promise(done => setTimeout(done, 0));
    await new Promise(requestAnimationFrame);
    return Math.round(performance.now() - dropped - parsing);
  };
  return {
    first: await until('.stack-region tr.frame'),
    whole: await until('#main[aria-busy=false] .facts'),
    gap: Math.round(gap),
  };
}

/** Scrolls from the page's top to its end by the wheel. */
async function scroll(page: Page): Promise<void> {
  await page.mouse.move(300, 600);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  for (let at = 0; at < height; at += 400) {
    await page.mouse.wheel(0, 400);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
}

await setup();
const harness = await startHarness();
const text = JSON.stringify({report: many(1000)});
for (let round = 0; round < rounds; round++) {
  const {page} = await harness.page();
  // What a test says to a page is a task of it too, so the report is there before.
  await page.evaluate(text => Object.assign(globalThis, {text}), text);
  const session = await page.context().newCDPSession(page);
  const {longest: opening, value: at} = await tasks(session, () => page.evaluate(shown));
  const {longest: scrolling} = await tasks(session, () => scroll(page));
  process.stdout.write(`first view ${at.first}, whole ${at.whole}; longest tasks ${opening}, scrolling ${scrolling}\n`);
}
await harness.close();

// Other engines record no tasks: the longest time between two ticks of a clock is what one feels of them, with the time for parsing in it.
async function elsewhere(engine: EngineUnderTest): Promise<void> {
  const site = await serve(project('web/test-results/harness'));
  const {tab, close} = await engine.start();
  for (let round = 0; round < rounds; round++) {
    await tab.open(`${site.url}?${round}`);
    await until(tab, 'h1');
    await tab.run(text => void Object.assign(globalThis, {text}), text);
    const {first, whole, gap} = await tab.run(shown);
    process.stdout.write(`${engine.name}: first view ${first}, whole ${whole}; longest gap ${gap}\n`);
  }
  await close();
  await site.close();
}
for (const engine of [firefox, webkit].filter(engine => engine.missing() === null)) await elsewhere(engine);
