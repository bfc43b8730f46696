// What the page shows and does, with reports at hand instead of an engine.
import type {Page} from 'playwright-core';
import {describe, expect, test} from 'vitest';
import {fixture, type HarnessPage} from './harness/page.ts';
import {texts, useHarness} from './harness/tests.ts';
import {frame, inline, module, report, thread, withVariables} from './make.ts';

const harness = useHarness();

const shown = async (name: 'threads' | 'chromium' = 'threads'): Promise<HarnessPage> => {
  const p = await harness.page();
  await p.open(fixture(name), `${name}.dmp`);
  return p;
};

const selectedRow = (page: Page): Promise<string[]> => texts(page, 'tr.selected .function');

describe('a crash with symbols', () => {
  test('is told from the top', async () => {
    const {page, complaints} = await shown();
    await expect.poll(() => texts(page, 'h1')).toEqual(['Null pointer read in middle at threads.cpp:12']);
    await expect.poll(() => page.title()).toBe('Crashglass');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('title');
    await expect
      .poll(() => texts(page, '.facts .in-short'))
      .toEqual([
        'SIGSEGV at 0x0 threads_o2, pid 1234 thread 3455, 1 of 6 Linux 6.18.44-fc-v669 x86-64 2026-11-21 10:17:07 UTC ~ 1 name uncertain All facts',
      ]);
    await expect
      .poll(async () => (await texts(page, '#crash ~ .split > .stack-region tr.frame')).slice(0, 5))
      .toEqual([
        '0 middle threads.cpp:12 threads_o2 inlined',
        '1 work::Queue<Node*>::drain(int) threads.cpp:13 threads_o2 inlined',
        '2 work::process(work::Queue<Node*>&, int) threads.cpp:14 threads_o2 context',
        '3 crasher() threads.cpp:20 threads_o2 CFI',
      ]);
    await expect
      .poll(() => texts(page, '#crash ~ .split > .stack-region .fold .words'))
      .toEqual(['3 system frames ~ std::error_code::default_error_condition ← start_thread ← __clone3']);
    await expect
      .poll(() => texts(page, '.stack-region .end-row'))
      .toEqual(['Stack complete: the call frame info of __clone3 has no caller.']);
    await expect.poll(() => page.locator('.stack-region .crash').count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  test('has the innermost frame selected, and shows it', async () => {
    const {page} = await shown();
    await expect.poll(() => selectedRow(page)).toEqual(['middle']);
    await expect.poll(() => texts(page, '.inspector h2')).toEqual(['middle /home/build/crashes/src/threads.cpp:12']);
    await expect
      .poll(() => texts(page, '.registers .culprit'))
      .toEqual(['rax 0000000000000000 null, used as an address here']);
    await page.click('#tab-why');
    await expect
      .poll(() => texts(page, '.why li'))
      .toEqual(["thread context accepted rip of the exception's thread context"]);
  });

  test('shows the code: the instruction of the crash, and where a call comes back to', async () => {
    const {page} = await shown();
    await expect
      .poll(() => texts(page, '.code-panel tr'))
      .toEqual([
        '11 +0x153a 48 8b 40 08 mov rax, qword [rax+0x8]',
        '◆crashed here 12 +0x153e 8b 00 mov eax, dword [rax] reads 4 bytes at 0x0, rax = 0x0',
        'Thread 3455 ran mov eax, dword ptr [rax] with rax = 0. That 0 was read one instruction earlier from 0x7fe259618ea8, on this thread’s stack.',
        '13 +0x1540 c3 ret',
      ]);
    await page.click('tr.frame:has-text("crasher")');
    await page.keyboard.press('d');
    await expect.poll(() => texts(page, '.inspector .code-panel tr.return .note')).toEqual(['the call returns here']);
    await expect.poll(() => page.locator('.inspector .code-panel .crash').count()).toBe(0);
    await page.keyboard.press('d');
    await expect.poll(() => page.locator('.inspector .code-panel').count()).toBe(0);
  });

  test('says where the bad value comes from, step by step, and marks what is a guess', async () => {
    const {page} = await shown();
    await expect.poll(() => texts(page, '.trail h2')).toEqual(['Where 0x0 comes from']);
    await expect
      .poll(() => texts(page, '.trail li'))
      .toEqual([
        'next is 0x0 rax',
        'loaded from node->next 0x7fe254000b78 mov rax, qword [rax + 0x8]',
        '~ node is 0x7fe254000b70 0x7fe259618e90 rax, loaded from memory, mov rax, qword [rsp + 0x10]',
        'The dump does not prove where it came from.',
      ]);
  });

  test('names the file that has the code, where the dump has none', async () => {
    const {page, open} = await harness.page();
    const modules = [module('libgone.so', {code_id: 'AB12'})];
    await open(report({modules, threads: [thread([frame(0, {offset: '0x0000000000000010'})])]}));
    await page.keyboard.press('d');
    await expect
      .poll(() => texts(page, '.code-panel p'))
      .toEqual(['The bytes of this code are not in the dump. They are in libgone.so of build AB12.']);
  });

  test('moves the selection by click, and Back and Forward go with it', async () => {
    const {page} = await shown();
    await page.keyboard.press('f');
    await page.click('tr.frame:has-text("crasher")');
    await page.click('tr.frame:has-text("start_thread")');
    await expect.poll(() => page.evaluate(() => location.hash)).toBe('#d=1&h=9f86d081&t=0&f=3');
    await page.goBack();
    await expect.poll(() => selectedRow(page)).toEqual(['crasher()']);
    await page.goForward();
    await expect.poll(() => selectedRow(page)).toEqual(['start_thread']);
  });

  test('opens all facts, with the findings and their evidence', async () => {
    const {page} = await shown();
    await page.click('.facts button');
    await expect
      .poll(async () => (await texts(page, '.facts dd')).slice(0, 3))
      .toEqual(['SIGSEGV signal 11', '0x0', 'threads_o2 pid 1234']);
    await expect
      .poll(() => texts(page, '.finding.cause'))
      .toEqual([
        'Null pointer + 0x0 The instruction reads 4 bytes at 0x0.rax is 0, and so is the address that the kernel reported.',
      ]);
  });

  test('groups other threads, opens one, and folds what the crashing thread shows already', async () => {
    const {page} = await shown();
    await expect.poll(() => texts(page, '.group .where')).toContain('Sleeping in sleeper() threads.cpp:16');
    await page.keyboard.press('f');
    await page.click('.group:has-text("Waiting")');
    await expect
      .poll(async () => (await texts(page, '.groups .fold .words')).slice(-1))
      .toEqual(['3 more frames same as frames 4–6 of the crashing thread']);
    await page.click('.groups tr.frame:has-text("threads.cpp:17")');
    await expect.poll(() => texts(page, '.inspector h2 .name')).toEqual(['waiter()']);
    await page.click('.groups .fold button:has-text("3 more frames")');
    await expect.poll(() => texts(page, '.groups tr.frame:last-of-type .function')).not.toContain('');
    await expect.poll(() => page.locator('.groups tr.frame').count()).toBe(9);
  });

  test('draws all stacks as one tree, which leads to frames by key as well', async () => {
    const {page, complaints} = await shown();
    await page.click('button:has-text("Parallel stacks")');
    await page.waitForSelector('.parallel g[id]');
    const boxes = await texts(page, '.parallel g[id]');
    expect(boxes[0]).toContain('5 threads, 1 of them crashed');
    expect(boxes[0]).toContain('3 system frames: __clone3');
    expect(boxes.filter(words => words.includes('spinner'))).toHaveLength(1);
    await page.locator('.parallel g[id]:has-text("crasher")').last().focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => selectedRow(page)).toEqual(['middle']);
    expect(complaints).toEqual([]);
  });

  test('masks the environment until asked', async () => {
    const {page} = await shown();
    await page.click('summary:has-text("environ")');
    await expect.poll(() => page.locator('main').innerText()).not.toContain('SECRET=1');
    await page.click('button:has-text("Show /proc/self/environ")');
    await expect.poll(() => page.locator('main').innerText()).toContain('SECRET=1');
  });

  test('copies the stack, and says how much', async () => {
    const p = await harness.page({permissions: ['clipboard-read', 'clipboard-write']});
    await p.open(fixture('threads'));
    await p.page.keyboard.press('y');
    await p.page.waitForSelector('.toast:has-text("Stack copied, 7 frames")');
    const copied = await p.page.evaluate(() => navigator.clipboard.readText());
    expect(copied.split('\n')[0]).toBe('Thread 3455 crashed: Null pointer read in middle at threads.cpp:12');
    expect(copied.split('\n')).toHaveLength(10);
  });

  test('downloads the report as JSON', async () => {
    const {page} = await shown();
    await page.keyboard.press('s');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('button:has-text("as JSON")')]);
    expect(download.suggestedFilename()).toBe('threads.dmp.json');
  });
});

describe('a crash without symbols', () => {
  test('writes commands that fetch them, and fetches nothing', async () => {
    const {page, open, complaints} = await harness.page();
    const wanted = {
      module: 0,
      debug_file: 'a',
      debug_id: '1',
      code_file: '',
      code_id: '',
      frames: 1,
      crashing: true,
      state: 'missing',
      why: null,
    };
    const paths = ["it's $(x)/1/a.sym"];
    await open(report({modules: [module('a')], threads: [thread([frame(0)])], wanted_symbols: [{...wanted, paths}]}));
    await page.click('.symbols-link');
    await page.click('button:has-text("Other commands")');
    await expect
      .poll(() => texts(page, '.fetch pre'))
      .toEqual([
        `curl -fL --create-dirs -o 'symbols/it'\\''s $(x)/1/a.sym' "$SYMBOL_SERVER/it%27s%20%24%28x%29/1/a.sym"`,
      ]);
    expect(complaints).toEqual([]);
  });

  test('says which files are wanted, and why a given one does not match', async () => {
    const p = await harness.page({permissions: ['clipboard-read', 'clipboard-write']});
    await p.open(fixture('chromium'));
    const items = await texts(p.page, '.wanted > li');
    expect(items[0]).toContain('Mismatched');
    expect(items[0]).toContain('chromium/49F6744A29752BD4B61262C76D7B1ADD0/chromium.sym');
    expect(items[0]).toContain('Same name, other build.');
    await expect.poll(() => texts(p.page, '.wanted u')).toContain('B');
    await p.page.click('.wanted > li:first-child button:has-text("Copy path")');
    await p.page.waitForSelector('.toast:has-text("Path copied")');
    await expect
      .poll(() => p.page.evaluate(() => navigator.clipboard.readText()))
      .toBe('chromium/49F6744A29752BD4B61262C76D7B1ADD0/chromium.sym');
  });

  test('says from where on the stack is a guess', async () => {
    const {page} = await shown('chromium');
    const rows = await texts(page, '.stack-region tbody tr');
    const band = rows.findIndex(row => row.includes('From here the stack is a guess'));
    expect(rows[band - 1]).toContain('frame ptr');
    expect(rows[band + 1]).toContain('scan');
    expect(rows.at(-2)).toContain('after scan');
    expect(rows.at(-1)).toContain('Ends at a guess');
  });

  test('explains a scanned frame before anything else', async () => {
    const {page} = await shown('chromium');
    await page.click('tr.frame:has(.guess)');
    await expect.poll(async () => (await texts(page, '.panel h3'))[0]).toContain('Why this frame');
    await expect.poll(() => texts(page, '.note-box')).toHaveLength(1);
  });
});

describe('files that are of no use', () => {
  test('are named with what is wrong, and cost nothing that is shown', async () => {
    const {page, give} = await shown();
    await give('notes.txt', {refuse: 'Not a dump, symbols or an archive.'});
    await page.waitForSelector('[role=alert]');
    await expect.poll(() => texts(page, '.problems dl')).toEqual(['notes.txt Not a dump, symbols or an archive.']);
    await expect.poll(() => texts(page, 'h1')).toEqual(['Null pointer read in middle at threads.cpp:12']);
    await page.click('button:has-text("Dismiss")');
    await expect.poll(() => page.locator('.problems').count()).toBe(0);
  });

  test('leave the empty page as it was', async () => {
    const {page, give} = await harness.page();
    await give('x.bin', {refuse: 'It is empty.'});
    await page.waitForSelector('.problems');
    await expect.poll(() => texts(page, 'h1')).toEqual(['Open a crash dump in your browser. Nothing is uploaded.']);
  });
});

describe('while files are read', () => {
  test('the words say so, and Cancel ends it', async () => {
    const {page, give} = await harness.page();
    await give('big.dmp', {report: fixture('threads'), waits: true});
    await page.waitForSelector('.skeleton');
    await expect
      .poll(() => texts(page, 'h1'))
      .toEqual([expect.stringMatching(/^Reading big\.dmp, \d+ of 500 MB(, \d+ MB\/s)?$/)]);
    await page.click('button:has-text("Cancel")');
    await page.waitForSelector('.zone');
    await expect.poll(() => page.locator('.problems').count()).toBe(0);
  });

  test('another file can be given, and is shown first', async () => {
    const {page, give, open} = await harness.page();
    await give('slow.dmp', {report: report(), waits: true});
    await page.waitForSelector('.skeleton');
    await open(fixture('threads'), 'quick.dmp');
    await expect.poll(() => texts(page, '.dump')).toEqual(['quick.dmp 70 KiB']);
    await page.evaluate('answer()');
    await page.waitForSelector('.dump:has-text("slow.dmp")');
  });
});

describe('symbols that come later', () => {
  const before = report({threads: [thread([frame(0), frame(1, 'main')], {crashed: true})]});
  const named = report({
    modules: withVariables([]).modules, // whose symbols are app.debug
    threads: [thread([frame(0, {function: 'named', inlines: [inline('inner')]}), frame(1, 'main')], {crashed: true})],
  });
  const longer = report({
    threads: [thread([frame(0, 'named'), frame(1, 'between'), frame(2, 'main')], {crashed: true})],
  });

  test('name frames in place and say so', async () => {
    const {page, give, open} = await harness.page();
    await open(before);
    await give('app.debug', {update: named});
    await page.waitForSelector('.outcome:has-text("Updated with app.debug")');
    await expect.poll(() => texts(page, '.stack-region .frame .function')).toEqual(['inner', 'named', 'main']);
  });

  test('do not change frames while the user reads', async () => {
    const {page, give, open} = await harness.page();
    await open(before);
    await page.keyboard.press('j');
    await give('app.sym', {update: longer});
    await page.waitForSelector('.outcome:has-text("New symbols change 1 frame.")');
    await expect.poll(() => texts(page, '.stack-region .frame .function')).toHaveLength(2);
    await page.click('.outcome button');
    await expect.poll(() => texts(page, '.stack-region .frame .function')).toEqual(['named', 'between', 'main']);
  });

  test('may come first', async () => {
    const {page, give} = await harness.page();
    await give('a.sym', {symbols: true});
    await page.waitForSelector('h2:has-text("1 symbol file ready. Drop the dump.")');
  });
});

describe('dropping and pasting', () => {
  const drop = (page: Page, dropped: object): Promise<void> =>
    page.evaluate(text => {
      const data = new DataTransfer();
      data.items.add(new File([text], 'dropped.dmp'));
      for (const type of ['dragover', 'drop'])
        document.dispatchEvent(new DragEvent(type, {dataTransfer: data, bubbles: true, cancelable: true}));
    }, JSON.stringify(dropped));

  test('a file anywhere on the page', async () => {
    const {page} = await harness.page();
    await drop(page, {report: fixture('threads')});
    await page.waitForSelector('.dump:has-text("dropped.dmp")');
    await expect.poll(() => page.locator('.drop-overlay').count()).toBe(0);
  });

  test('shows where files would go while they hover', async () => {
    const {page} = await harness.page();
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(['x'], 'x'));
      document.dispatchEvent(new DragEvent('dragover', {dataTransfer: data, cancelable: true}));
    });
    await expect.poll(() => texts(page, '.drop-overlay')).toEqual(['Drop to open']);
  });

  test('text that is pasted is a file', async () => {
    const {page} = await harness.page();
    await page.evaluate(
      text => {
        const data = new DataTransfer();
        data.setData('text', text);
        document.dispatchEvent(new ClipboardEvent('paste', {clipboardData: data}));
      },
      JSON.stringify({report: fixture('threads')}),
    );
    await page.waitForSelector('.dump:has-text("pasted text")');
  });
});

test('several dumps can be open, and one goes between them', async () => {
  const {page, open, give} = await harness.page();
  await open(fixture('threads'), 'one.dmp');
  await give('two.dmp', {report: fixture('chromium')});
  await page.waitForSelector('.dump:has-text("two.dmp")');
  await page.click('button.dump');
  await page.click('.menu button:has-text("one.dmp")');
  await expect.poll(() => texts(page, 'h1')).toEqual(['Null pointer read in middle at threads.cpp:12']);
  await page.goBack();
  await expect.poll(() => texts(page, 'h1')).toEqual(['SIGSEGV sent by process 24248, not a fault in this process']);
});

test('several dumps are a table by signature, sortable, with a link to each', async () => {
  const {page, open, give, complaints} = await harness.page();
  await open(fixture('threads'), 'one.dmp');
  for (const name of ['two', 'three']) {
    await give(`${name}.dmp`, {
      report:
        name === 'two'
          ? fixture('chromium')
          : {...fixture('threads'), dump: {...fixture('threads').dump, hash: 'e'.repeat(32)}},
    });
    await page.waitForSelector(`.dump:has-text("${name}.dmp")`);
  }
  await page.click('button:has-text("All dumps")');
  await expect.poll(() => texts(page, 'h1')).toEqual(['3 crashes in 2 groups']);
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('title');
  const rows = await texts(page, '.triage-table tbody tr');
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatch(/^2 middle ← work::Queue.*Null pointer read threads_o2 .*21 Nov$/);
  await page.selectOption('select[aria-label=Sort]', 'Sort: signature');
  await expect.poll(async () => (await texts(page, '.triage-table tbody tr'))[1]).toMatch(/^2 middle/);
  await page.keyboard.press('j');
  await page.click('.triage-table tr:has-text("middle")');
  await page.click('.dumps a:has-text("one.dmp")');
  await expect.poll(() => texts(page, 'h1')).toEqual(['Null pointer read in middle at threads.cpp:12']);
  await page.goBack();
  await expect.poll(() => texts(page, 'h1')).toEqual(['3 crashes in 2 groups']);
  expect(complaints).toEqual([]);
});

test('the theme is kept', async () => {
  const {page} = await harness.page();
  for (let i = 0; i < 2; i++) {
    await page.click('#more-button');
    await page.click('#more-popover button:has-text("Theme")');
  }
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
  await page.reload();
  await page.waitForSelector('h1');
  await expect
    .poll(() => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor))
    .toBe('rgb(16, 18, 21)');
});

describe('half a dump', () => {
  test('without threads says so', async () => {
    const {page, complaints, open} = await harness.page();
    await open({...report(), threads: null, modules: null, unloaded_modules: null});
    await expect.poll(() => texts(page, '.split h2')).toEqual(['No threads']);
    expect(complaints).toEqual([]);
  });

  test('without a crash has no diamond', async () => {
    const {page, open} = await harness.page();
    await open(report({threads: [thread([frame(0, 'main')])]}));
    await expect.poll(() => page.locator('.crash, .diamond').count()).toBe(0);
    await expect.poll(() => texts(page, '#stack-title')).toEqual(['Thread 1']);
  });

  test('says what is damaged: the walk that ends early, the streams, the notes', async () => {
    const {page, complaints, open} = await harness.page();
    const early = {complete: false, kind: 'memory_ends', reason: 'the stack is captured up to 0x7000 only'};
    await open(
      report({
        threads: [thread([frame(0, 'main')], {crashed: true, end: early})],
        streams: [{type: 3, name: 'ThreadListStream', offset: 32, size: 52, error: 'needs 100 bytes, has 52'}],
        notes: [{kind: 'truncated', where: 'stream ThreadListStream', text: 'cut short', offset: 32, count: 1}],
      }),
    );
    await expect
      .poll(() => texts(page, '.end-row .words'))
      .toEqual(['Cut short: the stack is captured up to 0x7000 only.']);
    await expect.poll(() => texts(page, '#streams .doubt')).toEqual(['✕ needs 100 bytes, has 52']);
    await expect.poll(() => texts(page, '#notes td.wide')).toEqual(['cut short']);
    expect(complaints).toEqual([]);
  });

  test('with null wherever the schema allows it is still a page', async () => {
    const {page, complaints, open} = await harness.page();
    const bare = {...frame(0, {module: null, module_offset: null, module_index: null, registers: null, inlines: null})};
    await open(
      report({
        threads: [
          {...thread([bare]), frames: [bare]},
          {...thread([]), frames: null},
        ],
      }),
    );
    await expect.poll(() => page.locator('tr.frame').count()).toBe(1);
    expect(complaints).toEqual([]);
  });
});
