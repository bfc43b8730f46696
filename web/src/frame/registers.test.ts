import {describe, expect, test} from 'vitest';
import {frame, module, report, thread} from '../../test/make.ts';
import type {Region} from '../report.ts';
import {pointsTo, registerRows, spName} from './registers.ts';

const region = (base: Region['base'], more: Partial<Region> = {}): Region => ({
  base,
  size: '0x1000',
  protection: 'rw-',
  state: 'committed',
  kind: 'private',
  name: '',
  captured: false,
  ...more,
});

const crashed = thread(
  [
    frame(0, {
      function: 'work::process(int)',
      function_offset: '0xe',
      registers: {
        rcx: '0x0000000000000000',
        rax: '0x0000000000000000',
        rsi: '0x0000000000000004',
        rdi: '0x0000000000007010',
        rip: '0x0000000000001530',
        rsp: '0x0000000000007000',
        eflags: '0x0000000000010202',
      },
    }),
  ],
  {crashed: true, stack: {base: '0x7000', size: '0x1000'}, thread_id: 5},
);
const other = thread([], {stack: {base: '0x9000', size: '0x1000'}, thread_id: 6});
const full = report({
  threads: [crashed, other],
  modules: [module('/lib/app')],
  crash_info: {...report().crash_info, instruction: 'mov eax, dword ptr [rax + rsp]', pointer_register: 'rax'},
  memory_regions: [
    region('0x20000'),
    region('0x30000', {protection: '---'}),
    region('0x40000', {state: 'free'}),
    region('0x50000', {name: '/usr/share/font.ttf', protection: 'r--', captured: true}),
  ],
});
const first = crashed.frames?.[0] ?? frame(0);

test('the culprit comes first, then where the thread stands, pointers, numbers, zeros', () => {
  expect(registerRows(full, crashed, first).map(r => `${r.name} ${r.weight}: ${r.words}`)).toEqual([
    'rax culprit: null, used as an address here',
    'rip pc: work::process + 0xe',
    'rsp sp: stack',
    'rdi points: stack, sp + 0x10',
    'rsi number: 4',
    'eflags number: IF RF',
    'rcx zero: 0',
  ]);
});

test('no register is the culprit where none held a wrong pointer, in another frame, or in a thread that did not crash', () => {
  const guilty = (r = full, t = crashed, f = first): number =>
    registerRows(r, t, f).filter(row => row.weight === 'culprit').length;
  expect(guilty()).toBe(1);
  expect(guilty({...full, crash_info: {...full.crash_info, pointer_register: null}})).toBe(0);
  expect(guilty(full, {...crashed, crashed: false})).toBe(0);
  expect(guilty(full, crashed, {...first, frame: 1})).toBe(0);
});

describe('pointsTo', () => {
  test.each<[bigint, string]>([
    [0x7008n, 'stack, sp + 0x8'],
    [0x1530n, 'app + 0x530'],
    [0x9010n, 'stack of thread 6'],
    [0x20010n, 'rw- memory, not captured'],
    [0x30000n, '--- memory, no access'],
    [0x40000n, ''],
    [0x50000n, 'r-- font.ttf'],
    [42n, '42'],
    [0xffffffffffffff60n, '−160'],
    [0xe5e5e5e5e5e5e5e5n, 'freed memory (jemalloc fills with e5)'],
    [0x41414141n, 'text “AAAA”'],
    [0x123456789an, ''],
  ])('%#x', (n, want) => expect(pointsTo(full, crashed, first, n).words).toBe(want));

  test('a poison of four bytes is one only where pointers have four', () => {
    const narrow = {...full, system_info: {...full.system_info, pointer_width: 4}};
    expect(pointsTo(narrow, crashed, first, 0xe5e5e5e5n).words).toBe('freed memory (jemalloc fills with e5)');
    expect(pointsTo(full, crashed, first, 0xe5e5e5e5n).words).toBe('');
  });
});

test('spName knows the stack pointers, and takes r1 only where there is no other', () => {
  expect([spName({sp: '0x1', r1: '0x2'}), spName({r1: '0x2'}), spName({})]).toEqual(['sp', 'r1', null]);
});

test('no registers, no rows', () => expect(registerRows(full, crashed, frame(0, {registers: null}))).toEqual([]));
