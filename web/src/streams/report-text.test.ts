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

test('a dump with memory is no text', () => {
  expect([isText(panic), isText(fixture('threads')), isText(report())]).toEqual([true, false, false]);
});
