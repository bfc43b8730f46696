import {describe, expect, test} from 'vitest';
import {frame, report, thread} from '../../test/make.ts';
import type {CodeLine} from '../engine/types.ts';
import type {Address} from '../report.ts';
import {type CodeRow, codeAddress, codeRows, lanesOf, operandValues, registerValue} from './code.ts';

const line = (address: Address, text: string, more: Partial<CodeLine> = {}): CodeLine => ({
  address,
  bytes: '8b00',
  text,
  function: null,
  file: null,
  line: null,
  from_file: false,
  target: null,
  ...more,
});

const code = {
  sure: true,
  lines: [
    line('0x0ffe', 'push rbp', {file: '/src/a.cpp', line: 3}),
    line('0x0fff', 'nop', {file: '/src/a.cpp', line: 3}),
    line('0x1000', 'mov eax, dword [rax]', {file: '/src/a.h', line: 3}),
    line('0x1002', ''),
  ],
};

const crashed = frame(0, {registers: {rax: '0x0000000000000010', rbx: '0x1'}});
const crash = report({threads: [thread([crashed], {crashed: true})]});
const rows = (r = crash, f = crashed, t = thread([crashed], {crashed: true})) => codeRows(r, t, f, code);
const marked = (all: ReturnType<typeof rows>): CodeRow[] =>
  all.filter((row): row is CodeRow => row.kind === 'code' && row.mark !== null);

test('source lines stand where they change, files too', () => {
  expect(rows().map(row => (row.kind === 'code' ? row.line : row.kind === 'file' ? row.file : row.text))).toEqual([
    'a.cpp',
    3,
    null,
    'a.h',
    3,
    null,
  ]);
});

test('source that was given stands above the instructions of each line', () => {
  const lineOf = (file: string, line: number): string | null => (file === '/src/a.cpp' ? `line ${line} of a` : null);
  const all = codeRows(crash, thread([crashed], {crashed: true}), crashed, code, lineOf);
  expect(all.map(row => (row.kind === 'file' ? row.file : row.kind === 'source' ? row.text : row.line))).toEqual([
    'a.cpp',
    'line 3 of a',
    null,
    null,
    'a.h',
    3,
    null,
  ]);
});

test('a short listing has no names of files, and numbers the lines of the marked file only', () => {
  const all = codeRows(crash, thread([crashed], {crashed: true}), crashed, code, undefined, 2);
  expect(all.map(row => row.kind === 'code' && row.line)).toEqual([null, null, 3, null]);
});

test('bytes stand apart, and bytes that are no instruction have none', () => {
  const all = rows().filter(row => row.kind === 'code');
  expect(all[2]).toMatchObject({bytes: '8b 00', mnemonic: 'mov', operands: 'eax, dword [rax]'});
  expect(all[3]).toMatchObject({mnemonic: null, operands: ''});
});

describe('the marked row', () => {
  test('of a crash says what it touches and what its registers were', () => {
    const r = {
      ...crash,
      crash_info: {
        ...crash.crash_info,
        accessed_address: '0x12',
        memory_accesses: [
          {address: '0x7000', size: 8, access_type: 'write'},
          {address: '0x10', size: 4, access_type: 'read'},
        ],
      },
    } as const;
    expect(marked(rows(r))).toMatchObject([{mark: 'crash', place: '+0x0', note: 'reads 4 bytes at 0x10, rax = 0x10'}]);
  });

  test('of a crash without a failed access says nothing of accesses', () => {
    const memory_accesses = [{address: '0x7000', size: 4, access_type: 'write'}] as const;
    expect(marked(rows({...crash, crash_info: {...crash.crash_info, memory_accesses}}))).toMatchObject([
      {mark: 'crash', note: 'rax = 0x10'},
    ]);
  });

  test('of a thread that did not crash begins at its instruction pointer', () => {
    expect(marked(rows(report(), crashed, thread([crashed])))).toMatchObject([{mark: 'here'}]);
  });

  test('of a caller is where the call comes back to', () => {
    const caller = frame(1, {return_address: '0x1000', offset: '0x0fff'});
    expect(codeAddress(caller)).toBe('0x1000');
    expect(marked(rows(crash, caller))).toMatchObject([{mark: 'return', place: '+0x2', note: 'the call returns here'}]);
  });

  test('of an interrupted frame is its own instruction: it made no call', () => {
    const interrupted = frame(1, {return_address: '0x1000', offset: '0x1000', found_by: 'signal frame'});
    expect(marked(rows(crash, interrupted))).toMatchObject([{mark: 'here', place: '+0x1'}]);
  });
});

test('a name in the text is a register only when the frame has it', () => {
  expect(operandValues('call 0x400500 <rax + rbx>', crashed)).toEqual([]);
  expect(operandValues('mov dword [rbx+rcx*4+0x10], eax', crashed)).toEqual(['rbx = 0x1', 'eax = 0x10']);
});

test('half a register is read from the whole one', () => {
  const f = frame(0, {registers: {rax: '0x1122334455667788', r8: '0x1ffffffff', x0: '0x100000002'}});
  expect(['eax', 'r8d', 'w0', 'rax', 'edi', 'constructor'].map(name => registerValue(name, f))).toEqual([
    0x55667788n,
    0xffffffffn,
    2n,
    0x1122334455667788n,
    null,
    null,
  ]);
});

describe('jumps inside the listing', () => {
  const jump = (at: number, to: number | null, text = 'jmp'): CodeLine =>
    line(`0x${at}`, text, {target: to === null ? null : `0x${to}`});
  const lanes = (lines: readonly CodeLine[]): string[] => lanesOf(lines).map(([outer, inner]) => `${outer}|${inner}`);

  test('run in two lanes, the shorter one inside', () =>
    expect(lanes([jump(1, 5), jump(2, null), jump(3, null), jump(4, 2), jump(5, null)])).toEqual([
      'top|',
      'line|top to',
      'line|line',
      'line|end',
      'end to|',
    ]));

  test('calls, jumps elsewhere, and a third one at the same place have none', () => {
    expect(lanes([jump(1, 2, 'call 0x2'), jump(2, 9), jump(3, 3)])).toEqual(['|', '|', '|']);
    const three = lanes([jump(1, 6), jump(2, 5), jump(3, 4), jump(4, null), jump(5, null), jump(6, null)]);
    expect(three.filter(row => row.includes(' to'))).toHaveLength(2);
  });

  test('a jump names the offset of its target', () => {
    const lines = [line('0x0ffe', 'jne 0x1000 <f+0x2>', {target: '0x1000'}), line('0x1000', 'ret')];
    const at = {...crashed, module_offset: '0x100'} as const;
    const [row] = codeRows(crash, thread([at]), at, {sure: true, lines});
    expect(row).toMatchObject({mnemonic: 'jne', operands: '+0x100', place: '+0xfe'});
  });
});
