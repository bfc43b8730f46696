// Every view with something in it, for pictures.
import type {Page} from 'playwright-core';
import type {Frame, Report, Thread, Wait} from '../src/report.ts';
import {fixture, type HarnessPage} from './harness/page.ts';
import {deadlocked, frame, module, panic, report, thread} from './make.ts';
import {everything} from './values.ts';

/** The source of the program that threads is of, made up as far as the report does not show it. */
const code = `#include <condition_variable>
#include <thread>

struct Node {
  int value;
  Node *next;
};

// The last node has no next one, and the reader does not check for that.
static inline int middle(Node *node, int n) {
  Node *next = node->next;
  return next->value * 3 + n;
}

int work::process(Queue<Node *> &queue, int n) {
  return queue.drain(n);
}

void crasher() {
  work::process(queue, 4);
}
`;

async function source(page: Page): Promise<void> {
  const file = {name: 'threads.cpp', mimeType: 'text/plain', buffer: Buffer.from(code)};
  await page.setInputFiles('input[data-opens=files]', file);
  await page.waitForSelector('.source-panel tr');
  await page.waitForSelector('.toast', {state: 'hidden', timeout: 10_000});
}

// What a morning's folder of dumps looks like.
async function table({page, open, give}: HarnessPage): Promise<void> {
  await open(fixture('threads'), 'core_threads_o2.dmp');
  const named = (name: string, signature: string, frames: readonly string[]): Report => {
    const base = fixture('threads');
    const stack = frames.map((f, i) => frame(i, {function: f, module: 'desk', file: `/src/${name}.cpp`, line: 10 + i}));
    const verdict = {...base.verdict, what: 'Invalid write of 0x45', where: frames[0] ?? null};
    return {
      ...base,
      threads: [thread(stack, {crashed: true})],
      signature,
      verdict,
      wanted_symbols: [],
      dump: {...base.dump, hash: `${name}${frames.length}${signature}${frames.join('')}`},
    };
  };
  const others: readonly (readonly [string, Report])[] = [
    ['chromium_renderer.dmp', fixture('chromium')],
    ['core_threads_o2_again.dmp', {...fixture('threads'), dump: {...fixture('threads').dump, hash: 'e'.repeat(32)}}],
    ['desk_1.dmp', named('desk', 'desk::find', ['desk::find(desk::Request const&)', 'desk::serve(int)', 'main'])],
    ['desk_2.dmp', named('desk', 'desk::find', ['desk::find(desk::Request const&)', 'desk::clerk(int)', 'main'])],
    [
      'pool.dmp',
      named('pool', 'std::vector<T>::at', [
        'std::vector<std::pair<int, char>>::at(unsigned long)',
        'pool::take(int)',
        'main',
      ]),
    ],
    ['on_request.dmp', report({threads: [thread([frame(0, 'main')])]})],
  ];
  for (const [name, of] of others) {
    await give(name, {report: of});
    await page.waitForSelector(`.dump:has-text("${name}")`);
  }
  await page.click('button:has-text("All dumps")');
}

/** A crash like that of threads, with other frames on its stack. */
function crashOf(what: string, frames: readonly Frame[]): Report {
  const base = fixture('threads');
  const [first] = frames;
  const verdict = {...base.verdict, what, where: first?.function ?? null, at: null};
  return {...base, verdict, threads: [thread(frames, {crashed: true, thread_id: 3455})], signature: null};
}

const overflow = (): Report => {
  const cycle = ['deep(Node*)', 'visit(Node*, int)', 'each(Node*)'];
  const frames = Array.from({length: 10_000}, (_, i) => {
    const name = i < 4 ? `leaf_${i}()` : i < 9994 ? cycle[i % 3] : `start_${i}()`;
    return frame(i, {function: name ?? null, module: 'tree', file: '/src/tree.cpp', line: 10 + (i % 3)});
  });
  return crashOf('Stack overflow', frames);
};

/** Names as generated code has them. */
const longNames = (): Report => {
  const name = (of: string): string =>
    `boost::hana::${of}<${'std::pair<int, char const*>, '.repeat(160)}int>::call(int)`;
  const path = `/home/build/${'generated/'.repeat(400)}unit.cpp`;
  const frames = ['outer', 'transform', 'fold_left'].map((of, i) =>
    frame(i, {function: name(of), module: `${'very-long-plugin-name-'.repeat(190)}.so`, file: path, line: 123_456}),
  );
  return crashOf('Null pointer read', frames);
};

/** A dump alone: not one symbol file, no memory, nothing but addresses. */
const bare = (): Report =>
  report({
    crash_info: {
      ...report().crash_info,
      type: 'EXCEPTION_ACCESS_VIOLATION_READ',
      address: '0x0000000000000008',
      crashing_thread: 0,
    },
    verdict: {
      ...report().verdict,
      what: 'Null pointer read',
      where: 'app + 0x0',
      crashed: true,
      detail: 'Thread 1 read 4 bytes at 0x8.',
    },
    modules: [module('app', {debug_id: '49F6744A29752BD4B61262C76D7B1ADD0'})],
    threads: [
      thread([frame(0), frame(1, {trust: 'scan', found_by: 'scan'})], {
        crashed: true,
        end: {complete: false, kind: 'not_captured', reason: 'no stack memory is in the dump'},
      }),
      thread([], {
        thread_id: 2,
        end: {complete: false, kind: 'no_registers', reason: 'its registers are not in the dump'},
      }),
    ],
    notes: [
      {
        kind: 'truncated',
        where: 'memory list',
        text: 'lies outside the file, which has 276 bytes',
        offset: 276,
        count: 1,
      },
    ],
  });

/** Threads that wait for each other, and others of which the dump does not say what they wait for. */
function hung(): Report {
  const base = deadlocked();
  const [one] = base.threads ?? [];
  const waits = one?.waits;
  if (!one || !waits) throw new Error('no thread waits');
  const other = (thread_id: number, thread_name: string, more: Partial<Wait>): Thread => ({
    ...one,
    thread_id,
    thread_name,
    waits: {...waits, thread: null, thread_id: null, evidence: waits.evidence?.slice(0, 2) ?? null, ...more},
  });
  const locked = {
    object: '0x7f1c980041a8',
    holder: 'not_captured',
    text: 'a mutex at 0x7f1c980041a8; its memory is not in the dump',
  } as const;
  const threads = [other(21, 'metrics', locked), other(22, 'settings-watcher', locked)];
  return {
    ...base,
    threads: [...(base.threads ?? []), ...threads],
    thread_count: 5,
    hang: {
      waiting: 5,
      threads: 5,
      cycles: base.hang?.cycles ?? null,
      functions: base.hang?.functions ?? null,
      behind: base.hang?.behind ?? null,
    },
    verdict: {...base.verdict, what: 'No crash: 5 of 5 threads wait; threads 3 and 7 wait for each other'},
  };
}

/** How each view is reached, by name. */
export const views: Readonly<Record<string, (p: HarnessPage) => Promise<void>>> = {
  empty: async () => undefined,
  problems: async ({page, give}) => {
    await give('notes.txt', {refuse: 'This is text, not a dump, symbols or an archive.'});
    await page.waitForSelector('.problems');
  },
  reading: async ({page, give}) => {
    await give('libxul.dmp', {report: report(), waits: true});
    await page.waitForSelector('.skeleton');
  },
  symbols: async ({open}) => open(fixture('threads'), 'core_threads_o2.dmp'),
  nosymbols: async ({page, open}) => {
    await open(fixture('chromium'), 'chromium_renderer.dmp');
    await page.click('tr.frame:has(.guess)');
  },
  threads: async ({page, open}) => {
    await open(fixture('threads'), 'core_threads_o2.dmp');
    await page.keyboard.press('x');
  },
  facts: async ({page, open}) => {
    await open(fixture('threads'), 'core_threads_o2.dmp');
    await page.click('.facts button');
  },
  keys: async ({page, open}) => {
    await open(fixture('threads'), 'core_threads_o2.dmp');
    await page.keyboard.press('?');
  },
  code: async ({page, open}) => {
    await open(fixture('threads'), 'core_threads_o2.dmp');
    await source(page);
    await page.keyboard.press('d');
    await page.waitForSelector('.code-panel .source');
  },
  source: async ({page, open}) => {
    await open(fixture('threads'), 'core_threads_o2.dmp');
    await source(page);
  },
  triage: table,
  compare: async p => {
    await table(p);
    for (const key of ['j', ' ', 'j', ' ']) await p.page.keyboard.press(key);
    await p.page.click('.comparing button');
  },
  hex: async ({page, open}) => {
    await open(fixture('threads'), 'core_threads_o2.dmp');
    await page.fill('#find-bytes', 'hi');
    await page.press('#find-bytes', 'Enter');
    await page.click('.places button');
    await page.waitForSelector('.hex .caret:not(.absent)');
  },
  map: async ({page, open}) => {
    await open(fixture('threads'), 'core_threads_o2.dmp');
    await page.locator('.map g').nth(2).focus();
    await page.locator('#memory').scrollIntoViewIfNeeded();
  },
  parallel: async ({page, open}) => {
    await open(fixture('threads'), 'core_threads_o2.dmp');
    await page.click('button:has-text("Parallel stacks")');
    await page.locator('.parallel').scrollIntoViewIfNeeded();
  },
  share: async ({page, open}) => {
    await open(fixture('threads'), 'core_threads_o2.dmp');
    await page.keyboard.press('s');
    await page.click('.popover:popover-open button:has-text("Make")'); // of the Share menu, or of the one menu of a phone
    await page.waitForSelector('.tells');
  },
  shared: async ({page, open}) => {
    await open(fixture('threads'), 'core_threads_o2.dmp');
    await page.keyboard.press('s');
    await page.click('.popover:popover-open button:has-text("Make")'); // of the Share menu, or of the one menu of a phone
    await page.click('#share-dump');
    await page.locator('.cleaned').scrollIntoViewIfNeeded();
  },
  overlay: async ({page, open}) => {
    await open(fixture('threads'), 'core_threads_o2.dmp');
    await page.click('#streams button:has-text("ThreadList")');
    await page.waitForSelector('.fields .option');
    await page.locator('.overlay').scrollIntoViewIfNeeded();
  },
  variables: async ({page, open}) => {
    await open(everything(), 'ledger.dmp');
    await page.click('.variable .name:has-text("batch")');
    await page.click('.variable .name:has-text("entries")');
  },
  evidence: async ({page, open}) => {
    await open(everything(), 'ledger.dmp');
    await page.locator('.variable:has-text("index")').focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('.popover:popover-open');
  },
  overflow: async ({open}) => open(overflow(), 'deep_recursion.dmp'),
  long: async ({open}) => open(longNames(), `${'renderer-'.repeat(40)}.dmp`),
  hang: async ({open}) => open(hung(), 'hung.core'),
  text: async ({open}) => open(panic(), 'go.txt'),
  bare: async ({open}) => open(bare(), 'cut_short.dmp'),
  request: async ({open}) => open(report({threads: [thread([frame(0, 'main')])]}), 'on_request.dmp'),
};
