// Hostile strings in every field that a dump or a symbol file can fill: every view shows them as text.
import type {Page} from 'playwright-core';
import {expect, test} from 'vitest';
import type {Report} from '../src/report.ts';
import type {HarnessPage} from './harness/page.ts';
import {useHarness} from './harness/tests.ts';
import {frame, inline, module, report, thread} from './make.ts';
import {payloads, unseen} from './payloads.ts';

// Every string that a report can hold, filled with one payload.
function hostile(p: string): Report {
  const file = `/src/${p}`;
  const frames = [
    frame(0, {
      function: p,
      file,
      line: 1,
      module: p,
      inlines: [inline(p, p, 2)],
      found_by: p,
      registers: {[p]: '0x1', rsp: '0x7000'},
    }),
    frame(1, {function: null, module: p, trust: p}),
    frame(2, {function: null, module: null, unloaded_modules: [{module: p, offsets: ['0x10']}]}),
    frame(3, {
      function: `${p}<${p}>(${p})`,
      evidence: [{method: p, result: p, text: p, reads: [{address: '0x1', value: '0x2'}]}],
    }),
  ];
  const base = report();
  return {
    ...base,
    crash_info: {
      ...base.crash_info,
      type: p,
      instruction: p,
      assertion: p,
      note: p,
      crashing_thread: 0,
      crash_inconsistencies: [p],
    },
    system_info: {...base.system_info, os: p, os_ver: p, cpu_arch: p, cpu_info: p},
    thread_count: 3,
    threads: [
      thread(frames, {
        thread_name: p,
        crashed: true,
        state: p,
        end: {complete: false, kind: p, reason: p},
        last_error_value: p,
      }),
      thread([frame(0, {function: p, module: p, file})], {
        thread_name: p,
        state: p,
        end: {complete: true, kind: p, reason: p},
      }),
      thread([], {thread_name: p, dump_writer: true}),
    ],
    modules: [
      module(p, {
        path: p,
        version: p,
        debug_file: p,
        debug_id: p,
        code_id: p,
        overlap: p,
        symbols: {
          state: 'wrong_build',
          file: p,
          given_id: p,
          why: p,
          lines: true,
          inlines: true,
          cfi: true,
          code: true,
          bytes: 1,
          forcible: true,
          also: [p],
        },
      }),
    ],
    unloaded_modules: [{base_addr: '0x1', end_addr: '0x2', filename: p, code_id: p, cert_subject: p}],
    handles: [{handle: 1, type_name: p, object_name: p}],
    lsb_release: {id: p, release: p, codename: p, description: p},
    proc_limits: {limits: [{name: p, soft: p, hard: p, unit: p}]},
    mac_crash_info: {
      num_records: 1,
      records: [
        {
          thread: null,
          dialog_mode: null,
          abort_cause: null,
          module: p,
          message: p,
          signature_string: p,
          backtrace: p,
          message2: p,
        },
      ],
    },
    mac_boot_args: p,
    dump: {...base.dump, hash: p, writer: p, process: p, archive: [p]},
    signature: p,
    verdict: {
      what: p,
      where: p,
      guess: false,
      at: p,
      detail: p,
      crashed: true,
      finding: p,
      row: 0,
      confidence: 1,
      badges: [
        {kind: p, finding: p, text: p, evidence: [p], confidence: 1},
        ...Array.from({length: 8}, () => ({kind: 'doubt', finding: '', text: p, evidence: [p], confidence: null})),
      ],
    },
    next_steps: [{kind: p, file: p, text: p}],
    annotations: [
      {name: p, value: p, source: p, module: p},
      {name: 'ver', value: p || 'v', source: p, module: null},
    ],
    wanted_symbols: [
      {
        module: 0,
        debug_file: p,
        debug_id: p,
        code_file: p,
        code_id: p,
        paths: [p],
        frames: 2,
        crashing: true,
        state: p,
        why: p,
      },
    ],
    memory_regions: [{base: '0x1000', size: '0x1000', protection: p, state: p, kind: p, name: p, captured: true}],
    streams: [{type: 1, name: p, offset: 0, size: 1, error: p}],
    linux_files: [{name: p, text: p, sensitive: true}],
    notes: [{kind: p, where: p, text: p, offset: 1, count: 2}],
  };
}

const harness = useHarness();

/** The page of the last payload, if it closed all dumps at its end: the next one uses it again. */
let used: HarnessPage | null = null;

async function emptyPage(): Promise<HarnessPage> {
  const opened = used ?? (await harness.page());
  if (!used)
    await opened.page.evaluate(() => {
      document.addEventListener('securitypolicyviolation', e => {
        throw new Error(`refused: ${e.violatedDirective} ${e.blockedURI}`);
      });
    });
  used = null;
  return opened;
}

async function closeAll({page}: HarnessPage): Promise<void> {
  await page.evaluate(() => document.querySelector<HTMLElement>('.all-dumps')?.click());
  await page.waitForSelector('.triage-table');
  await page.evaluate(() => document.querySelector<HTMLElement>('#more-popover li:last-child button')?.click());
  await page.waitForSelector('.empty');
}

test.each(payloads.map((p, i) => [i, p] as const))('payload %i', async (_, payload) => {
  const opened = await emptyPage();
  const {page, complaints, open, give} = opened;
  await open(hostile(payload), `${payload.slice(0, 40).replace(/[\0/\\]/g, '')}.dmp`);
  // Every view: all folds and groups, all panels, the environment, the popovers.
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
    for (const button of document.querySelectorAll<HTMLElement>('.text-file button, .group, .fold button'))
      button.click();
  });
  for (const tab of ['variables', 'registers', 'stack', 'why'])
    await page.evaluate(id => document.getElementById(id)?.click(), `tab-${tab}`);
  await page.keyboard.press('d');
  await page.evaluate(() => {
    for (const sheet of document.querySelectorAll<HTMLElement>('.popover')) sheet.showPopover();
  });
  await harmless(page);
  await expect.poll(() => page.evaluate(() => location.hash)).toMatch(/^#d=1&t=0&f=\d+(&i=\d)?&v=why$/);
  // Parallel stacks take the whole page.
  await page.evaluate(() => {
    for (const button of document.querySelectorAll<HTMLElement>('.threads-region .button')) button.click();
  });
  await harmless(page);

  // Its source, the table with it, and it beside itself.
  const buffer = Buffer.from(`${payload}\n${payload}\n`);
  await page.setInputFiles('input[data-opens=files]', {name: 'hostile.cpp', mimeType: '', buffer});
  const report = hostile(payload);
  await give('second.dmp', {report: {...report, signature: `${payload}2`, dump: {...report.dump, hash: 'second'}}});
  await page.waitForSelector('.all-dumps');
  await page.evaluate(() => document.querySelector<HTMLElement>('.all-dumps')?.click());
  await page.waitForSelector('.triage-table');
  await harmless(page);
  await page.evaluate(async () => {
    for (const row of [...document.querySelectorAll<HTMLElement>('.triage-table tr[data-latest]')]) {
      row.click();
      await new Promise(requestAnimationFrame);
      document.querySelector<HTMLElement>('.dumps input')?.click();
      await new Promise(requestAnimationFrame);
    }
    document.querySelector<HTMLElement>('.comparing button')?.click();
  });
  await page.waitForSelector('.pair-table');
  await harmless(page);
  await closeAll(opened);
  expect(complaints).toEqual([]);
  used = opened;
});

// What holds in every view of the page.
async function harmless(page: Page): Promise<void> {
  const found = await page.evaluate(() => ({
    scripts: document.querySelectorAll(
      '#app script, #app iframe, #app img, #app object, #app base, #app link, #app style, #app form:not(.hex-view > form)',
    ).length,
    links: [...document.querySelectorAll('a')]
      .map(a => a.getAttribute('href') ?? '')
      .filter(href => !/^#([a-z]+|d=\d+)$/.test(href)),
    handlers: [...document.querySelectorAll('#app *')].filter(e =>
      e.getAttributeNames().some(name => name.startsWith('on')),
    ).length,
    text: document.body.innerText,
    attributes: [...document.querySelectorAll('#app *')].flatMap(e => [
      e.getAttribute('title') ?? '',
      e.getAttribute('aria-label') ?? '',
    ]),
    title: document.title,
  }));
  expect({...found, text: '', attributes: []}).toEqual({
    scripts: 0,
    links: [],
    handlers: 0,
    text: '',
    attributes: [],
    title: 'Crashglass',
  });
  expect(found.text.replaceAll('\t', '').match(unseen)?.[0]).toBeUndefined();
  expect(found.attributes.find(text => unseen.test(text))).toBeUndefined();
}
