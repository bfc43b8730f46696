// Reports made by hand for tests: what a test does not speak of has the value that says least.
import type {Frame, Inline, Module, Report, Symbols, Thread, Variable, Wait} from '../src/report.ts';

/** A physical frame; a name alone makes an ordinary one. */
export function frame(index: number, more: Partial<Frame> | string = {}): Frame {
  const fields = typeof more === 'string' ? {function: more} : more;
  return {
    frame: index,
    trust: index === 0 ? 'context' : 'cfi',
    registers: {},
    offset: `0x${(0x1000 + index).toString(16).padStart(16, '0')}`,
    module: 'app',
    module_offset: `0x${index.toString(16)}`,
    unloaded_modules: null,
    inlines: null,
    function: null,
    function_offset: null,
    file: null,
    line: null,
    missing_symbols: false,
    module_index: 0,
    return_address: null,
    found_by: index === 0 ? 'context' : 'CFI',
    guess: fields.trust === 'scan' || fields.trust === 'cfi_scan',
    line_offset: null,
    public_name: false,
    name_certainty: 'inside',
    is_system: false,
    symbols_forced: false,
    linkage_function: null,
    readable_function: null,
    ...fields,
  };
}

export const inline = (name: string, file: string | null = null, line: number | null = null): Inline => ({
  function: name,
  file,
  line,
  linkage_function: null,
  readable_function: null,
});

/** A variable, or a member of one: text is its value, a list its children. */
export const variable = (
  name: string,
  type: string,
  value: string | readonly Variable[] | null,
  more: Partial<Variable> = {},
): Variable => ({
  name,
  type,
  kind: '',
  state: 'known',
  value: typeof value === 'string' ? value : null,
  why: null,
  location: null,
  ...(typeof value === 'object' && value !== null ? {children: value} : {}),
  ...more,
});

/** A report of one frame, of a module whose symbols know its variables. */
export function withVariables(variables: readonly Variable[], more: Partial<Frame> = {}): Report {
  const frames = [
    frame(0, {function: 'post(Batch const&)', variables, ...more}),
    frame(1, {function: 'main', variables: []}),
  ];
  return report({
    threads: [thread(frames, {crashed: true})],
    modules: [
      module('app', {symbols: symbols('matched', {file: 'app.debug', inlines: true, code: true, variables: true})}),
    ],
    dump: {...report().dump, memory: 0x2000},
    crash_info: {...report().crash_info, crashing_thread: 0},
  });
}

/** A thread. Frames behind one that was scanned for are guesses, too. */
export function thread(all: readonly Frame[], more: Partial<Thread> = {}): Thread {
  const first = all.findIndex(f => f.guess);
  const frames = first < 0 ? all : all.map((f, i) => (i > first ? {...f, guess: true} : f));
  return {
    thread_name: null,
    thread_id: 1,
    last_error_value: null,
    frame_count: frames.length,
    frames,
    end: {complete: true, kind: 'undefined', reason: 'the call frame info of `_start` has no caller'},
    stack: null,
    crashed: false,
    dump_writer: false,
    state: null,
    waits: null,
    ...more,
  };
}

/** Two threads that hold what the other waits for, and one that joins the first of them. */
export function deadlocked(): Report {
  const wait = (object: Wait['object'], holder: number, more: Partial<Wait> = {}): Wait => ({
    kind: 'mutex',
    call: 'futex',
    function: 'pthread_mutex_lock',
    library: 'glibc',
    object,
    descriptor: null,
    holder: 'held',
    thread: holder,
    thread_id: [3, 7, 9][holder] ?? null,
    evidence: [
      {kind: 'register', name: 'rdi', value: object, meaning: 'futex'},
      {kind: 'function', name: 'pthread_mutex_lock', frame: 1, meaning: 'waits_in'},
      {kind: 'word', address: '0x0000000000005008', size: 4, value: '0x00000007', meaning: 'owner'},
    ],
    text: `a mutex at ${object}, held by thread ${[3, 7, 9][holder]}`,
    ...more,
  });
  const join = wait('0x0000000000007000', 0, {kind: 'join', holder: 'joined', text: 'a thread to end: thread 3'});
  const stuck = (thread_id: number, waits: Wait, name: string | null): Thread =>
    thread([frame(0, 'futex_wait'), frame(1, 'work'), frame(2, 'main')], {thread_id, waits, thread_name: name});
  return report({
    threads: [
      stuck(3, wait('0x0000000000005000', 1), 'accept'),
      stuck(7, wait('0x0000000000006000', 0), 'net-io'),
      stuck(9, join, null),
    ],
    hang: {waiting: 3, threads: 3, cycles: [[0, 1]], functions: null, behind: [2]},
    verdict: {
      ...report().verdict,
      what: 'No crash: 3 of 3 threads wait; threads 3 and 7 wait for each other',
      crashed: false,
    },
  });
}

/** A report that is text, and what the page knows of it: two frames as they are stated, and no memory. */
export const panicked = `panic: runtime error: index out of range [5] with length 3 <b>

goroutine 7 [running]:
main.(*store).label(0x3b79b0914420?, 0x4c5295?)
\texample.com/inventory/main.go:24 +0x1a
main.main()
\texample.com/inventory/main.go:29 +0x96
exit status 2
`;

export function panic(): Report {
  const stated = {trust: 'prewalked', found_by: 'stated by the file', registers: null} as const;
  const frames = [
    frame(0, {...stated, function: 'main.(*store).label', file: 'main.go', line: 24}),
    frame(1, {...stated, function: 'main.main', file: 'main.go', line: 29}),
  ];
  return report({threads: [thread(frames, {crashed: true, stack: null})]});
}

/** Symbols of a module, by their state. */
export const symbols = (state: string, more: Partial<Symbols> = {}): Symbols => ({
  state,
  file: 'x.sym',
  given_id: null,
  why: null,
  lines: true,
  inlines: false,
  cfi: true,
  code: false,
  bytes: 1,
  forcible: false,
  also: null,
  ...more,
});

export function module(filename: string, more: Partial<Module> = {}): Module {
  return {
    base_addr: '0x0000000000001000',
    end_addr: '0x0000000000002000',
    filename,
    code_id: '',
    debug_file: filename,
    debug_id: '',
    version: null,
    cert_subject: null,
    missing_symbols: false,
    loaded_symbols: false,
    corrupt_symbols: false,
    symbol_url: null,
    path: `/usr/bin/${filename}`,
    overlap: null,
    symbols: null,
    is_system: false,
    ...more,
  };
}

export function report(more: Partial<Report> = {}): Report {
  const threads = more.threads ?? [];
  return {
    status: 'OK',
    hang: null,
    pid: null,
    process_uptime: null,
    crash_info: {
      type: null,
      address: null,
      reason: null,
      no_address: null,
      accessed_address: null,
      parameter_meanings: null,
      pointer_register: null,
      origin: null,
      adjusted_address: null,
      instruction: null,
      memory_accesses: null,
      instruction_pointer_update: null,
      possible_bit_flips: null,
      crash_inconsistencies: null,
      crashing_thread: null,
      assertion: null,
      code: null,
      flags: null,
      parameters: null,
      note: null,
    },
    system_info: {
      os: null,
      os_ver: null,
      cpu_arch: null,
      cpu_info: null,
      cpu_count: null,
      cpu_microcode_version: null,
      os_raw: null,
      pointer_width: 8,
      big_endian: false,
      gpu: null,
    },
    linux_memory_map_count: null,
    thread_count: threads.length,
    threads,
    main_module: 0,
    modules_contains_cert_info: false,
    modules: [],
    unloaded_modules: [],
    handles: null,
    lsb_release: null,
    proc_limits: null,
    mac_crash_info: null,
    mac_boot_args: null,
    soft_errors: null,
    made_by: 'Crashglass dev',
    dump: {
      size: 0,
      hash: null,
      time: null,
      flags: 0,
      kind: 'minidump',
      writer: null,
      process: null,
      memory: 0,
      archive: null,
    },
    verdict: {
      what: 'No exception in this dump',
      where: null,
      guess: false,
      at: null,
      detail: '',
      crashed: false,
      finding: '',
      row: null,
      confidence: null,
      badges: null,
    },
    signature: null,
    socorro_signature: null,
    annotations: null,
    wanted_symbols: null,
    next_steps: [],
    memory_regions: null,
    streams: null,
    linux_files: null,
    notes: null,
    ...more,
  };
}

/** A crash of a program with so many threads, of 300 different stacks, and five thousand modules. */
export function many(count: number): Report {
  const threads = Array.from({length: count}, (_, i) =>
    thread(
      Array.from({length: 12}, (_, f) => frame(f, {function: `f${f}_${i % 300}`, module_index: f})),
      {thread_id: i, crashed: i === 0, thread_name: `worker ${i}`},
    ),
  );
  return report({
    thread_count: count,
    threads,
    modules: Array.from({length: 5000}, (_, i) => module(`library${i}.so`)),
    crash_info: {...report().crash_info, crashing_thread: 0},
  });
}
