// The walk of corpus/perf: a dump of a program with 109 MB of symbols, by our command line, by rust-minidump's
// minidump-stackwalk, and in Chromium from the drop to the named stack. Taken in turn, because machines have moods. The
// page has been there for a moment when the files are dropped, as it has when a person drops them.
import {spawn, spawnSync} from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import {corpus, launch, project, serve} from './browser.ts';

const ROUNDS = 5;
/** The innermost function of the dump's crashing thread, in whatever way it is cut on the page. */
const FUNCTION = 'input_len';

/** How long the page has been there, in ms: the worker prepares itself meanwhile. */
const MOMENT = 2000;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

interface Run {
  readonly seconds: number;
  /** Bytes, at the highest; NaN where the system does not say. */
  readonly memory: number;
}

type Contestant = () => Promise<Run>;

/** The most memory that a process ever had, as Linux counts it. */
function peak(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
  } catch {
    return Number.NaN;
  }
}

/** Runs a program to its end. Its memory is looked at as often as can be: it is gone when the program is. */
const program =
  (path: string, ...args: string[]): Contestant =>
  () =>
    new Promise((resolve, reject) => {
      const start = performance.now();
      const child = spawn(path, args, {stdio: ['ignore', 'ignore', 'ignore']});
      let memory = Number.NaN;
      const look = setInterval(() => {
        const now = peak(child.pid ?? 0);
        if (now > 0) memory = now;
      }, 2);
      child.on('error', reject);
      child.on('exit', code => {
        clearInterval(look);
        if (code === 0) resolve({seconds: (performance.now() - start) / 1000, memory});
        else reject(new Error(`${path} ended with ${code}`));
      });
    });

/** The processes that show pages, by their command lines. */
function renderers(): number[] {
  if (!existsSync('/proc/self/cmdline')) return [];
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer');
      } catch {
        return false;
      }
    });
}

/** In the page: notes when files were given, and when the function stood there. */
function watch(wanted: string): void {
  const times = {given: 0, named: 0};
  Object.assign(globalThis, {times});
  const given = (): void => {
    times.given ||= performance.now();
  };
  document.addEventListener('change', given, true);
  new MutationObserver(() => {
    if (!times.named && document.body.textContent?.includes(wanted)) times.named = performance.now();
  }).observe(document.body, {childList: true, subtree: true, characterData: true});
}

const inChromium =
  (url: string, files: string[]): Contestant =>
  async () => {
    const before = new Set(renderers());
    const browser = await launch();
    try {
      const page = await browser.newPage();
      const worker = page.waitForEvent('worker');
      await page.goto(url);
      await (await worker).evaluate(async () => {
        while (!('crashglass' in globalThis)) await new Promise(resolve => setTimeout(resolve, 10));
      });
      await page.evaluate(watch, FUNCTION);
      const resting = Math.max(
        ...renderers()
          .filter(pid => !before.has(pid))
          .map(peak),
      );
      await page.waitForTimeout(MOMENT); // what it takes for that counts
      await page.locator('input[type=file]').first().setInputFiles(files);
      await page.waitForFunction(() => Reflect.get(globalThis, 'times').named > 0, undefined, {timeout: 120_000});
      const seconds = Number(await page.evaluate('(times.named - times.given) / 1000'));
      const memory =
        Math.max(
          ...renderers()
            .filter(pid => !before.has(pid))
            .map(peak),
        ) - resting;
      return {seconds, memory};
    } finally {
      await browser.close();
    }
  };

/** Writes the symbols into a store as all of the programs know it. */
function makeStore(folder: string): {store: string; symbols: string} {
  const symbols = join(folder, 'big.sym');
  writeFileSync(symbols, gunzipSync(readFileSync(corpus('perf/minidump-stackwalk.sym.gz'))));
  const head = Buffer.alloc(200);
  const file = openSync(symbols, 'r');
  readSync(file, head);
  const [, , , id, name] = head.toString('latin1').split('\n', 1)[0]?.split(' ') ?? [];
  if (!id || !name) throw new Error('the symbols have no MODULE record');
  const store = join(folder, 'store', name, id);
  mkdirSync(store, {recursive: true});
  writeFileSync(join(store, `${name}.sym`), readFileSync(symbols));
  return {store: join(folder, 'store'), symbols};
}

const best = (runs: readonly Run[]): Run => ({
  seconds: Math.min(...runs.map(run => run.seconds)),
  memory: Math.min(...runs.map(run => run.memory).filter(Number.isFinite)), // a short run may end before it is looked at
});

function print(results: ReadonlyMap<string, readonly Run[]>): void {
  const base = best(results.get('minidump-stackwalk') ?? []);
  say(`\n${'best of the runs'.padEnd(22)} ${'seconds'.padStart(8)} ${'peak MB'.padStart(8)}   of minidump-stackwalk`);
  for (const [name, runs] of results) {
    const {seconds, memory} = best(runs);
    const row = [seconds.toFixed(3).padStart(8), (memory / 1e6).toFixed(0).padStart(8)];
    if (Number.isFinite(base.seconds)) {
      row.push(`  time ${(seconds / base.seconds).toFixed(2)}, memory ${(memory / base.memory).toFixed(2)}`);
    }
    say([name.padEnd(22), ...row].join(' '));
  }
  say('Memory in Chromium is what the page took beyond what it had before the drop.');
}

async function main(): Promise<void> {
  const dump = corpus('perf/big.dmp');
  if (!existsSync(dump)) {
    say('Skipped: ../shared/corpus/perf is not there.');
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'crashglass-bench-'));
  const site = await serve(project('dist'));
  try {
    const {store, symbols} = makeStore(folder);
    const contestants = new Map<string, Contestant>([
      ['crashglass', program(project('build/crashglass'), 'walk', '--format', 'json', '--symbols', store, dump)],
      ['crashglass in Chromium', inChromium(site.url, [dump, symbols])],
    ]);
    const rust = 'minidump-stackwalk';
    if (spawnSync(rust, ['--version']).status === 0) contestants.set(rust, program(rust, '--json', dump, store));
    else say('Without minidump-stackwalk, which is not installed: cargo install --locked minidump-stackwalk@0.27.0');
    const results = new Map<string, Run[]>([...contestants.keys()].map(name => [name, []]));
    for (let round = 1; round <= ROUNDS; round++) {
      for (const [name, contestant] of contestants) {
        const run = await contestant();
        results.get(name)?.push(run);
        say(`${round} ${name.padEnd(22)} ${run.seconds.toFixed(3)} s ${(run.memory / 1e6).toFixed(0)} MB`);
      }
    }
    print(results);
  } finally {
    await site.close();
    rmSync(folder, {recursive: true});
  }
}

await main();
