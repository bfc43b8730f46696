import {expect, test} from 'vitest';
import {frame, report, thread} from '../../test/make.ts';
import {factLine, facts, nextSteps} from './facts.ts';

const text = (r: ReturnType<typeof report>): string[] =>
  facts(r).map(f => `${f.label}: ${f.value ?? '-'}${f.extra ? ` (${f.extra})` : ''}`);

test('an empty report says "not in dump" for every fact, each in its usual position', () => {
  expect(text(report())).toEqual([
    'Reason: -',
    'Address: -',
    'Process: -',
    'Threads: 0',
    'System: -',
    'Dump written: -',
    'Uptime: -',
    'Captured memory: -',
  ]);
});

test('a CPU that no file states is not named', () => {
  const {system_info: system} = report();
  expect(text(report({system_info: {...system, os: 'Linux', cpu_arch: 'unknown'}}))).toContain('System: Linux');
});

test('of a crash on Linux', () => {
  const empty = report();
  const r = report({
    pid: 1234,
    process_uptime: 65,
    thread_count: 6,
    crash_info: {
      ...empty.crash_info,
      type: 'SIGSEGV',
      address: '0x0000000000000008',
      code: '0xb',
      accessed_address: '0x0000000000000008',
    },
    verdict: {...empty.verdict, finding: 'null_pointer'},
    system_info: {...empty.system_info, os: 'Linux', os_ver: '6.18.44-fc #1 SMP', cpu_arch: 'amd64'},
    dump: {...empty.dump, time: 1_795_256_227, process: '/home/build/threads_o2', memory: 53_248},
    memory_regions: [
      {base: '0x1', size: '0x1', protection: '', state: '', kind: '', name: '', captured: true},
      {base: '0x2', size: '0x1', protection: '', state: '', kind: '', name: '', captured: false},
    ],
    annotations: [
      {name: 'ver', value: '1.2', source: 's', module: null},
      {name: 'prod', value: '', source: 's', module: null},
    ],
  });
  expect(text(r)).toEqual([
    'Reason: SIGSEGV (signal 11)',
    'Address: 0x8 (offset from null)',
    'Process: threads_o2 (pid 1234)',
    'Threads: 6',
    'System: Linux 6.18.44-fc (x86-64)',
    'Dump written: 2026-11-21 10:17:07 (UTC)',
    'Uptime: 1 min 5 s',
    'Captured memory: 52 KiB (1 range)',
    'Version: 1.2',
  ]);
});

test('an exception code of Windows is shown as it is, and a non-canonical address with what was meant', () => {
  const empty = report().crash_info;
  const r = report({
    crash_info: {
      ...empty,
      type: 'EXCEPTION_ACCESS_VIOLATION_READ',
      code: '0xc0000005',
      address: '0xffffffffffffffff',
      adjusted_address: {kind: 'non-canonical', address: '0xe5e5e5e5e5e5e5e5'},
    },
  });
  expect(text(r).slice(0, 2)).toEqual([
    'Reason: EXCEPTION_ACCESS_VIOLATION_READ (0xc0000005)',
    'Address: 0xe5e5e5e5e5e5e5e5 (non-canonical, reported as 0xffffffffffffffff)',
  ]);
});

test('the accessed address is shown, and an address that was not accessed is called that of the instruction', () => {
  const crash = {...report().crash_info, address: '0x00dea637', crashing_thread: 0} as const;
  const threads = [thread([frame(0, {offset: '0x00dea637'})], {crashed: true})];
  const address = (accessed_address: typeof crash.accessed_address): unknown =>
    text(report({threads, crash_info: {...crash, accessed_address}}))[1];
  expect(address('0x00102000')).toBe('Address: 0x102000 (reported as 0xdea637)');
  expect(address('0x00dea637')).toBe('Address: 0xdea637');
  expect(address(null)).toBe('Address: 0xdea637 (of the instruction)');
});

test('the line of the first screen', () => {
  const empty = report();
  expect(factLine(empty)).toEqual([]);
  const r = report({
    pid: 20417,
    thread_count: 12,
    threads: [thread([], {crashed: true, thread_name: 'poster-2'})],
    crash_info: {...empty.crash_info, type: 'SIGSEGV', accessed_address: '0x0000000000000010', crashing_thread: 0},
    system_info: {...empty.system_info, os: 'Linux', os_ver: '6.12.9', cpu_arch: 'amd64'},
    dump: {...empty.dump, time: 1_795_256_227, process: '/opt/ledger'},
    annotations: [{name: 'ver', value: '5.2.1', source: 's', module: null}],
  });
  expect(factLine(r)).toEqual([
    'SIGSEGV at 0x10',
    'ledger 5.2.1, pid 20417',
    'thread poster-2, 1 of 12',
    'Linux 6.12.9 x86-64',
    '2026-11-21 10:17:07 UTC',
  ]);
});

test('steps that the panel and the list of symbols show are left out', () => {
  const next_steps = [
    {kind: 'look_at', text: 'Look at `f` in row 3.'},
    {kind: 'get_symbols', module: 0, text: 'Get `app.pdb`.'},
    {kind: 'get_symbols', module: 1, text: 'Get `lib.pdb`.'},
    {kind: 'run_sanitizer', text: 'Run the program with AddressSanitizer.'},
  ];
  const wanted = {
    debug_file: '',
    debug_id: '',
    code_file: '',
    code_id: '',
    paths: [],
    frames: 5,
    crashing: true,
    state: 'missing',
    why: null,
  };
  expect(nextSteps(report({next_steps, wanted_symbols: [{...wanted, module: 0}]}))).toEqual([
    'Get `lib.pdb`.',
    'Run the program with AddressSanitizer.',
  ]);
});

test('there may be nothing to do', () => {
  expect(nextSteps(report({next_steps: null}))).toEqual([]);
});

test('a time from before there were dumps is no date of the first screen', () => {
  const of = (seconds: number) => {
    const r = report();
    return {...r, dump: {...r.dump, time: seconds}};
  };
  const written = (seconds: number) => facts(of(seconds)).find(({label}) => label === 'Dump written');
  expect(written(73_000_000)).toMatchObject({value: '1972-04-24 21:46:40', extra: 'UTC, which is probably wrong'});
  expect(factLine(of(73_000_000)).join()).not.toContain('1972');
  expect(factLine(of(1_795_256_227)).at(-1)).toBe('2026-11-21 10:17:07 UTC');
});
