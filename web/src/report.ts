// The report, as core/report writes it: the same names and types, field by field, in the same order.
//
// Addresses are strings, because JavaScript's numbers would round them. Every field may be null or missing: half a dump is the
// normal case. Strings come out of dumps and symbol files and may contain anything; text.ts escapes them.

/** A number as a hex string, padded to the dump's pointer width. */
export type Address = `0x${string}`;

/** The report of one dump. */
export interface Report {
  readonly status: string;
  readonly pid: number | null;
  readonly process_uptime: number | null;
  readonly crash_info: CrashInfo;
  readonly system_info: SystemInfo;
  readonly linux_memory_map_count: number | null;
  readonly thread_count: number;
  readonly threads: readonly Thread[] | null;
  readonly crashing_thread?: Crashing | null;
  readonly main_module: number;
  readonly modules_contains_cert_info: boolean;
  readonly modules: readonly Module[] | null;
  readonly unloaded_modules: readonly Unloaded[] | null;
  readonly handles: readonly Handle[] | null;
  readonly lsb_release: LSBRelease | null;
  readonly proc_limits: ProcLimits | null;
  readonly mac_crash_info: MacCrash | null;
  readonly mac_boot_args: string | null;
  readonly soft_errors: unknown;
  /** The program that made the report, and its version. */
  readonly made_by: string;
  readonly dump: Dump;
  readonly verdict: Verdict;
  /** Next steps, at most three, the most useful first. */
  readonly next_steps: readonly NextStep[] | null;
  /** The name that crashes of this kind share; null without a crash. */
  readonly signature: string | null;
  readonly annotations: readonly Annotation[] | null;
  readonly wanted_symbols: readonly Wanted[] | null;
  readonly memory_regions: readonly Region[] | null;
  readonly streams: readonly Stream[] | null;
  readonly linux_files: readonly TextFile[] | null;
  readonly notes: readonly Note[] | null;
  /** Global variables, if they were requested. */
  readonly globals?: readonly Globals[] | null;
  /** The summary of all threads' waits; null if none is proved. */
  readonly hang: Hang | null;
}

/** The summary of all threads' waits. Lists hold indexes into threads. */
export interface Hang {
  /** Threads whose wait is proved. */
  readonly waiting: number;
  readonly threads: number;
  /** Threads that wait for each other, each in the order of waiting. */
  readonly cycles: readonly (readonly number[])[] | null;
  /** Threads that wait for one of a cycle, directly or through others. */
  readonly behind: readonly number[] | null;
}

/** What a thread waits for. */
export interface Wait {
  /** "mutex", "condition", "join", "poll", ...; package waits has all kinds. */
  readonly kind: string;
  readonly call: string | null;
  readonly function: string | null;
  readonly library: string;
  readonly object: Address | null;
  readonly descriptor: number | null;
  /** The state of the thread that can end the wait: "held", "joined", ... */
  readonly holder: string;
  /** That thread, as an index into threads. */
  readonly thread: number | null;
  readonly thread_id: number | null;
  readonly evidence: readonly WaitEvidence[] | null;
  /** The same in words. */
  readonly text: string;
}

/** One observation as evidence for a wait. */
export interface WaitEvidence {
  readonly kind: string;
  readonly name?: string;
  readonly frame?: number | null;
  readonly address?: Address | null;
  readonly size?: number;
  readonly value?: Address | null;
  readonly meaning: string;
}

/** Variables of a module that are outside of functions. */
export interface Globals {
  readonly module: string;
  readonly variables: readonly Variable[] | null;
}

/** The file itself. */
export interface Dump {
  readonly size: number;
  /** 32 hex digits that tell dumps apart, whatever they are called. */
  readonly hash: string | null;
  readonly time: number | null;
  readonly flags: number;
  readonly kind: string;
  readonly writer: string | null;
  readonly process: string | null;
  readonly memory: number;
  readonly archive: readonly string[] | null;
}

/** The machine and its operating system. */
export interface SystemInfo {
  readonly os: string | null;
  readonly os_ver: string | null;
  readonly cpu_arch: string | null;
  readonly cpu_info: string | null;
  readonly cpu_count: number | null;
  readonly cpu_microcode_version: string | null;
  /** Version numbers and build text as the stream has them. */
  readonly os_raw: string | null;
  readonly gpu: GPU | null;
  readonly pointer_width: number;
  readonly big_endian: boolean;
}

/** The graphics that a microdump names. */
export interface GPU {
  readonly version: string;
  readonly vendor: string;
  readonly renderer: string;
}

/** The crash, from the exception record and the code around it. */
export interface CrashInfo {
  readonly type: string | null;
  readonly address: Address | null;
  readonly adjusted_address: Adjusted | null;
  readonly instruction: string | null;
  readonly memory_accesses: readonly Access[] | null;
  readonly instruction_pointer_update: IPUpdate | null;
  readonly possible_bit_flips: readonly BitFlip[] | null;
  readonly crash_inconsistencies: readonly string[] | null;
  /** Index into threads. */
  readonly crashing_thread: number | null;
  readonly assertion: string | null;
  readonly code: Address | null;
  readonly flags: Address | null;
  readonly parameters: readonly Parameter[] | null;
  readonly note: string | null;
  /** The common name of the type; differs where rust-minidump's is wrong or unknown. */
  readonly reason: string | null;
  /** Why `address` is not an accessed address: "sent by process 24248"; null if it is one. */
  readonly no_address: string | null;
  readonly pointer_register: string | null;
}

/** One word of an exception record. */
export interface Parameter {
  readonly value: Address;
  readonly meaning: string;
}

/** An address that is more useful than the reported one. */
export interface Adjusted {
  readonly kind: string;
  readonly address?: Address | null;
  readonly offset?: Address | null;
}

/** Memory that the crashing instruction touches. */
export interface Access {
  readonly address: Address;
  readonly size: number | null;
  readonly is_likely_guard_page?: boolean;
  readonly access_type?: string;
}

/** The address that the crashing instruction jumps to. */
export interface IPUpdate {
  readonly address: Address;
  readonly is_likely_guard_page?: boolean;
}

/** The address that was probably meant, one bit away. */
export interface BitFlip {
  readonly address: Address;
  readonly details: BitFlipDetails;
  readonly confidence: number | null;
  readonly source_register: string | null;
}

/** The reasons of a bit flip's confidence. */
export interface BitFlipDetails {
  readonly was_non_canonical: boolean;
  readonly is_null: boolean;
  readonly was_low: boolean;
  readonly nearby_registers: number;
  readonly poison_registers: boolean;
}

/** One loaded image. */
export interface Module {
  readonly base_addr: Address;
  readonly end_addr: Address;
  readonly filename: string;
  readonly code_id: string;
  readonly debug_file: string;
  readonly debug_id: string;
  readonly version: string | null;
  readonly cert_subject: string | null;
  readonly missing_symbols: boolean;
  readonly loaded_symbols: boolean;
  readonly corrupt_symbols: boolean;
  readonly symbol_url: string | null;
  readonly path: string;
  readonly overlap: string | null;
  readonly symbols: Symbols | null;
  readonly is_system: boolean;
}

/** The state of one module's symbols. */
export interface Symbols {
  /** "matched", "public_only", "missing", "reading", "wrong_build" or "damaged". */
  readonly state: string;
  readonly file: string | null;
  readonly given_id: string | null;
  readonly why: string | null;
  readonly lines: boolean;
  readonly inlines: boolean;
  readonly cfi: boolean;
  /** The module's own file is available: its code fills gaps of the dump. */
  readonly code: boolean;
  readonly bytes: number;
  /** The file may describe arguments and local variables. */
  readonly variables?: boolean;
  /** For mismatched symbols: the user may force them, or does. */
  readonly forcible: boolean;
  /** Other files of the same build that were used. */
  readonly also: readonly string[] | null;
  /** The unusable parts of a text file. */
  readonly damage?: Damage | null;
}

/** Where a symbol file in lines is damaged. The rest of it is used. */
export interface Damage {
  /** The first such line, counted from 1; 0 when it is unknown. */
  readonly line: number;
  /** How many lines are left out. */
  readonly records: number;
  /** The file ends within a line. */
  readonly truncated: boolean;
}

/** A module that was unloaded before the dump was written. */
export interface Unloaded {
  readonly base_addr: Address;
  readonly end_addr: Address;
  readonly filename: string;
  readonly code_id: string;
  readonly cert_subject: string | null;
}

/** A symbol file that would name more frames. */
export interface Wanted {
  /** Index into modules. */
  readonly module: number;
  readonly debug_file: string;
  readonly debug_id: string;
  readonly code_file: string;
  readonly code_id: string;
  readonly paths: readonly string[] | null;
  readonly frames: number;
  readonly crashing: boolean;
  readonly state: string;
  readonly why: string | null;
  /** The source of the file: "build", "microsoft", "mozilla", "chromium", "electron", "distribution", "mac", "device". */
  readonly origin?: string;
  /** The symbol server of `origin`. */
  readonly server?: string;
}

/** One open handle or file descriptor. */
export interface Handle {
  readonly handle: number;
  readonly type_name: string | null;
  readonly object_name: string | null;
}

/** The Linux distribution. */
export interface LSBRelease {
  readonly id: string;
  readonly release: string;
  readonly codename: string;
  readonly description: string;
}

/** /proc/PID/limits. */
export interface ProcLimits {
  readonly limits: readonly ProcLimit[] | null;
}

/** One resource limit: a number, or "unlimited". */
export interface ProcLimit {
  readonly name: string;
  readonly soft: unknown;
  readonly hard: unknown;
  readonly unit: string;
}

/** The messages of macOS libraries in __DATA,__crash_info. */
export interface MacCrash {
  readonly num_records: number;
  readonly records: readonly MacCrashRecord[] | null;
}

/** One library's crash information. */
export interface MacCrashRecord {
  readonly thread: Address | null;
  readonly dialog_mode: Address | null;
  readonly abort_cause: Address | null;
  readonly module: string | null;
  readonly message: string | null;
  readonly signature_string: string | null;
  readonly backtrace: string | null;
  readonly message2: string | null;
}

/** A name and a value that the program or its crash reporter attached. */
export interface Annotation {
  readonly name: string;
  readonly value: string;
  readonly source: string;
  readonly module: string | null;
}

/** A range of the address space. */
export interface Region {
  readonly base: Address;
  readonly size: Address;
  readonly protection: string;
  readonly state: string;
  readonly kind: string;
  readonly name: string;
  readonly captured: boolean;
}

/** One entry of the dump's directory. */
export interface Stream {
  readonly type: number;
  readonly name: string;
  readonly offset: number;
  readonly size: number;
  readonly error: string | null;
}

/** A file of /proc that was copied into the dump. */
export interface TextFile {
  readonly name: string;
  readonly text: string;
  readonly sensitive: boolean;
}

/** What was damaged or odd. */
export interface Note {
  /** "damage", "truncated" or "odd". */
  readonly kind: string;
  readonly where: string;
  readonly text: string;
  readonly offset: number | null;
  readonly count: number;
}

/** One thread's stack. */
export interface Thread {
  readonly thread_name: string | null;
  readonly thread_id: number;
  readonly last_error_value: string | null;
  readonly frame_count: number;
  /** Innermost first. */
  readonly frames: readonly Frame[] | null;
  readonly end: End;
  readonly stack: Stack | null;
  readonly crashed: boolean;
  readonly dump_writer: boolean;
  readonly state: string | null;
  /** What it waits for; null if that is not proved. */
  readonly waits: Wait | null;
}

/** A copy of the crashing thread, as the schema has it. */
export interface Crashing extends Thread {
  readonly threads_index: number;
}

/** Whether a stack was walked to its outermost frame. */
export interface End {
  /** The outermost frame was reached, by proof. */
  readonly complete: boolean;
  /** Why it ends: "thread_start", "not_captured", ...; the schema lists them. */
  readonly kind: string;
  /** The address that `kind` is about. */
  readonly address?: Address | null;
  /** Of "no_progress": the caller's stack pointer. */
  readonly to?: Address | null;
  /** Of "frame_limit": how many frames were found. */
  readonly limit?: number;
  /** Of "thread_start" and "guessed_start". */
  readonly function?: string | null;
  /** The same as one sentence. */
  readonly reason: string;
  /** The last attempts. */
  readonly evidence?: readonly Step[] | null;
}

/** The end of a stack whose other frames depend on symbols that are still being read. Source: core/report. */
export const symbolsAwaited = 'symbols_awaited';

/** The end of a stack that was not walked, because another thread was asked for. Source: core/report. */
export const notWalked = 'not_walked';

/** The stack memory that was captured. */
export interface Stack {
  readonly base: Address;
  readonly size: Address;
}

/** The known registers, in the CPU's order. */
export type Registers = Readonly<Record<string, Address>>;

/** One physical frame with the calls inlined into it. */
export interface Frame {
  readonly frame: number;
  /** "context", "cfi", "leaf", "frame_pointer", "cfi_scan", "scan" or "none". */
  readonly trust: string;
  readonly registers?: Registers | null;
  readonly offset: Address;
  readonly module: string | null;
  readonly module_offset: Address | null;
  readonly unloaded_modules: readonly UnloadedModule[] | null;
  /** Innermost first. */
  readonly inlines: readonly Inline[] | null;
  readonly function: string | null;
  readonly function_offset: Address | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly missing_symbols: boolean;
  readonly module_index: number | null;
  readonly return_address: Address | null;
  readonly found_by: string;
  /** This frame or an inner one was found by scanning. */
  readonly guess: boolean;
  readonly line_offset: Address | null;
  readonly public_name: boolean;
  /** The name is that of a linker symbol more than 64 KiB below, or of a section: module and offset are more useful. */
  readonly far_name: boolean;
  /** Identical code folding: the name is that of one of several functions with this code. */
  readonly folded_name?: boolean;
  /** The compiler's suffix for a part or a copy of the function: ".isra.0", ".cold". */
  readonly clone?: string;
  readonly is_system: boolean;
  readonly symbols_forced: boolean;
  readonly evidence?: readonly Step[] | null;
  /** Arguments and locals, if they were requested. */
  readonly variables?: readonly Variable[] | null;
  readonly linkage_function: string | null;
  readonly readable_function: string | null;
}

/** A module whose former range contains a frame's address. */
export interface UnloadedModule {
  readonly module: string;
  readonly offsets: readonly Address[] | null;
}

/** A call that the compiler inlined. */
export interface Inline {
  readonly function: string | null;
  readonly file: string | null;
  readonly line: number | null;
  /** The linkage name, if `function` was made from it. */
  readonly linkage_function: string | null;
  /** The demangled form of `function`, if the symbol file has a linkage name. */
  readonly readable_function: string | null;
  /** The variables of this call, if they were requested. */
  readonly variables?: readonly Variable[] | null;
}

/** An argument or a local variable, a member of one, or an element. */
export interface Variable {
  /** "" for an anonymous member; "[0]" for an element. */
  readonly name: string;
  /** In the program's language. */
  readonly type: string;
  /** "argument", "local" or "global"; "" for a member or an element. */
  readonly kind: string;
  /** "known", "optimized_out", "not_captured" or "unreadable". */
  readonly state: string;
  readonly value: string | null;
  /** Why the value is unknown. */
  readonly why: string | null;
  /** For a local variable: its block, unless that is the function's body. */
  readonly block?: Block | null;
  /** A variable of an inner block has the same name. */
  readonly hidden?: boolean;
  readonly children?: readonly Variable[] | null;
  /** The number of omitted elements. */
  readonly more?: number;
  /** A private member of a library's type. */
  readonly raw?: boolean;
  /** An address, a register, or pieces; null for a member. */
  readonly location: string | null;
  readonly evidence?: VariableEvidence | null;
}

/** A lexical block of a function. */
export interface Block {
  /** 1 is a block of the function's body, 2 a block in that. */
  readonly depth: number;
  /** Its first known line. */
  readonly line?: number;
}

/** The evidence for a value. */
export interface VariableEvidence {
  readonly rule: string;
  readonly from: string;
  readonly registers?: Registers | null;
  readonly reads?: readonly Read[] | null;
  readonly more?: number;
}

/** One attempt of the unwinder to find a frame. */
export interface Step {
  readonly method: string;
  /** "accepted", "refused" or "none". */
  readonly result: string;
  readonly text: string;
  readonly reads?: readonly Read[] | null;
}

/** Memory that a step read: a word, or four bytes of code. */
export interface Read {
  readonly address: Address;
  readonly value: Address;
  /** In bytes, if it is not a word. */
  readonly size?: number;
  /** The purpose of the read: "scanned" or "code"; missing when the value decided. */
  readonly use?: string;
}

/** One sentence that says what happened, with its evidence. */
export interface Verdict {
  readonly what: string;
  readonly where: string | null;
  /** `where` is only probable: its frame, or one before it, was found by scanning. */
  readonly guess: boolean;
  readonly at: string | null;
  readonly detail: string;
  readonly crashed: boolean;
  /** The kind of the cause; "" when it is unknown. */
  readonly finding: string;
  /** The row of the crashing thread's stack that `where` names; inlined calls have rows of their own. */
  readonly row: number | null;
  /** Confidence in `finding`, 0 to 1, if estimated. */
  readonly confidence: number | null;
  readonly badges: readonly Badge[] | null;
}

/** One claim about the crash, with evidence. */
export interface Badge {
  /** "cause", "plain" or "doubt". */
  readonly kind: string;
  /** Its subject. */
  readonly finding: string;
  readonly text: string;
  readonly evidence: readonly string[] | null;
  readonly confidence: number | null;
}

/** A next step: kind and parameters, and the same as a sentence. */
export interface NextStep {
  /** "get_symbols", "look_at", ...; the schema lists them. */
  readonly kind: string;
  /** Index into modules. */
  readonly module?: number | null;
  readonly file?: string;
  readonly id?: string;
  readonly state?: string;
  /** "build", "microsoft", ...; the schema lists them. */
  readonly origin?: string;
  readonly server?: string;
  /** Index into threads. */
  readonly thread?: number | null;
  readonly row?: number | null;
  readonly function?: string;
  readonly at?: string;
  readonly register?: string;
  readonly value?: Address | null;
  readonly vendor?: string;
  readonly path?: string;
  readonly text: string;
}

/** Whether a stack of the report waits for symbols that are still being read. */
export const awaitsSymbols = (report: Report | undefined): boolean =>
  (report?.threads ?? []).some(({end}) => end.kind === symbolsAwaited);
