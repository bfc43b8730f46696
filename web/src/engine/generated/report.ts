// Made from core/report by "go test ./wasm/viewer -run TestGenerated -update".

/** An Address is a number as a hex string, padded to the dump's pointer width, because JavaScript's numbers would round it. */
export type Address = `0x${string}`;

/**
 * A Trust is how far a frame can be trusted, by how it was found. The words are those of rust-minidump's schema. Known: "context", "cfi", "prewalked", "leaf",
 * "frame_pointer", "cfi_scan", "scan", "none".
 */
export type Trust = string;

/** Registers are a frame's known registers, in the CPU's order. In JSON they are an object. */
export type Registers = Readonly<Record<string, Address>>;

/** An UnloadedModule is one whose former range contains a frame's address. */
export interface UnloadedModule {
  readonly module: string;
  readonly offsets: readonly Address[] | null;
}

/** A Spelling has other forms of a function's name, if there are any. */
export interface Spelling {
  /** The linkage name, from which Function was made. */
  readonly linkage_function: string | null;
  /** The demangled name, if the symbol file has a linkage name as Function. */
  readonly readable_function: string | null;
}

/** A VariableKind is the kind of a variable. Known: "argument", "local", "global", "expression". */
export type VariableKind = string;

/** A VariableState says whether a value is known. */
export type VariableState = string;

/** A VariableContent says what a known value consists of, where its text and its children do not. Known: "empty", "no_value", "byte". */
export type VariableContent = string;

/** A Block is a lexical block of a function. */
export interface Block {
  /** 1 is a block of the function's body, 2 a block in that. */
  readonly depth: number;
  readonly line?: number;
}

/** An Object is a structure in memory. */
export interface Object {
  readonly address: Address;
  /** In bytes. */
  readonly size: number;
}

/** A ReadUse is the purpose of a read. Known: "scanned", "code". */
export type ReadUse = string;

/** A Read is memory that a step read: a word, or four bytes of code. */
export interface Read {
  readonly address: Address;
  readonly value: Address;
  /** In bytes, if it is not a word. */
  readonly size?: number;
  /** The purpose of the read; "" when its value decided. */
  readonly use?: ReadUse;
}

/** A VariableEvidence is the evidence of a value. */
export interface VariableEvidence {
  /** Its location by the debug information. */
  readonly rule: string;
  /** The part of the debug information. */
  readonly from: string;
  readonly registers?: Registers | null;
  readonly reads?: readonly Read[] | null;
  /** The number of omitted reads. */
  readonly more?: number;
}

/** A Variable is an argument or a local variable of a frame, a member of one, or an element. */
export interface Variable {
  /** "" for an anonymous member; "[0]" for an element. */
  readonly name: string;
  /** In the program's language. */
  readonly type: string;
  /** "" for a member or an element. */
  readonly kind: VariableKind;
  /** Whether the value is known; "inconsistent" for a container that contradicts itself, of which a part is shown. */
  readonly state: VariableState;
  /** The value as text, or a summary of the children; null for a value with only children, and for an unknown one. */
  readonly value: string | null;
  /** Why the value is unknown or inconsistent. */
  readonly why: string | null;
  /** "empty", "no_value" of an optional, or "byte", a number that may be a character of a text. */
  readonly content?: VariableContent;
  /** Of a local variable: its block, unless that is the function's body. */
  readonly block?: Block | null;
  /** A variable of an inner block has the same name. */
  readonly hidden?: boolean;
  readonly children?: readonly Variable[] | null;
  /** The number of omitted elements. */
  readonly more?: number;
  /** A private member of a library's type. */
  readonly raw?: boolean;
  /** In memory, whose members are Children. */
  readonly object?: Object | null;
  /** Of a member of such an object, or of a variable in memory where the query is about frames. */
  readonly address?: Address | null;
  /** Of the same in bytes. */
  readonly size?: number;
  /** Its location: an address, a register, pieces; null for a member. */
  readonly location: string | null;
  readonly evidence?: VariableEvidence | null;
}

/** A FrameKind is the language whose runtime made a frame, "" for native ones. Known: "go", "python", "javascript". */
export type FrameKind = string;

/** An Inline is a call that the compiler inlined or, with a Kind, one that the frame's function runs for a language's runtime. */
export interface Inline extends Spelling {
  readonly function: string | null;
  readonly file: string | null;
  readonly line: number | null;
  /** As Frame.Library. */
  readonly library?: boolean;
  /** Of this call, if they were requested. */
  readonly variables?: readonly Variable[] | null;
  /** The language of an interpreted call; "" for inlined ones. */
  readonly kind?: FrameKind;
  /** Of an interpreted call, counted from 1. */
  readonly column?: number | null;
}

/**
 * A Way is the method that found a frame, in the words of Breakpad's reports. Known: "context", "CFI", "STACK WIN", "signal frame", "code", "leaf return",
 * "link reg", "frame ptr", "back chain", "scan", "shadow stack", "stated by the file", "runtime".
 */
export type Way = string;

/**
 * A Certainty says how a function's name stands to a frame's address, as symbolize.Certainty does. Known: "inside", "covered", "nearest", "beyond", "forced",
 * "unnamed".
 */
export type Certainty = string;

/** A NearSymbol is a name behind which an address lies. */
export interface NearSymbol {
  readonly name: string;
  readonly offset: Address;
}

/**
 * A Method is a method of finding a frame. Known: "signal frame", "call frame information", "STACK WIN", "function entry", "jump to nowhere", "leaf return",
 * "link register", "frame pointer", "frame chain", "back chain", "register windows", "stack scan", "shadow stack".
 */
export type Method = string;

/** A StepResult is the result of a method that was tried. Known: "accepted", "refused", "none". */
export type StepResult = string;

/** A Step is one method that the unwinder tried to find a frame. */
export interface Step {
  /** The method. */
  readonly method: Method;
  readonly result: StepResult;
  /** Lines: the rule, its value, or why it was refused. */
  readonly text: string;
  readonly reads?: readonly Read[] | null;
}

/** Overwritten is a word of the stack that is not the return address that a call has put there. */
export interface Overwritten {
  readonly address: Address;
  readonly value: Address;
}

/** A Frame is one physical frame with the calls inlined into it. */
export interface Frame extends Spelling {
  readonly frame: number;
  readonly trust: Trust;
  readonly registers?: Registers | null;
  /** Address of the instruction: for a caller, inside the call; "" if a report has none. */
  readonly offset: Address;
  /** Without folders. */
  readonly module: string | null;
  readonly module_offset: Address | null;
  readonly unloaded_modules: readonly UnloadedModule[] | null;
  /** Innermost first; null when there are none. */
  readonly inlines: readonly Inline[] | null;
  readonly function: string | null;
  readonly function_offset: Address | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly missing_symbols: boolean;
  /** Into Modules. */
  readonly module_index: number | null;
  /** The return address; null for the innermost frame. */
  readonly return_address: Address | null;
  readonly found_by: Way;
  /** This frame, or one before it, was found by scanning. */
  readonly guess: boolean;
  /** From the first address of the line. */
  readonly line_offset: Address | null;
  /** The name is that of the nearest linker symbol below. */
  readonly public_name: boolean;
  /** How the name stands to the address. */
  readonly name_certainty: Certainty;
  /** The nearest symbol, if the address is behind its end: not the function's name. */
  readonly after?: NearSymbol | null;
  /** Identical code folding: the name is that of one of several functions with this code. */
  readonly folded_name?: boolean;
  /** The compiler's suffix for a part or a copy of the function: ".isra.0", ".cold". */
  readonly clone?: string;
  /** In a module of the operating system. */
  readonly is_system: boolean;
  /** A function of a library, a runtime or start-up code in a module of the program. */
  readonly library?: boolean;
  /** Named by mismatched symbols, which the user forced. */
  readonly symbols_forced: boolean;
  readonly evidence?: readonly Step[] | null;
  /** CodeStart is the start of the function, relative to the module, if unwind rules show it and no name is certain. */
  readonly code_start?: Address | null;
  /** Overwritten is the word that the stack has in place of the return address. Only a shadow stack shows it. */
  readonly overwritten?: Overwritten | null;
  /** NeverReturns says that the function is proved never to return: it ends the program or throws. Only frames of the crashing thread have it. */
  readonly never_returns?: boolean;
  /** Arguments and locals, if they were requested. */
  readonly variables?: readonly Variable[] | null;
  /** The language whose runtime made the frame; "" for native ones. */
  readonly kind?: FrameKind;
  /** Of a frame that a runtime made, counted from 1. */
  readonly column?: number | null;
  /** Inlined says that a frame of a task is a call that was inlined into the next one. */
  readonly inlined?: boolean;
}

/**
 * An EndKind is the reason why a stack ends. Known: "undefined", "thread_start", "zero_return", "shadow_end", "guessed_start", "guessed_undefined",
 * "guessed_zero", "chain_end", "no_return", "memory_ends", "not_captured", "no_stack", "no_progress", "no_code", "frame_limit", "no_pc", "no_cpu",
 * "not_walked", "symbols_awaited", "wrote_dump", "no_registers", "file_states", "runtime_start", "runtime_cut".
 */
export type EndKind = string;

/** An End says whether a stack was walked to its outermost frame. */
export interface End {
  /** The outermost frame was reached, with proof. */
  readonly complete: boolean;
  /** The reason. */
  readonly kind: EndKind;
  /** The address that Kind is about. */
  readonly address?: Address | null;
  /** Of "no_progress": the caller's stack pointer. */
  readonly to?: Address | null;
  /** Of "frame_limit": the number of frames. */
  readonly limit?: number;
  /** Of "thread_start" and "guessed_start". */
  readonly function?: string | null;
  /** The same as one sentence, which package render writes: "stack not captured at 0x7f…". */
  readonly reason: string;
  /** The methods that were tried last. */
  readonly evidence?: readonly Step[] | null;
}

/** A Stack is the stack memory that was captured. */
export interface Stack {
  readonly base: Address;
  readonly size: Address;
}

/** A WaitKind is what a thread waits for. Package waits has all kinds. Known: "join", "poll", "sleep", "worker". */
export type WaitKind = string;

/**
 * A WaitHolder is the state of the thread that can end a wait. Known: "held", "joined", "gone", "free", "readers", "not_recorded", "not_captured", "not_found",
 * "none".
 */
export type WaitHolder = string;

/** A WaitMeaning is the meaning of an observed value. Package waits has all of them. */
export type WaitMeaning = string;

/** A WaitEvidence is one observation. */
export interface WaitEvidence {
  /** "register", "word", "code", "function", "kernel". */
  readonly kind: string;
  /** Of the register or the function. */
  readonly name?: string;
  /** Of the function. */
  readonly frame?: number | null;
  /** Of the word or the code. */
  readonly address?: Address | null;
  /** Of the word in bytes. */
  readonly size?: number;
  readonly value?: Address | null;
  /** The meaning of Value. */
  readonly meaning: WaitMeaning;
}

/** A Wait is what a thread waits for, by registers, proved frames and memory. */
export interface Wait {
  readonly kind: WaitKind;
  /** The system call: "futex". */
  readonly call: string | null;
  /** That names the purpose of the wait: "pthread_mutex_lock". */
  readonly function: string | null;
  /** The library of the lock: "glibc"; "" when unknown. */
  readonly library: string;
  /** The lock, or the futex word. */
  readonly object: Address | null;
  /** Of the lock in the program: "this->mutex_". */
  readonly name?: string;
  /** The file descriptor. */
  readonly descriptor: number | null;
  /** The state of the thread that can end the wait. */
  readonly holder: WaitHolder;
  /** That thread, as an index into Threads. */
  readonly thread: number | null;
  /** Its ID; the ID of "gone" is not in the dump. */
  readonly thread_id: number | null;
  readonly evidence: readonly WaitEvidence[] | null;
  /** The same in words, which package render writes: "a mutex at 0x5000, held by thread 77". */
  readonly text: string;
}

/** A Thread is one thread's stack. */
export interface Thread {
  readonly thread_name: string | null;
  readonly thread_id: number;
  readonly last_error_value: string | null;
  readonly frame_count: number;
  /** Innermost first. */
  readonly frames: readonly Frame[] | null;
  /** Ours, and all that follows. */
  readonly end: End;
  readonly stack: Stack | null;
  readonly crashed: boolean;
  /** It wrote the dump: its stack is not walked. */
  readonly dump_writer: boolean;
  /** "Waiting", "Sleeping", "Polling", "Running", "Joining a thread": by its wait, or by the innermost functions. */
  readonly state: string | null;
  /** What it waits for; null if that is not proved. */
  readonly waits: Wait | null;
  /** Returned are calls that have returned, the newest first, as far as a shadow stack still has them. They are no frames. */
  readonly returned?: readonly Frame[] | null;
}

/** A NoteKind is the kind of a defect of the dump. Known: "damage", "truncated", "odd". */
export type NoteKind = string;

/** A Note describes a defect of the dump or of a symbol file. */
export interface Note {
  readonly kind: NoteKind;
  /** "thread list", "libxul.sym". */
  readonly where: string;
  /** One line. */
  readonly text: string;
  /** Of the bad value in its file. */
  readonly offset: number | null;
  /** How many times; at least 1. */
  readonly count: number;
}

/** Adjusted is an address that explains more than the reported one. */
export interface Adjusted {
  /** "non-canonical" or "null-pointer". */
  readonly kind: string;
  readonly address?: Address | null;
  readonly offset?: Address | null;
}

/** An Access is an access of the crashing instruction to memory. */
export interface Access {
  readonly address: Address;
  readonly size: number | null;
  readonly is_likely_guard_page?: boolean;
  /** "read", "write", "readwrite". */
  readonly access_type?: string;
}

/** An IPUpdate is the address that the crashing instruction jumps to. */
export interface IPUpdate {
  readonly address: Address;
  readonly is_likely_guard_page?: boolean;
}

/** BitFlipDetails are the reasons of a BitFlip's confidence. */
export interface BitFlipDetails {
  readonly was_non_canonical: boolean;
  readonly is_null: boolean;
  readonly was_low: boolean;
  readonly nearby_registers: number;
  readonly poison_registers: boolean;
}

/** A BitFlip is the address that was probably meant, one bit away. */
export interface BitFlip {
  readonly address: Address;
  readonly details: BitFlipDetails;
  /** Rust-minidump's, with all digits of its 32-bit number. */
  readonly confidence: number | null;
  readonly source_register: string | null;
}

/** An OriginKind is where a value came from. Known: "load", "copy", "sum", "constant", "result", "argument", "unknown". */
export type OriginKind = string;

/** An OriginLink says where the value of a register, or of a word of the stack, came from. */
export interface OriginLink {
  readonly kind: OriginKind;
  /** Of the thread, in which that happened. */
  readonly frame: number;
  /** That held the value; "" for one that an instruction stored or called without a register. */
  readonly register?: string;
  /** Null when unknown. */
  readonly value: Address | null;
  /** The variable that the register was. */
  readonly variable?: string;
  /** Of "load": the variable, member or element in memory. */
  readonly source?: string;
  /** Where the debug information says that Variable, or else Source, was. */
  readonly rule?: string;
  /** Of "load": the address in memory. */
  readonly memory?: Address | null;
  /** That set the register. */
  readonly instruction?: string;
  /** Its address. */
  readonly at?: Address | null;
  /** Of "result": that was called. */
  readonly function?: string;
  /** There may be other ways to this place than the ones in the code that was read. */
  readonly guess: boolean;
  /** The same in words, which package render writes. */
  readonly text: string;
}

/** CrashInfo has the facts of the exception record and of the code around the crash. */
export interface CrashInfo {
  readonly type: string | null;
  readonly address: Address | null;
  readonly adjusted_address: Adjusted | null;
  readonly instruction: string | null;
  readonly memory_accesses: readonly Access[] | null;
  readonly instruction_pointer_update: IPUpdate | null;
  readonly possible_bit_flips: readonly BitFlip[] | null;
  readonly crash_inconsistencies: readonly string[] | null;
  /** Index into Threads. */
  readonly crashing_thread: number | null;
  readonly assertion: string | null;
  /** Ours: exception code or signal number. */
  readonly code: Address | null;
  /** Ours: exception flags or si_code. */
  readonly flags: Address | null;
  /** Ours: the words of the exception record, or of a bug check. */
  readonly parameters: readonly Address[] | null;
  /** Ours: of each parameter, "" when unknown. */
  readonly parameter_meanings: readonly string[] | null;
  /** Ours: the reason's meaning in words. */
  readonly note: string | null;
  /** Ours: Type for people; it differs where rust-minidump does not know the exception, or has the name of another one. */
  readonly reason: string | null;
  /** Ours: why Address is not an accessed address: "sent by process 24248"; null if it is one. */
  readonly no_address: string | null;
  /** Ours: the address whose access failed; null when unknown, and for crashes of other kinds. */
  readonly accessed_address: Address | null;
  /** Ours: the register of the innermost frame that holds the wrong pointer. */
  readonly pointer_register: string | null;
  /** Ours: where that register, or the address that was called, came from; null when unknown. */
  readonly origin: readonly OriginLink[] | null;
}

/** A GPU is the graphics driver as it names itself. */
export interface GPU {
  readonly version: string;
  readonly vendor: string;
  readonly renderer: string;
}

/** SystemInfo is the machine and its operating system. */
export interface SystemInfo {
  readonly os: string | null;
  readonly os_ver: string | null;
  readonly cpu_arch: string | null;
  readonly cpu_info: string | null;
  readonly cpu_count: number | null;
  readonly cpu_microcode_version: string | null;
  /** Ours: version numbers and build text as the stream has them. */
  readonly os_raw: string | null;
  /** Ours: null unless the dump names it, as microdumps do. */
  readonly gpu: GPU | null;
  /** Ours: bytes, 4 or 8; 0 when the CPU is unknown. */
  readonly pointer_width: number;
  /** Ours. */
  readonly big_endian: boolean;
}

/** Crashing is a copy of the crashing thread, as the schema has it. */
export interface Crashing extends Thread {
  readonly threads_index: number;
}

/**
 * A Place is where a file of this machine was found. Known: "recorded_path", "beside", "debug_folder", "build_id", "debuginfod_cache", "symbol_path",
 * "symbol_cache", "xcode", "spotlight".
 */
export type Place = string;

/** A LocalFile is a file of this machine that was used although nobody named it, because it has a module's ID. */
export interface LocalFile {
  readonly file: string;
  readonly place: Place;
}

/** Damage locates the damaged lines of a text symbol file. The rest of it is used. */
export interface Damage {
  /** The first such line, counted from 1; 0 when it is unknown. */
  readonly line: number;
  /** The number of lines that are left out. */
  readonly records: number;
  /** The file ends within a line. */
  readonly truncated: boolean;
}

/** Symbols is the state of one module's symbols. */
export interface Symbols {
  /** "matched", "public_only", "missing", "reading", "wrong_build", "damaged". */
  readonly state: string;
  /** The used file, or the closest one. */
  readonly file: string | null;
  /** The id of that file. */
  readonly given_id: string | null;
  /** One sentence: why it is not used, or its defect. */
  readonly why: string | null;
  /** The contents of the file. */
  readonly lines: boolean;
  readonly inlines: boolean;
  readonly cfi: boolean;
  /** The module's file is available: its code fills gaps of the dump. */
  readonly code: boolean;
  /** Size of the file. */
  readonly bytes: number;
  /** Variables says that the file may describe arguments and local variables. */
  readonly variables?: boolean;
  /** Forcible says that a mismatched file can be forced, or is: see Frame.UsedAnyway. */
  readonly forcible: boolean;
  /** Also has the names of other used files of the same build, for facts that the first one lacks. */
  readonly also: readonly string[] | null;
  /** Local are those of File and Also that nobody named: they were found on this machine. */
  readonly local?: readonly LocalFile[] | null;
  /** Split names the first files of the DWARF that was split off File and not given. */
  readonly split?: readonly string[] | null;
  /** Damage is the unusable part of a text file; nil if there is none. */
  readonly damage?: Damage | null;
}

/** A Module is one loaded image. */
export interface Module {
  readonly base_addr: Address;
  /** Exclusive. */
  readonly end_addr: Address;
  /** Without folders. */
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
  /** Ours: the whole path. */
  readonly path: string;
  /** Ours: how its range was reduced, in words. */
  readonly overlap: string | null;
  /** Ours: null when they were not looked up. */
  readonly symbols: Symbols | null;
  /** Ours: belongs to the operating system, by its path. */
  readonly is_system: boolean;
}

/** An Unloaded module was unloaded before the dump was written. */
export interface Unloaded {
  readonly base_addr: Address;
  readonly end_addr: Address;
  readonly filename: string;
  readonly code_id: string;
  readonly cert_subject: string | null;
}

/** A Handle is one open handle or file descriptor. */
export interface Handle {
  readonly handle: number;
  readonly type_name: string | null;
  readonly object_name: string | null;
}

/** LSBRelease is the Linux distribution. */
export interface LSBRelease {
  readonly id: string;
  readonly release: string;
  readonly codename: string;
  readonly description: string;
}

/** A ProcLimit is one resource limit; Soft and Hard hold a number or "unlimited". */
export interface ProcLimit {
  readonly name: string;
  readonly soft: unknown;
  readonly hard: unknown;
  readonly unit: string;
}

/** ProcLimits is /proc/PID/limits. */
export interface ProcLimits {
  readonly limits: readonly ProcLimit[] | null;
}

/** A MacCrashRecord is one library's crash information. */
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

/** MacCrash has the contents of __DATA,__crash_info of macOS libraries. */
export interface MacCrash {
  readonly num_records: number;
  readonly records: readonly MacCrashRecord[] | null;
}

/** Dump describes the file itself. */
export interface Dump {
  /** Bytes. */
  readonly size: number;
  /** 32 hex digits that identify the dump, of the file's size and its bytes; of a large file only some bytes count. */
  readonly hash: string | null;
  /** When it was written, seconds since 1970 UTC. */
  readonly time: number | null;
  /** MINIDUMP_TYPE. */
  readonly flags: number;
  /** "minidump", "microdump" or "ELF core". */
  readonly kind: string;
  /** The program that wrote it, if its streams show it: "Breakpad", "Crashpad", "Windows", "LLDB". */
  readonly writer: string | null;
  /** Path of the main module. */
  readonly process: string | null;
  /** Bytes of memory captured. */
  readonly memory: number;
  /** The archives that contain it, outermost first. */
  readonly archive: readonly string[] | null;
  /** File is the dump's path, and which dump of the file it is, if reports of several dumps are written together. */
  readonly file?: string;
}

/**
 * A FindingKind is the subject of a claim. Package crash has all kinds. Known: "null_pointer", "non_canonical", "unmapped", "inaccessible", "text_as_pointer",
 * "bit_flip", "broken_memory", "flipped_code", "poison", "guard_page", "read_only", "misaligned", "heap_corruption", "exception", "bug_check",
 * "stack_overflow", "foreign_module", "first_own_frame", "signal_from_outside".
 */
export type FindingKind = string;

/** A BadgeKind is the weight of a claim. Known: "cause", "plain", "doubt". */
export type BadgeKind = string;

/** A Badge is one claim about the crash, with evidence. */
export interface Badge {
  readonly kind: BadgeKind;
  /** Its subject. */
  readonly finding: FindingKind;
  /** "Null pointer + 0x8". */
  readonly text: string;
  /** Sentences. */
  readonly evidence: readonly string[] | null;
  /** 0 to 1, if it was estimated. */
  readonly confidence: number | null;
}

/** A Verdict is the result in one sentence, with its evidence. */
export interface Verdict {
  /** "Null pointer read". */
  readonly what: string;
  /** "middle": function, or module + offset. */
  readonly where: string | null;
  /** Where is only probable: its frame, or one before it, was found by scanning. */
  readonly guess: boolean;
  /** The language of the interpreted function that Where names; "" for native ones. */
  readonly kind?: FrameKind;
  /** "threads.cpp:12". */
  readonly at: string | null;
  /** One or two sentences about the mechanism, with the values that prove it; may be "". */
  readonly detail: string;
  /** False for a dump written on request. */
  readonly crashed: boolean;
  /** The kind of the cause; "" when it is unknown. */
  readonly finding: FindingKind;
  /** The row of the crashing thread's stack that Where names; inlined calls have rows of their own. */
  readonly row: number | null;
  /** In Finding, 0 to 1, if it was estimated. */
  readonly confidence: number | null;
  /** Further claims. */
  readonly badges: readonly Badge[] | null;
  /** The goroutine that has the function that Where names; null if the crashing thread's stack has it. */
  readonly goroutine?: number | null;
}

/**
 * A NextKind is the kind of a step. Known: "get_dump", "get_symbols", "get_code", "look_at", "compare_locks", "compare_waits", "relock", "tell_vendor",
 * "check_memory", "update_driver", "check_disk", "check_device", "kernel_dump", "run_sanitizer".
 */
export type NextKind = string;

/** An Origin is a source of symbols. Known: "build", "microsoft", "mozilla", "chromium", "electron", "distribution", "mac", "device". */
export type Origin = string;

/** A NextStep is a step to take about the crash, as data: package next makes it, and package render has the sentence. */
export interface NextStep {
  readonly kind: NextKind;
  /** Index into Modules. */
  readonly module?: number | null;
  /** Of "get_symbols" and "get_code": its name. */
  readonly file?: string;
  /** Of that file: its build ID, UUID or debug ID. */
  readonly id?: string;
  /** Of "get_symbols": as Symbols.State. */
  readonly state?: string;
  /** Of "get_symbols": as Symbols.Split, which are wanted in place of File. */
  readonly split?: readonly string[] | null;
  /** Of "get_symbols": the source of the file. */
  readonly origin?: Origin;
  /** The symbol server of Origin. */
  readonly server?: string;
  /** Index into Threads. */
  readonly thread?: number | null;
  /** Of that thread's stack; inlined calls have rows of their own. */
  readonly row?: number | null;
  /** In that row, or module + offset. */
  readonly function?: string;
  /** Its source line. */
  readonly at?: string;
  /** Of the thread, with the base of the bad address. */
  readonly register?: string;
  /** Of Register. */
  readonly value?: Address | null;
  /** Of the program, with that value. */
  readonly variable?: string;
  /** Maker of Module; "" when unknown. */
  readonly vendor?: string;
  /** Of Module, if Vendor is unknown. */
  readonly path?: string;
  /** Functions are those of "compare_locks", "compare_waits" and "relock"; Locks are what they wait for, as the program names it. */
  readonly functions?: readonly string[] | null;
  readonly locks?: readonly string[] | null;
  /** The same as one sentence, which package render writes. */
  readonly text: string;
}

/** An Annotation is a name and a value that the program or its crash reporter attached. */
export interface Annotation {
  readonly name: string;
  readonly value: string;
  /** The stream that it comes from. */
  readonly source: string;
  /** The module, if it belongs to one. */
  readonly module: string | null;
}

/** A Wanted symbol file would name more frames. */
export interface Wanted {
  /** Index into Modules. */
  readonly module: number;
  readonly debug_file: string;
  readonly debug_id: string;
  readonly code_file: string;
  readonly code_id: string;
  /** Below a symbol store: Breakpad's first, then Microsoft's and debuginfod's. */
  readonly paths: readonly string[] | null;
  /** The number of physical frames, of all threads, that it would name. */
  readonly frames: number;
  readonly crashing: boolean;
  /** As Symbols.State. */
  readonly state: string;
  readonly why: string | null;
  /** Where the file is to be had. */
  readonly origin?: Origin;
  /** The symbol server of Origin. */
  readonly server?: string;
}

/** An Unused symbol file was given, and is of no module's build. */
export interface Unused {
  readonly file: string;
  /** "" if it does not say which build it is of. */
  readonly id: string;
  /** Index into Modules: the one that it is of another build of; nil for none. */
  readonly module?: number | null;
  /** The ID of that module. */
  readonly wanted?: string;
}

/** A Region is a range of the address space. */
export interface Region {
  readonly base: Address;
  readonly size: Address;
  /** "rwx" with dashes; "" when unknown. */
  readonly protection: string;
  /** "committed", "reserved", "free"; "" when unknown. */
  readonly state: string;
  /** "image", "mapped", "private", "stack"; "" when unknown. */
  readonly kind: string;
  /** File or module. */
  readonly name: string;
  /** Its bytes are in the dump. */
  readonly captured: boolean;
}

/** A Stream is one entry of the dump's directory. */
export interface Stream {
  readonly type: number;
  /** "" when the type is unknown. */
  readonly name: string;
  readonly offset: number;
  readonly size: number;
  /** Why it could not be read. */
  readonly error: string | null;
}

/** A TextFile is a file of /proc that was copied into the dump. */
export interface TextFile {
  readonly name: string;
  readonly text: string;
  /** Show it only on request: environment, command line. */
  readonly sensitive: boolean;
}

/** A CodeChangeKind is how captured code differs from its file. Known: "flipped_bit", "hook", "breakpoint", "other". */
export type CodeChangeKind = string;

/** A CodeChange is captured code that differs from its module's file. Code that loaders change is left out. */
export interface CodeChange {
  readonly kind: CodeChangeKind;
  readonly address: Address;
  readonly module: string;
  readonly module_index: number;
  readonly module_offset: Address;
  /** Null when unknown. */
  readonly function: string | null;
  readonly function_offset: Address | null;
  /** The bytes of the file, as hex digits. */
  readonly shipped: string;
  /** Those of memory. */
  readonly captured: string;
  /** Where a hook leads. */
  readonly target: Address | null;
  readonly target_module: string | null;
  /** Of that module. */
  readonly target_index: number | null;
}

/** Globals are variables of a module that are outside of functions. */
export interface Globals {
  readonly module: string;
  readonly variables: readonly Variable[] | null;
}

/** Evaluated are the values of expressions in a frame. */
export interface Evaluated {
  readonly thread: number;
  /** Counts inlined calls, as a stack that is text does. */
  readonly frame: number;
  readonly values: readonly Variable[] | null;
}

/** Hang is the summary of all threads' waits. */
export interface Hang {
  /** Threads whose wait is proved. */
  readonly waiting: number;
  /** All of them. */
  readonly threads: number;
  /** Cycles of threads, as indexes into Threads: each thread waits for the next one. */
  readonly cycles: readonly (readonly number[])[] | null;
  /** Functions are the program's innermost functions of the threads in Cycles, "" if the name is not certain. */
  readonly functions: readonly (readonly string[])[] | null;
  /** Threads that wait for one of a cycle, directly or through others. */
  readonly behind: readonly number[] | null;
}

/** A TaskKind is the kind of a task. Known: "goroutine", "python_thread", "javascript_thread". */
export type TaskKind = string;

/** A TaskState is what a task does, in the words of the runtime's tracebacks. */
export type TaskState = string;

/** A Channel is a channel of Go that a goroutine waits for. */
export interface Channel {
  readonly address: Address;
  /** It waits to send. */
  readonly sends: boolean;
  /** Values in the buffer. */
  readonly buffered: number;
  /** Of the buffer, in values. */
  readonly size: number;
}

/** A TaskWait is what a task waits for. */
export interface TaskWait {
  /** One, or those of a select. */
  readonly channels: readonly Channel[] | null;
}

/** A TaskException is an exception of the task's language. */
export interface TaskException {
  readonly type: string;
  readonly message: string;
  /** A handler runs, and no other exception is raised. */
  readonly handled: boolean;
}

/** A TaskLabel is a name and a value. */
export interface TaskLabel {
  readonly name: string;
  readonly value: string;
}

/**
 * A Task is a stack that a language's runtime runs on threads: a goroutine, or the calls of Python or JavaScript on one thread. Its frames are those of a
 * traceback, where inlined calls are frames of their own.
 */
export interface Task {
  readonly kind: TaskKind;
  /** The runtime's number. */
  readonly id: number;
  /** In the runtime's words: "chan receive". */
  readonly state: TaskState;
  /** That runs it, as an index into Threads. */
  readonly thread: number | null;
  /** Innermost first. */
  readonly frames: readonly Frame[] | null;
  /** Whether the stack is complete. */
  readonly end: End;
  /** What it waits for; null if that is not known. */
  readonly waits: TaskWait | null;
  /** The function that started it. */
  readonly created_by?: string | null;
  /** The task that did. */
  readonly created_in?: number | null;
  /** It runs on one thread only. */
  readonly locked?: boolean;
  /** That is raised in it, or that it handles. */
  readonly exception?: TaskException | null;
  /** The functions that run when its calls end, the next one first. */
  readonly deferred?: readonly string[] | null;
  /** That the program has set. */
  readonly labels?: readonly TaskLabel[] | null;
}

/** A Report is the result for one dump. */
export interface Report {
  /** Always "OK": a failed analysis gives an error and no report. */
  readonly status: string;
  readonly pid: number | null;
  /** Seconds. */
  readonly process_uptime: number | null;
  readonly crash_info: CrashInfo;
  readonly system_info: SystemInfo;
  readonly linux_memory_map_count: number | null;
  readonly thread_count: number;
  readonly threads: readonly Thread[] | null;
  readonly crashing_thread?: Crashing | null;
  readonly main_module: number;
  /** Always false: signatures are not checked. */
  readonly modules_contains_cert_info: boolean;
  readonly modules: readonly Module[] | null;
  readonly unloaded_modules: readonly Unloaded[] | null;
  readonly handles: readonly Handle[] | null;
  readonly lsb_release: LSBRelease | null;
  readonly proc_limits: ProcLimits | null;
  readonly mac_crash_info: MacCrash | null;
  readonly mac_boot_args: string | null;
  /** JSON that the writer of the dump put there. */
  readonly soft_errors: unknown;
  /** Ours, and all that follows: the program and its version. */
  readonly made_by: string;
  readonly dump: Dump;
  readonly verdict: Verdict;
  /** What to do, at most three, the most useful first. */
  readonly next_steps: readonly NextStep[] | null;
  /** The name that crashes of this kind share: the function to blame; null without a crash. */
  readonly signature: string | null;
  /** SocorroSignature is the name by the rules of Mozilla's crash-stats. */
  readonly socorro_signature: string | null;
  readonly annotations: readonly Annotation[] | null;
  readonly wanted_symbols: readonly Wanted[] | null;
  /** That were given. */
  readonly unused_symbols?: readonly Unused[] | null;
  /** That _NT_SYMBOL_PATH names. */
  readonly unread_servers?: readonly string[] | null;
  readonly memory_regions: readonly Region[] | null;
  readonly streams: readonly Stream[] | null;
  readonly linux_files: readonly TextFile[] | null;
  readonly notes: readonly Note[] | null;
  /** Code that is not as it was shipped. */
  readonly code_changes?: readonly CodeChange[] | null;
  /** If they were requested. */
  readonly globals?: readonly Globals[] | null;
  /** The requested expressions. */
  readonly evaluated?: Evaluated | null;
  /** The summary of the threads' waits; null when none is proved. */
  readonly hang: Hang | null;
  /** Goroutines, which are no threads. */
  readonly tasks?: readonly Task[] | null;
}
