import {expect, test} from 'vitest';
import {frame, inline, report, thread} from '../../test/make.ts';
import {frameRows} from '../stack/frames.ts';
import {rowName} from '../stack/names.ts';
import {stackText} from './copy.ts';

test('a stack as text has every row, aligned, and the end', () => {
  const t = thread(
    [
      frame(0, {function: 'outer(int)', file: '/src/a.cpp', line: 14, inlines: [inline('middle', '/src/a.cpp', 12)]}),
      frame(1, {
        module: 'libc.so.6',
        module_offset: '0x00000000000891f4',
        missing_symbols: true,
        trust: 'scan',
        found_by: 'scan',
      }),
    ],
    {
      crashed: true,
      thread_id: 3455,
      thread_name: 'work\u202eer',
      end: {complete: false, kind: 'memory_ends', reason: 'the captured stack ends here'},
    },
  );
  const r = report({
    threads: [t],
    verdict: {
      what: 'Null pointer read',
      where: 'middle',
      guess: false,
      at: 'a.cpp:12',
      detail: '',
      crashed: true,
      finding: '',
      row: 0,
      confidence: null,
      badges: null,
    },
  });
  expect(stackText(r, t)).toBe(
    [
      'Thread 3455 work\\u202eer crashed: Null pointer read in middle at a.cpp:12',
      '  0  middle                 a.cpp:12    app        inlined',
      '  1  outer(int)             a.cpp:14    app        context',
      '  2  ~ libc.so.6 + 0x891f4  no symbols  libc.so.6  scan',
      'Ends at a guess: the captured stack ends here',
      '',
    ].join('\n'),
  );
});

test('rowName falls back to where the frame is', () => {
  const name = (more: Parameters<typeof frame>[1]): string => {
    const row = frameRows(thread([frame(0, more)]), false)[0];
    return row ? rowName(row) : '';
  };
  expect(name('f')).toBe('f');
  expect(name({module_offset: '0x0000000000000010'})).toBe('app + 0x10');
  expect(name({module: null, unloaded_modules: [{module: 'gone.dll', offsets: ['0x0000000000000020']}]})).toBe(
    'gone.dll (unloaded) + 0x20',
  );
  expect(name({module: null, offset: '0x0000000000000bad'})).toBe('0xbad');
});
