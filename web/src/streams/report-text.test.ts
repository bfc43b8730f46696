import {expect, test} from 'vitest';
import {fixture} from '../../test/harness/page.ts';
import {frame, report, thread} from '../../test/make.ts';
import {isText, textLines} from './report-text.ts';

const stated = {trust: 'prewalked', registers: null} as const;
const panic = report({
  threads: [
    thread([frame(0, {...stated, function: 'main.At(int)'}), frame(1, {...stated, function: 'main.main'})], {
      crashed: true,
    }),
  ],
});

test('a frame is on the first line with its name behind that of the frame before', () => {
  const text = 'panic in main.main\n\nmain.At(0x1)\n\tring.go:21\nmain.main()\n';
  expect(textLines(text, panic).map(({text: line, at}) => [line, at?.row.number ?? null])).toEqual([
    ['panic in main.main', null],
    ['', null],
    ['main.At(0x1)', 0],
    ['    ring.go:21', null],
    ['main.main()', 1],
  ]);
});

test('a frame without a name is on the line with its address, however it is padded', () => {
  const unnamed = report({
    threads: [thread([frame(0, {...stated, function: null, offset: '0x00007f1c980041a8'})], {crashed: true})],
  });
  expect(
    textLines('#00 pc 0x7f1c98004100\n#01 pc 00007f1c980041a8  lib.so', unnamed).map(({at}) => at !== null),
  ).toEqual([false, true]);
});

test('the innermost frame is on its own line, not on the headline that states it too', () => {
  const two = report({
    threads: [
      thread([frame(0, {...stated, function: null, offset: '0x55b5'}), frame(1, {...stated, function: 'main'})], {
        crashed: true,
      }),
      thread([frame(0, {...stated, function: 'main'})]),
    ],
  });
  const text = 'SEGV (pc 0x55b5)\n#0 0x55b5 (a+1)\n#1 0x77 main\nanother:\n#0 0x77 main';
  expect(textLines(text, two).map(({at}) => at && [at.thread, at.row.number])).toEqual([
    null,
    [0, 0],
    [0, 1],
    null,
    [1, 0],
  ]);
});

test('a dump with memory is no text', () => {
  expect([isText(panic), isText(fixture('threads')), isText(report())]).toEqual([true, false, false]);
});
