import {describe, expect, test} from 'vitest';
import {cpu} from '../../test/cpu.ts';
import {frame, inline, thread} from '../../test/make.ts';
import type {Frame, Thread} from '../report.ts';
import type {StackOptions} from './folds.ts';
import {functionName} from './names.ts';
import {endWords, firstRow, type Row, selectable, stackRows} from './stack.ts';

const options: StackOptions = {crashed: true, inlined: true, guesses: true, system: false, opened: new Set()};

const show = (t: Thread, more: Partial<StackOptions> = {}): string[] => stackRows(t, {...options, ...more}).map(word);

function word(row: Row): string {
  if (row.kind === 'frame') return `${row.number} ${functionName(row) ?? `${row.frame.module}+`}`;
  if (row.kind === 'fold') return `[${row.label} · ${row.detail}]`;
  return row.kind === 'end' ? `end${row.guess ? '?' : ''}` : row.kind;
}

const named = (names: string[]): Frame[] => names.map((name, i) => frame(i, name));

test('a short stack is shown as it is', () => {
  expect(show(thread(named(['a', 'b'])))).toEqual(['0 a', '1 b', 'end']);
});

describe('hiding inlined calls', () => {
  const t = thread([frame(0, {function: 'f', inlines: [inline('in')]}), frame(1, 'main')]);

  test('keeps the numbers', () => expect(show(t, {inlined: false})).toEqual(['1 f', '2 main', 'end']));

  test('moves the diamond to the physical frame', () => {
    const first = stackRows(t, {...options, inlined: false})[0];
    expect(first?.kind === 'frame' && first.node).toBe('crash');
  });
});

describe('calls of an interpreter', () => {
  const call = (name: string) => ({...inline(name), kind: 'javascript'});
  const runs = (index: number, ...inlines: ReturnType<typeof call>[]): Frame =>
    frame(index, {function: 'Trampoline', inlines});
  const t = thread([frame(0, 'native'), runs(1, call('a'), call('b')), runs(2, call('main')), frame(3, 'Entry')]);

  test('stand for the native frames that run them', () => {
    expect(show(t)).toEqual(['0 native', '1 a', '2 b', '4 main', '6 Entry', 'end']);
    expect(show(t, {inlined: false})).toEqual(show(t));
  });

  test('stand beside these where frames of the system are shown, or the verdict names one', () => {
    expect(show(t, {system: true})).toEqual([
      '0 native',
      '1 a',
      '2 b',
      '3 Trampoline',
      '4 main',
      '5 Trampoline',
      '6 Entry',
      'end',
    ]);
    expect(show(thread([runs(0, call('a')), frame(1, 'main')]), {row: 1})).toEqual([
      '0 a',
      '1 Trampoline',
      '2 main',
      'end',
    ]);
  });

  test('do not hide a function with an inlined call', () => {
    expect(show(thread([frame(0, {function: 'run', inlines: [call('a'), inline('b')]})]))).toEqual([
      '0 a',
      '1 b',
      '2 run',
      'end',
    ]);
  });
});

describe('unnamed runs', () => {
  const run = (n: number): Frame[] =>
    Array.from({length: n}, (_, i) => frame(i + 1, {module: 'chromium', missing_symbols: true}));

  test('of four stay', () => expect(show(thread([frame(0, 'a'), ...run(4)]))).toHaveLength(6));

  test('of five and more keep their ends', () => {
    expect(show(thread([frame(0, 'a'), ...run(12), frame(13, 'z')]))).toEqual([
      '0 a',
      '1 chromium+',
      '[10 more frames in chromium · 2–11, no symbols, CFI]',
      '12 chromium+',
      '13 z',
      'end',
    ]);
  });

  test('end where the module or the trust changes', () => {
    const mixed = run(8).map((f, i) => (i % 2 ? {...f, found_by: 'frame ptr', trust: 'frame_pointer'} : f));
    expect(show(thread(mixed)).filter(row => row.startsWith('['))).toEqual([]);
  });

  test('open by their key', () => {
    const t = thread(run(12));
    const fold = stackRows(t, options).find(row => row.kind === 'fold');
    expect(fold?.kind === 'fold' && show(t, {opened: new Set([fold.key])})).toHaveLength(13);
  });
});

describe('recursion', () => {
  test('of one function says how often', () => {
    const t = thread(named(['leaf', ...Array<string>(412).fill('deep'), 'main']));
    expect(show(t)).toEqual(['0 leaf', '1 deep', '[411 times more · deep, 2–412]', '413 main', 'end']);
  });

  test('of several functions says their number', () => {
    const t = thread(named([...Array<string[]>(100).fill(['a', 'b', 'c']).flat(), 'main']));
    expect(show(t)).toEqual(['0 a', '1 b', '2 c', '[297 more frames · repeating every 3, 3–299]', '300 main', 'end']);
  });

  test('is not read into the nearest public name', () => {
    const near = Array.from({length: 9}, (_, i) =>
      frame(i, {function: 'mallopt', public_name: true, name_certainty: 'nearest', module: 'chromium'}),
    );
    expect(show(thread(near))).toEqual([
      '0 mallopt',
      '1 mallopt',
      '[6 more frames in chromium · 2–7, near mallopt, CFI]',
      '8 mallopt',
      'end',
    ]);
  });

  test('of three rounds is left alone', () => expect(show(thread(named(['a', 'a', 'a'])))).toHaveLength(4));
});

describe('guesses', () => {
  const t = thread([frame(0, 'a'), frame(1, {function: 'b', trust: 'scan'}), frame(2, 'c')], {
    end: {complete: false, kind: 'no_return', reason: ''},
  });

  test('stand below a band', () => expect(show(t)).toEqual(['0 a', 'band', '1 b', '2 c', 'end?']));

  test('can be hidden, with their number shown', () =>
    expect(show(t, {guesses: false})).toEqual(['0 a', 'band', '[2 guesses hidden · ]', 'end?']));
});

test.each([
  ['undefined', true, false, 'Stack complete'],
  ['thread_start', true, false, 'Stack complete'],
  ['guessed_start', false, true, 'Ends at a guess'],
  ['guessed_undefined', false, false, 'Ends at a guess'],
  ['guessed_zero', false, true, 'Ends at a guess'],
  ['memory_ends', false, true, 'Ends at a guess'],
  ['memory_ends', false, false, 'Cut short'],
  ['chain_end', false, false, 'Cut short'],
  ['symbols_awaited', false, false, 'More to come'],
  ['__proto__', false, false, 'Cut short'],
] as const)('a stack that ends by %s (complete: %s, guess: %s): %s', (kind, complete, guess, words) =>
  expect(endWords({kind, complete, reason: ''}, guess)).toBe(words),
);

describe('machinery', () => {
  const t = thread(named(['raise', 'abort', 'panic', 'culprit', 'main']), {crashed: true});

  test('above the row that the verdict names is folded', () =>
    expect(show(t, {row: 3})).toEqual(['[3 frames above · raise ← abort ← panic]', '3 culprit', '4 main', 'end']));

  test('of one frame is not', () => expect(show(t, {row: 1})[0]).toBe('0 raise'));

  test('is not folded when the verdict names nothing here', () => expect(show(t, {row: 99})[0]).toBe('0 raise'));

  test('leaves the named frame selected at first', () => {
    const row = firstRow(t, 3);
    expect(row && functionName(row)).toBe('culprit');
    expect(firstRow(t, null)?.number).toBe(0);
    expect(firstRow(thread([]), null)).toBeNull();
  });
});

describe('own code comes first', () => {
  const system = (index: number, name: string | null): Frame =>
    frame(index, {function: name, module: 'libc', is_system: true});
  const t = thread(
    [
      system(0, 'raise'),
      system(1, 'abort'),
      frame(2, 'harbor::parse(int)'),
      system(3, 'qsort'),
      system(4, 'msort'),
      frame(5, 'compare'),
      ...[6, 7, 8].map(i => system(i, `step_${i}`)),
      frame(9, 'main'),
      system(10, 'libc_start'),
      system(11, null),
    ],
    {crashed: true},
  );

  test('runs of system frames fold: above it, of three in between, of two at the end', () =>
    expect(show(t)).toEqual([
      '[2 system frames · raise ← abort]',
      '2 harbor::parse(int)',
      '3 qsort',
      '4 msort',
      '5 compare',
      '[3 system frames · step_6 ← step_7 ← step_8]',
      '9 main',
      '[2 system frames · libc_start]',
      'end',
    ]));

  test('the first own frame is selected', () => expect(firstRow(t, null)?.number).toBe(2));

  test('one switch shows all', () => expect(show(t, {system: true})).toHaveLength(13));

  test('a stack without own code is shown as it is', () =>
    expect(show(thread([0, 1, 2, 3].map(i => system(i, `f${i}`))))).toHaveLength(5));

  test('a function of a library is none, inlined or not', () => {
    const header = {...inline('std::vector::at', '/usr/include/c++/12/bits/stl_vector.h', 1), library: true};
    const row = firstRow(thread([frame(0, {function: 'own', inlines: [header]})]), null);
    expect(row?.number).toBe(1);
    const started = thread([frame(0, {function: 'std::rt::begin_panic', library: true}), frame(1, 'main')]);
    expect(firstRow(started, null)?.number).toBe(1);
  });
});

describe('possible callers', () => {
  const guess = (i: number, name: string): Frame => frame(i, {module: name, trust: 'scan', found_by: 'scan'});
  const many = thread([frame(0, 'a'), ...Array.from({length: 63}, (_, i) => guess(i + 1, i % 3 ? 'atlas' : 'ntdll'))]);

  test('fold but for the first and the last three, and say whose they are', () =>
    expect(show(many)).toEqual([
      '0 a',
      'band',
      '1 ntdll+',
      '2 atlas+',
      '3 atlas+',
      '[57 possible callers · 4–60 · atlas 38, ntdll 19]',
      '61 ntdll+',
      '62 atlas+',
      '63 atlas+',
      'end?',
    ]));

  test('the one that the verdict names stays', () =>
    expect(show(many, {row: 6})[8]).toBe('[54 possible callers · 7–60 · atlas 36, ntdll 18]'));

  test('ten are all shown', () =>
    expect(show(thread(Array.from({length: 10}, (_, i) => guess(i, 'x'))))).toHaveLength(12));

  test('the band says how many follow', () => {
    const band = stackRows(many, options).find(row => row.kind === 'band');
    expect(band?.kind === 'band' && band.count).toBe(63);
  });
});

test('an end that the crashing thread shares is folded', () => {
  const t = thread(named(['a', 'b', 'x', 'y', 'z']));
  expect(show(t, {shared: {count: 3, from: 4, to: 6}})).toEqual([
    '0 a',
    '1 b',
    '[3 more frames · same as frames 4–6 of the crashing thread]',
    'end',
  ]);
  expect(show(t, {shared: {count: 2, from: 4, to: 5}})).toHaveLength(6);
});

test('a very long stack is shown by its ends', () => {
  const t = thread(named(Array.from({length: 10_000}, (_, i) => `f${i % 97}_${i}`)));
  const rows = show(t);
  expect(rows).toHaveLength(64 + 1 + 16 + 1);
  expect(rows[64]).toBe('[9920 more frames · 64–9983]');
});

test('65 536 frames are folded in no time', () => {
  const t = thread(named(Array.from({length: 65_536}, (_, i) => (i % 11 ? 'a' : `b${i}`))));
  const start = cpu();
  show(t);
  expect(cpu() - start).toBeLessThan(1500);
});

test('selectable has the frames only', () => {
  const t = thread([frame(0, 'a'), frame(1, {function: 'b', trust: 'scan'})]);
  expect(selectable(stackRows(t, options)).map(r => r.number)).toEqual([0, 1]);
});
