// The facts strip: the basic facts of a crash.
import type {Annotation, Report} from '../report.ts';
import {duration, size, time} from '../text/format.ts';
import {brief} from '../text/hex.ts';
import {baseName, thin} from '../text/text.ts';

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
    fact('Dump written', dump.time === null ? null : time(dump.time), dump.time === null ? '' : 'UTC'),
    fact('Uptime', report.process_uptime === null ? null : duration(report.process_uptime)),
    fact('Captured memory', dump.memory > 0 ? size(dump.memory) : null, capturedRanges(report)),
    ...(system.gpu ? [fact('Graphics', system.gpu.renderer, system.gpu.vendor)] : []),
    ...annotations(report.annotations ?? []),
  ];
}

// The width of a fact without its text, and of its letters: 13 px text, 12 px mono, 11 px labels. An estimate suffices,
// because the row hides facts without room.
const padding = 37;
const forMore = 90;
const letter = {label: 6, value: 7, mono: 7.3};

const widthOf = ({label, value, extra, mono}: Fact): number => {
  const text = (value ?? 'not in dump').length * (mono ? letter.mono : letter.value);
  return padding + Math.max(label.length * letter.label, text + (extra === '' ? 0 : 4 + extra.length * letter.value));
};

/** How many facts fit into one row of so many pixels. */
export function inOneRow(all: readonly Fact[], across: number): number {
  let [left, count] = [across, 0];
  for (const fact of all) {
    left -= widthOf(fact);
    if (left < 0 || (left < forMore && count < all.length - 1)) break;
    count++;
  }
  return Math.max(1, count);
}

function codeText({crash_info: crash}: Report): string {
  if (crash.code === null) return '';
  const code = Number(crash.code);
  return code < 0x100 ? `signal ${code}` : brief(crash.code);
}

// The address that was used comes first; the one that the system reported instead stands beside it.
function address(report: Report): Fact {
  const {crash_info: crash} = report;
  if (crash.no_address) return fact('Address', `none: ${crash.no_address}`);
  const reported = crash.address ? brief(crash.address) : null;
  const a = crash.adjusted_address;
  const used = a?.kind === 'null-pointer' ? a.offset : a?.kind === 'non-canonical' ? a.address : null;
  if (!a || !used) return atInstruction(report, reported) ?? fact('Address', reported, '', true);
  const means = a.kind === 'null-pointer' ? 'offset from null' : 'non-canonical';
  const other = reported === null || reported === brief(used) ? '' : `, reported as ${reported}`;
  return fact('Address', brief(used), means + other, true);
}

// EXCEPTION_STACK_OVERFLOW of ntstatus.h. Its record has the address of the instruction, and none of the stack's guard page.
const stackOverflow = 0xc00000fd;
// The address of these is the one that was accessed: access violation and in-page error of Windows, SIGSEGV, SIGBUS of Linux and of
// BSD, EXC_BAD_ACCESS.
const accessed: ReadonlySet<number> = new Set([0xc0000005, 0xc0000006, 11, 7, 10, 1]);

// Any other exception is reported at its instruction. The instruction of a stack overflow has accessed the stack: if it makes one
// access only, that is the address.
function atInstruction({crash_info: crash, threads}: Report, reported: string | null): Fact | null {
  const pc = threads?.[crash.crashing_thread ?? -1]?.frames?.[0]?.offset;
  const code = Number(crash.code);
  if (reported === null || pc === undefined || brief(pc) !== reported || crash.code === null || accessed.has(code))
    return null;
  const [access, ...others] = crash.memory_accesses ?? [];
  if (code === stackOverflow && access && others.length === 0)
    return fact('Address', brief(access.address), `accessed, reported as ${reported}`, true);
  return fact('Address', reported, 'of the instruction', true);
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

function cpuName({system_info: system}: Report): string {
  return system.cpu_arch === null ? '' : (cpus.get(system.cpu_arch) ?? system.cpu_arch);
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
