// The facts of a crash: in one line, and all of them; and the next steps.
import type {Annotation, Report} from '../report.ts';
import {duration, size, time} from '../text/format.ts';
import {brief} from '../text/hex.ts';
import {baseName, counted, thin} from '../text/text.ts';

export interface Fact {
  readonly label: string;
  /** null: not in the dump. */
  readonly value: string | null;
  /** Text after the value, in a quieter colour. */
  readonly extra: string;
  readonly mono: boolean;
}

const fact = (label: string, value: string | null, extra = '', mono = false): Fact => ({label, value, extra, mono});

// The annotations of crash reporters that matter most for triage, in the order in which they are shown.
const product: readonly (readonly [string, readonly string[]])[] = [
  ['Product', ['ProductName', 'prod', 'product']],
  ['Version', ['Version', 'ver', 'version']],
  ['Channel', ['ReleaseChannel', 'channel']],
  ['Process type', ['ProcessType', 'ptype', 'process_type']],
];

/** The facts in their order. Absent values keep their place, so that facts do not move between dumps. */
export function facts(report: Report): Fact[] {
  const {crash_info: crash, system_info: system, dump} = report;
  return [
    fact('Reason', crash.reason ?? crash.type, codeText(report)),
    address(report),
    fact('Process', processName(report), report.pid === null ? '' : `pid ${report.pid}`),
    fact('Threads', thin(report.thread_count)),
    // LLDB writes a version field that it never set.
    fact('System', systemName(system.os, dump.writer === 'LLDB' ? null : system.os_ver), cpuName(report)),
    fact('Dump written', dump.time === null ? null : time(dump.time), writtenWords(dump.time)),
    fact('Uptime', report.process_uptime === null ? null : duration(report.process_uptime)),
    fact('Captured memory', dump.memory > 0 ? size(dump.memory) : null, capturedRanges(report)),
    ...(system.gpu ? [fact('Graphics', system.gpu.renderer, system.gpu.vendor)] : []),
    ...annotations(report.annotations ?? []),
  ];
}

/** The facts of the first screen: reason and address, program, thread, system, date. */
export function factLine(report: Report): string[] {
  const all = facts(report);
  const of = (label: string): Fact | undefined => all.find(fact => fact.label === label);
  const {value: at, mono} = of('Address') ?? {};
  const thread = report.threads?.[report.crash_info.crashing_thread ?? -1];
  const [process, system, written] = [of('Process'), of('System'), of('Dump written')];
  const one =
    thread &&
    `thread ${thread.thread_name ?? thread.thread_id}${report.thread_count > 1 ? `, 1 of ${thin(report.thread_count)}` : ''}`;
  return [
    [of('Reason')?.value, mono && at ? `at ${at}` : ''],
    [
      [process?.value, of('Version')?.value].filter(Boolean).join(' '),
      process?.value && process.extra ? `, ${process.extra}` : '',
    ],
    [one ?? (report.thread_count > 0 ? counted(report.thread_count, 'thread') : '')],
    [system?.value, system?.value ? system.extra : ''],
    [isPlausible(report.dump.time) ? written?.value : null, written?.extra],
  ].flatMap(([first, second]) =>
    first ? [`${first}${!second || second.startsWith(',') ? '' : ' '}${second ?? ''}`] : [],
  );
}

// No format of dumps with a time is older than 2000: an earlier time is damage, or of a clock that was never set.
const oldest = 946_684_800;

const isPlausible = (seconds: number | null): boolean => seconds !== null && seconds >= oldest;

const writtenWords = (seconds: number | null): string =>
  seconds === null ? '' : isPlausible(seconds) ? 'UTC' : 'UTC, which is probably wrong';

function codeText({crash_info: crash}: Report): string {
  if (crash.code === null) return '';
  const code = Number(crash.code);
  return code < 0x100 ? `signal ${code}` : brief(crash.code);
}

// The address that was accessed comes first; the one that the system reported instead stands beside it.
function address({crash_info: crash, threads, verdict}: Report): Fact {
  if (crash.no_address) return fact('Address', `none: ${crash.no_address}`);
  const meant = crash.adjusted_address?.kind === 'non-canonical' ? crash.adjusted_address.address : null;
  const [reported, used] = [crash.address, crash.accessed_address ?? meant].map(a => (a ? brief(a) : null));
  if (used) {
    const kind = meant
      ? 'non-canonical'
      : verdict.finding === 'null_pointer' && Number(used) !== 0
        ? 'offset from null'
        : '';
    const other = reported && reported !== used ? `reported as ${reported}` : '';
    return fact('Address', used, [kind, other].filter(words => words !== '').join(', '), true);
  }
  const pc = threads?.[crash.crashing_thread ?? -1]?.frames?.[0]?.offset;
  return fact('Address', reported ?? null, pc && brief(pc) === reported ? 'of the instruction' : '', true);
}

function processName(report: Report): string | null {
  const path = report.dump.process ?? report.modules?.[report.main_module]?.path ?? null;
  return path === null || path === '' ? null : baseName(path);
}

// "6.18.44-fc-v669 #1 SMP PREEMPT_DYNAMIC @0" is a kernel's whole banner; its first word is the version.
function systemName(os: string | null, version: string | null): string | null {
  if (os === null) return null;
  return version ? `${os} ${version.split(' ')[0]}` : os;
}

const cpus: ReadonlyMap<string, string> = new Map([
  ['amd64', 'x86-64'],
  ['arm64', 'ARM64'],
  ['arm', 'ARM'],
]);

/** The CPU, null if no file states it. */
export const cpuOf = ({system_info: {cpu_arch: cpu}}: Report): string | null => (cpu === 'unknown' ? null : cpu);

function cpuName(report: Report): string {
  const cpu = cpuOf(report) ?? '';
  return cpus.get(cpu) ?? cpu;
}

function capturedRanges(report: Report): string {
  const captured = (report.memory_regions ?? []).filter(region => region.captured).length;
  if (captured === 0) return '';
  return captured === 1 ? '1 range' : `${thin(captured)} ranges`;
}

function annotations(all: readonly Annotation[]): Fact[] {
  return product.flatMap(([label, names]) => {
    const found = all.find(a => names.includes(a.name) && a.value !== '');
    return found ? [fact(label, found.value)] : [];
  });
}

/**
 * The next steps that no other part of the page says: the panel shows the code to look at, the list of symbols the files to get, and the caller what
 * steps of the kind `said` say.
 */
export const nextSteps = ({next_steps: steps, wanted_symbols: wanted}: Report, said = ''): readonly string[] =>
  (steps ?? [])
    .filter(
      ({kind, module}) =>
        kind !== 'look_at' && kind !== said && !(kind === 'get_symbols' && wanted?.some(w => w.module === module)),
    )
    .map(({text}) => text);
