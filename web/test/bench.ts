// ./build.sh bench: corpus/perf, a dump of a program with 109 MB of symbols, and the same symbols made larger. Programs take turns, A B A B, because machines
// have moods; what is printed are medians and their ratios. The page has been there for a moment when files are dropped, as when a user drops them.
import {spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {cpus, tmpdir} from 'node:os';
import {basename, join} from 'node:path';
import {openEngine} from './bench/engines.ts';
import {FULL, HALF, type Inputs, makeInputs, SMALL} from './bench/inputs.ts';
import {FUNCTION, openBrowser} from './bench/page.ts';
import {installed, program} from './bench/programs.ts';
import {inMemory} from './bench/scan.ts';
import {type Contestant, inTurn, mb, median, type Run, ratio, say, seconds, table} from './bench/turns.ts';
import {chromiumPath, corpus, project, serve} from './browser.ts';
import {firefox} from './engines/firefox.ts';

const ROUNDS = 5;
/** The program that all others are compared with. */
const BAR = 'minidump-stackwalk';
/** The number of runs of a program that takes seconds. */
const FEW = 3;

const ABOUT = `# Measurements

Made by \`./build.sh bench docs/developers/measurements.md\`, from a dump whose program has 109 MB of Breakpad symbols. Larger and smaller files are made from these. The programs
run in turn, and each figure is the median of ${ROUNDS} runs, or of ${FEW} if a run takes seconds. The times depend on the machine, so only the ratios are reliable.

- \`s\`: seconds. For Chromium and Firefox from the drop to the name of the innermost function, on a page that was open for a moment.
- \`first frames, s\`: from the drop to the first frames of the crashing stack, with or without names.
- \`peak, MB\`: the most memory. For browsers it is the memory of the page's process minus its memory before the drop, which is negative if the browser freed more meanwhile.
- \`time of\`, \`memory of\`: ratios to that program.
- \`times 109 MB\`: the ratio to the same program with 109 MB of symbols.
- \`most of a worker, MB\`: the WebAssembly memory of the largest worker.
- \`longest task, ms\`: the longest task of more than 50 ms on the page's own thread, or 0; for Firefox, which reports no tasks, the longest time between two ticks of a timer.
- \`--verify\`: the program scans the symbols after the search.`;

/** The machine and the programs' versions. */
function machine(): string {
  const first = (program: string): string =>
    spawnSync(program, ['--version'], {encoding: 'utf8'}).stdout?.split('\n', 1)[0]?.trim() ?? '';
  const versions = [chromiumPath(), BAR, 'lldb'].map(first).filter(version => version !== '');
  return `${cpus().length} processors (${cpus()[0]?.model ?? 'of unknown model'}); Node ${process.version}, ${versions.join(', ')}.`;
}

/** What a race needs: the inputs, and a contestant of each kind. */
interface Field {
  readonly inputs: Inputs;
  ours(store: string, ...more: string[]): Contestant;
  page(symbols: string): Contestant;
  /** The page in Firefox; null where that is not installed. */
  firefox: ((symbols: string) => Contestant) | null;
}

/** The time to the crashing stack, beside other programs. */
async function race({inputs, ours, page, firefox}: Field, dump: string): Promise<string> {
  const {store, symbols} = inputs.of(FULL.bytes);
  const contestants = new Map<string, Contestant>([
    ['crashglass', ours(store)],
    ['crashglass --verify', ours(store, '--verify')],
    ['in Chromium', page(symbols)],
  ]);
  if (firefox) contestants.set('in Firefox', firefox(symbols));
  for (const {name, run} of installed(dump, store)) contestants.set(name, run);
  if (!contestants.has(BAR)) say(`${BAR} is not installed: cargo install --locked ${BAR}@0.27.0`);
  const results = await inTurn(contestants, ROUNDS);
  const bar = median(results.get(BAR) ?? []);
  const row = ([name, runs]: readonly [string, readonly Run[]]): string[] => {
    const {seconds: time, first, memory} = median(runs);
    return [name, seconds(time), seconds(first), mb(memory), ratio(time, bar.seconds), ratio(memory, bar.memory)];
  };
  return table(
    ['109 MB of symbols', 's', 'first frames, s', 'peak, MB', `time of ${BAR}`, 'memory of it'],
    [...results].map(row),
  );
}

/** How time and memory grow with the symbols, and what they are beside the bar's with the same. */
async function growth({inputs, ours, page, firefox}: Field, dump: string): Promise<string> {
  const contestants = new Map<string, Contestant>();
  for (const {name, bytes} of [SMALL, FULL, HALF, inputs.largest]) {
    contestants.set(`crashglass, ${name}`, ours(inputs.of(bytes).store));
  }
  for (const {name, bytes} of [FULL, inputs.largest]) {
    contestants.set(`in Chromium, ${name}`, page(inputs.of(bytes).symbols));
    if (firefox) contestants.set(`in Firefox, ${name}`, firefox(inputs.of(bytes).symbols));
    const bar = installed(dump, inputs.of(bytes).store).find(({name}) => name === BAR);
    if (bar) contestants.set(`${BAR}, ${name}`, bar.run);
  }
  const results = await inTurn(contestants, FEW);
  const row = ([name, runs]: readonly [string, readonly Run[]]): string[] => {
    const full = median(results.get(`${name.split(',', 1)[0]}, ${FULL.name}`) ?? []);
    const {seconds: time, first, memory, linear, longest} = median(runs);
    const times = ratio(time, full.seconds);
    const bar = median(results.get(`${BAR}, ${name.split(', ')[1]}`) ?? []);
    const beside = [ratio(time, bar.seconds), ratio(memory, bar.memory)];
    return [name, seconds(time), times, ...beside, seconds(first), mb(memory), mb(linear), longest?.toFixed(0) ?? ''];
  };
  return table(
    [
      'larger symbols',
      's',
      'times 109 MB',
      `time of ${BAR}`,
      'memory of it',
      'first frames, s',
      'peak, MB',
      'most of a worker, MB',
      'longest task, ms',
    ],
    [...results].map(row),
  );
}

/** Two workers against one. */
async function pairs({inputs}: Field): Promise<string> {
  const {symbols} = inputs.of(HALF.bytes);
  const results = await inTurn(
    new Map<string, Contestant>([
      ['bytes in memory, 1 worker', inMemory(symbols, 1)],
      ['bytes in memory, 2 workers', inMemory(symbols, 2)],
    ]),
    FEW,
  );
  const row = ([name, runs]: readonly [string, readonly Run[]]): string[] => {
    const one = median(results.get(name.replace('2 workers', '1 worker')) ?? []);
    return [name, seconds(median(runs).seconds), ratio(one.seconds, median(runs).seconds)];
  };
  return table(['500 MB', 's', 'times as fast as 1'], [...results].map(row));
}

/**
 * A library or debug file itself: CRASHGLASS_BENCH_NATIVE=DUMP,FILE,FUNCTION names a dump, the file of a module in it, and the
 * innermost function of its crashing thread.
 */
async function native(url: string): Promise<string[]> {
  const [dump, file, wanted] = process.env['CRASHGLASS_BENCH_NATIVE']?.split(',') ?? [];
  if (!dump || !file || !wanted) return [];
  const crashglass = project('build/crashglass');
  const name = 'dump_syms --inlines';
  const contestants = new Map<string, Contestant>([
    [name, program('dump_syms', ['--inlines', '-o', '-', file])],
    ['crashglass syms', program(crashglass, ['syms', file])],
    ['crashglass walk', program(crashglass, ['walk', '--no-local', '--symbols', file, dump])],
    ['in Chromium, to the stack', openBrowser(url, [dump, file], wanted)],
  ]);
  const results = await inTurn(contestants, FEW);
  const bar = median(results.get(name) ?? []);
  const row = ([name, runs]: readonly [string, readonly Run[]]): string[] => {
    const {seconds: time, memory} = median(runs);
    return [name, seconds(time), mb(memory), ratio(time, bar.seconds), ratio(memory, bar.memory)];
  };
  const size = `${mb(statSync(file).size)} MB of ${basename(file)}`;
  return [table([size, 's', 'peak, MB', `time of ${name}`, 'memory of it'], [...results].map(row))];
}

async function main(out: string | undefined): Promise<void> {
  const dump = corpus('perf/big.dmp');
  if (!existsSync(dump)) {
    say('Skipped: ../shared/corpus/perf is not there.');
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'crashglass-bench-'));
  const site = await serve(project('dist'));
  const environment = {XDG_CACHE_HOME: join(folder, 'cache')};
  const walk = ['walk', '--no-local', '--format', 'json'];
  try {
    const field: Field = {
      inputs: makeInputs(folder),
      ours: (store, ...more) =>
        program(project('build/crashglass'), [...walk, ...more, '--symbols', store, dump], environment),
      page: symbols => openBrowser(site.url, [dump, symbols]),
      firefox: firefox.missing() ? null : symbols => openEngine(firefox, site.url, [dump, symbols], FUNCTION),
    };
    const tables = [
      await race(field, dump),
      await growth(field, dump),
      await pairs(field),
      ...(await native(site.url)),
    ];
    const text = [ABOUT, machine(), ...tables, ''].join('\n\n');
    process.stdout.write(`\n${text}`);
    if (out) writeFileSync(out, text);
  } finally {
    await site.close();
    rmSync(folder, {recursive: true});
  }
}

await main(process.env['CRASHGLASS_BENCH_OUT']);
