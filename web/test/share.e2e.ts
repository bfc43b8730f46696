// Sharing, with the page as it is published: each file says the same as the page, and contains nothing masked.
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import type {Page} from 'playwright-core';
import {beforeEach, expect, test} from 'vitest';
import type {Report} from '../src/report.ts';
import {corpus, openAgain} from './browser.ts';
import {browser, example, exampleSymbols, type Given, openFiles, site} from './built.ts';
import {payloads, unseen} from './payloads.ts';
import {Planter, streamType} from './plant.ts';

let page: Page;
let complaints: string[];

beforeEach(async () => {
  ({page, complaints} = await openAgain(browser, site));
});

const open = (...files: readonly (string | Given)[]): Promise<void> => openFiles(page, files);

/** A row of a stack, as far as both the page and a report say it, with the mark of a doubtful one. */
interface Row {
  readonly name: string;
  readonly place: string;
}

/** The crashing thread's rows as the page has them, with nothing folded. */
async function pageRows(): Promise<Row[]> {
  const folds = page.locator('.stack-region tr.fold button');
  for (let left = await folds.count(); left > 0; left--) await folds.first().click();
  return page.locator('.stack-region tr.frame').evaluateAll(rows =>
    rows.map(row => {
      // Where no place is known, the module stands instead of it.
      const [name, place] = ['.function .cut, .function .pieces', '.source :not(.quiet)'].map(part =>
        (row.querySelector(part)?.textContent ?? '').replace(/\s+/g, ' ').trim(),
      );
      const mark = row.querySelector('.tilde') ? '~ ' : '';
      return {name: mark + (name ?? ''), place: place ?? ''};
    }),
  );
}

/** What a press of a button in the dialog downloads. */
async function make(product: 'report' | 'dump'): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(`#share-${product}`)]);
  await page.waitForSelector('#share [role=status] :text("downloads")');
  return readFileSync(await download.path());
}

async function share(): Promise<void> {
  await page.keyboard.press('s');
  await page.click('#share-popover button:has-text("Make")');
  await page.waitForSelector('#share[open] .tells');
}

/** A report as a browser without a network opens it from a file. */
async function opened(report: Buffer): Promise<{page: Page; seen: string[]}> {
  const folder = mkdtempSync(join(tmpdir(), 'crashglass-'));
  const path = join(folder, 'report.html');
  writeFileSync(path, report);
  const context = await browser.newContext({offline: true});
  const other = await context.newPage();
  const seen: string[] = [];
  other.on('console', message => seen.push(message.text()));
  other.on('pageerror', error => seen.push(error.message));
  other.on('dialog', dialog => {
    seen.push(dialog.message());
    void dialog.dismiss();
  });
  // A refusal of the report's own policy would say that something in it was not as it should be.
  await other.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', e => {
      throw new Error(`refused: ${e.violatedDirective} ${e.blockedURI}`);
    });
  });
  const url = pathToFileURL(path).href;
  other.on('request', request => {
    if (request.url() !== url) seen.push(request.url());
  });
  await other.goto(url);
  rmSync(folder, {recursive: true});
  return {page: other, seen};
}

/** The first stack of a report, which is that of the thread that crashed, with the frames that it says are repeated. */
const reportRows = (report: Page): Promise<Row[]> =>
  report.evaluate(() => {
    const rows: Row[] = [];
    for (const list of document.querySelectorAll('ol.stack')) {
      // A long stack goes on in a second list; the next section has another thread's.
      if (list.closest('section') !== document.querySelector('ol.stack')?.closest('section')) break;
      for (const row of list.querySelectorAll('.row, .again')) {
        const again = /the (?:(\d+) frames|frame) above repeats? (\S+) more times?/.exec(row.textContent ?? '');
        if (again) {
          const above = rows.slice(-Number(again[1] ?? 1));
          for (let times = Number(again[2]); times > 0; times--) rows.push(...above);
          continue;
        }
        const [b, i, code] = ['b', 'i', 'code'].map(tag => row.querySelector(tag)?.textContent ?? '');
        // Where nothing names a frame the report has its module there, and the offset beside it.
        const [mark, name] = b?.startsWith('~ ') ? ['~ ', b.slice(2)] : ['', b ?? ''];
        const named = row.matches('.inline') || !(code ?? '').startsWith(`${name} + `);
        rows.push({name: mark + (named ? name : (code ?? '')), place: i ?? ''});
      }
    }
    return rows;
  });

const dumps: [string, string[]][] = [
  ['the example', [example('crash.dmp'), ...exampleSymbols]],
  ['the example without symbols', [example('crash.dmp')]],
  ...['core_threads_o2', 'x86_q_leaf']
    .map((name): [string, string[]] => [name, [corpus(`real/dumps/${name}.dmp`)]])
    .filter(([, [path]]) => existsSync(path ?? '')),
];

test.each(dumps)('a report of %s opens from a file without a network and shows the same stack', async (_, files) => {
  await open(...files);
  const want = await pageRows();
  await share();
  const report = await opened(await make('report'));
  await expect.poll(() => reportRows(report.page)).toEqual(want);
  await expect.poll(() => report.page.locator('script').count()).toBe(0);
  expect(report.seen).toEqual([]);
  expect(complaints).toEqual([]);
  expect(site.ownRequests()).toEqual([]);
});

test.each(dumps)('a dump to share of %s has the same frames', async (_, files) => {
  await open(...files);
  const want = await pageRows();
  await share();
  const dump = await make('dump');
  const said = await page.locator('#share .cleaned').innerText();
  expect(said).toContain('Every frame is unchanged');
  expect(said).toContain('Taken out');
  await page.goto(site.url);
  await open({name: 'shared.dmp', buffer: dump}, ...files.slice(1));
  await expect.poll(() => pageRows()).toEqual(want);
  expect(complaints).toEqual([]);
});

const token = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';
const password = 'hunter2-the-password';
const environment = `USER=mallory\0HOME=/home/mallory\0GITHUB_TOKEN=${token}\0PASSWORD=${password}\0`;

const planted = (): Given => ({
  name: 'planted.dmp',
  buffer: new Planter(readFileSync(example('crash.dmp')))
    .stream(streamType.environment, environment)
    .stream(streamType.commandLine, '/home/mallory/desk\0--password=hunter2-the-password\0')
    .module(0, '/home/mallory/desk').dump,
});

const log = `app-1  | ==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000000010 at pc 0x000000501234 bp 0x7fff00000010 sp 0x7fff00000008
app-1  | READ of size 4 at 0x602000000010 thread T0
app-1  |     #0 0x501233 in draw /home/mallory/desk/draw.c:9:3
app-1  |     #1 0x501300 in main /home/mallory/desk/main.c:4:10
app-1  | connecting with --password=${password}
app-1  | ==7==ABORTING
`;

test('a report that is text is shared in its own form, masked, and reads the same', async () => {
  await open({name: 'desk.log', buffer: Buffer.from(log)});
  const want = await pageRows();
  await share();
  const said = await page.locator('#share .tells').innerText();
  expect(said).toContain('mallory');
  const text = (await make('dump')).toString();
  expect(text).toContain('AddressSanitizer: heap-use-after-free');
  for (const word of ['mallory', password]) expect(text).not.toContain(word);
  expect(await page.locator('#share .cleaned').innerText()).toContain('The report is among your downloads.');
  await page.click('#share-capsule');
  await page.waitForSelector('#share-save');
  await page.check('#share-names');
  expect((await make('dump')).toString()).toContain('/home/mallory/');
  await page.goto(site.url);
  await open({name: 'desk.shared.log', buffer: Buffer.from(text)});
  await expect.poll(() => pageRows()).toEqual(want.map(row => ({...row, place: row.place.replace('mallory', '***')})));
  expect(complaints).toEqual([]);
});

test('the checklist says what is there, and never what a secret is', async () => {
  await open(planted());
  await share();
  const said = (await page.locator('#share').innerText()).replace(/\s+/g, ' ');
  expect(said).toContain('mallory');
  expect(said).toContain('The environment 4 variables');
  expect(said).toMatch(/Memory of the process [\d.]+ KiB dump only/);
  expect(said).not.toContain(token);
  expect(said).not.toContain(password);
  for (const box of ['names', 'memory']) await expect.poll(() => page.isChecked(`#share-${box}`)).toBe(false);
});

test('planted secrets are in no masked file, and in the files that are not masked', async () => {
  await open(planted());
  await share();
  const products = async (): Promise<Record<string, string>> => {
    const report = (await make('report')).toString('utf8');
    const dump = (await make('dump')).toString('latin1').replaceAll('\0', '');
    const copied: Record<string, string> = {};
    for (const product of ['markdown', 'text']) {
      await page.click(`#share-${product}`);
      await page.waitForSelector('#share [role=status] :text("clipboard")');
      copied[product] = await page.evaluate(() => navigator.clipboard.readText());
    }
    return {report, dump, ...copied};
  };
  for (const [name, text] of Object.entries(await products())) {
    expect(text.length, name).toBeGreaterThan(100);
    for (const word of ['mallory', token, password]) expect(text.includes(word), `${word} in the ${name}`).toBe(false);
  }
  await page.check('#share-names');
  const readable = await products();
  for (const name of ['report', 'dump']) expect(readable[name], name).toContain('mallory');
  expect(site.ownRequests()).toEqual([]);
});

test('memory is in a report only when it was asked for', async () => {
  await open(planted());
  await share();
  const without = (await make('report')).length;
  await page.check('#share-memory');
  const report = await opened(await make('report'));
  await expect.poll(async () => (await report.page.content()).length).toBeGreaterThan(without + 1000);
  await expect.poll(() => report.page.getByText('the stack of thread').count()).toBeGreaterThan(0);
});

// As many strings at a time as the example has named threads.
const batches = Array.from({length: Math.ceil(payloads.length / 4)}, (_, i) => payloads.slice(4 * i, 4 * i + 4));

/** The example with the strings in its environment, its command line, and the names of its threads, modules, functions and files. */
function hostile(strings: readonly string[]): Given[] {
  const planter = new Planter(readFileSync(example('crash.dmp')))
    .stream(streamType.environment, `${strings.map((text, i) => `V${i}=${text}`).join('\0')}\0`)
    .stream(streamType.commandLine, `${strings.join('\0')}\0`);
  strings.forEach((text, i) => void planter.threadName(i, text).module(i + 1, `/tmp/${text}`));
  const line = (i: number): string => (strings[i % strings.length] ?? '').replace(/[\r\n]/g, ' ');
  let n = 0;
  const sym = readFileSync(example('desk.sym'), 'utf8').replace(
    /^(FILE \d+|INLINE_ORIGIN \d+|FUNC(?: m)? [0-9a-f]+ [0-9a-f]+ [0-9a-f]+) .*$/gm,
    (_, head: string) => `${head} ${line(n++)}`,
  );
  return [
    {name: `${(strings[0] ?? '').slice(0, 40)}.dmp`, buffer: planter.dump},
    {name: 'desk.sym', buffer: Buffer.from(sym)},
  ];
}

/** All forms in which the page copies or saves a report, by name. */
async function takeAlong(): Promise<Record<string, string>> {
  const copies: Record<string, string> = {};
  const clipboard = async (name: string): Promise<void> => {
    await page.waitForSelector('.toast:has-text("copied")');
    copies[name] = await page.evaluate(() => navigator.clipboard.readText());
  };
  await page.keyboard.press('y');
  await clipboard('stack');
  for (const format of ['text', 'Markdown', 'machine text']) {
    await page.click('#share-button');
    await page.click(`#share-popover button:has-text("Copy the report as ${format}")`);
    await page.waitForSelector(`.toast:has-text("as ${format}")`);
    await clipboard(format);
  }
  await page.click('#share-button');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.click('#share-popover button:has-text("as JSON")'),
  ]);
  copies['JSON'] = readFileSync(await download.path(), 'utf8');
  return copies;
}

/** Markdown without what it sets as code. */
const prose = (markdown: string): string =>
  markdown.replace(/^(`{3,}).*\n[\s\S]*?^\1$/gm, '').replace(/(`+)[^`][\s\S]*?\1/g, '');

test.each(batches.map((strings, i) => [i, strings] as const))(
  'hostile text goes out as text, in every form (%i)',
  async (_, strings) => {
    await open(...hostile(strings));
    const copies = await takeAlong();
    for (const form of ['stack', 'text', 'Markdown', 'machine text'])
      expect(copies[form]?.match(unseen)?.[0], form).toBeUndefined();
    const folds = /^<\/?details>$|^<summary>\d+ other threads?<\/summary>$/gm; // ours, and nothing else's
    expect(prose((copies['Markdown'] ?? '').replace(folds, ''))).not.toMatch(/<[a-z!?/]|\]\(/i);
    const names = (JSON.parse(copies['JSON'] ?? '') as Report).threads?.map(thread => thread.thread_name ?? '');
    for (const text of strings) {
      // UTF-16 that is none has become U+FFFD, zeros at the end are none of the name, and a name without end was cut.
      const want = Buffer.from(text).toString().replace(/\0+$/, '').slice(0, 100);
      expect(names?.map(name => name.slice(0, 100))).toContain(want);
    }

    await share();
    await page.check('#share-names');
    await page.check('#share-memory');
    const report = await opened(await make('report'));
    const words = await report.page.evaluate(() => document.documentElement.textContent ?? '');
    for (const text of strings.filter(t => !unseen.test(t) && t.length < 100)) expect(words).toContain(text);
    expect(words.match(unseen)?.[0]).toBeUndefined();
    await expect.poll(() => report.page.title()).not.toContain('owned');
    const active = 'script, img, svg, iframe, object, math, form, base, meta[http-equiv=refresh], a:not([href^="#"])';
    await expect.poll(() => report.page.locator(active).count()).toBe(0);
    expect(report.seen).toEqual([]);
    expect(complaints).toEqual([]);
    expect(site.ownRequests()).toEqual([]);
  },
);

test('the dialog goes by keys alone, and gives the focus back', async () => {
  await open(example('crash.dmp'));
  await page.locator('tr.frame.selected').focus();
  await page.keyboard.press('s');
  await page.click('#share-popover button:has-text("Make")');
  await page.waitForSelector('#share[open] .tells');
  const visited: string[] = [];
  for (let i = 0; i < 10; i++) {
    visited.push(
      (await page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent?.trim())) ?? '',
    );
    await page.keyboard.press('Tab');
  }
  expect(visited).toEqual([
    'Close',
    'share-names',
    'share-values',
    'share-memory',
    'share-symbols-names',
    'share-report',
    'share-dump',
    'share-capsule',
    'share-markdown',
    'share-text',
  ]);
  await page.focus('#share-text');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#share [role=status] :text("clipboard")');
  await page.keyboard.press('Escape');
  await page.waitForSelector('#share:not([open])', {state: 'attached'});
  await expect.poll(() => page.evaluate(() => document.activeElement?.matches('tr.selected'))).toBe(true);
  // What was let out last time is masked again.
  await page.keyboard.press('s');
  await page.click('#share-popover button:has-text("Make")');
  await page.check('#share-names');
  await page.keyboard.press('Escape');
  await page.waitForSelector('#share:not([open])', {state: 'attached'});
  await page.keyboard.press('s');
  await page.click('#share-popover button:has-text("Make")');
  await expect.poll(() => page.isChecked('#share-names')).toBe(false);
  // A dialog says that it was closed a moment later; the menu may have opened it again by then.
  await page.evaluate(() => {
    document.querySelector<HTMLDialogElement>('#share')?.close();
    document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 's', bubbles: true}));
    const buttons = [...document.querySelectorAll('#share-popover button')];
    buttons
      .find(button => button.textContent?.includes('Make'))
      ?.dispatchEvent(new MouseEvent('click', {bubbles: true}));
  });
  await page.waitForSelector('#share[open] .tells');
});

test('native files are offered as a .sym file, whose dump reads the same with it', async context => {
  const dump = corpus('real/dumps/core_vcall_o2.dmp');
  const binary = corpus('real/native/vcall_o2');
  if (!existsSync(dump) || !existsSync(binary)) context.skip('no corpus at ../shared/corpus');
  await open(dump, binary);
  const button = page.locator('#modules button:has-text("Download .sym")').first();
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  const sym = readFileSync(await download.path());
  expect(sym.subarray(0, 7).toString()).toBe('MODULE ');
  expect(download.suggestedFilename()).toMatch(/\.sym$/);
});
