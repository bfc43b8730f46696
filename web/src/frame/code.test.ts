import {describe, expect, test} from 'vitest';
import {frame, report, thread} from '../../test/make.ts';
import type {CodeLine} from '../engine/types.ts';
import type {Address} from '../report.ts';
import {type CodeRow, codeAddress, codeRows, operandValues, registerValue} from './code.ts';

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
    expect(marked(rows(r))).toMatchObject([
      {mark: 'crash', address: '0x1000', note: 'reads 4 bytes at 0x10, rax = 0x10'},
    ]);
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
    expect(marked(rows(crash, caller))).toMatchObject([
      {mark: 'return', address: '0x1000', note: 'the call returns here'},
    ]);
  });

  test('of an interrupted frame is its own instruction: it made no call', () => {
    const interrupted = frame(1, {return_address: '0x1000', offset: '0x1000', found_by: 'signal frame'});
    expect(marked(rows(crash, interrupted))).toMatchObject([{mark: 'here', address: '0x1000'}]);
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
