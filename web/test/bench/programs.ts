// Programs of the command line, ours and others.
import {spawn, spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import type {Contestant} from './turns.ts';

/** The most memory that a process ever had, as Linux counts it. */
export function peak(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
  } catch {
    return Number.NaN;
  }
}

/** Runs a program to its end. Its memory is looked at as often as can be: it is gone when the program is. */
export const program =
  (path: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}): Contestant =>
  () =>
    new Promise((resolve, reject) => {
      const start = performance.now();
      const env = {...process.env, ...environment};
      const child = spawn(path, args, {stdio: ['ignore', 'ignore', 'ignore'], env});
      let memory = Number.NaN;
      const timer = setInterval(() => {
        const now = peak(child.pid ?? 0);
        if (now > 0) memory = now;
      }, 2);
      child.on('error', reject);
      child.on('exit', code => {
        clearInterval(timer);
        if (code === 0) resolve({seconds: (performance.now() - start) / 1000, memory});
        else reject(new Error(`${path} ended with ${code}`));
      });
    });

interface Other {
  readonly name: string;
  readonly run: Contestant;
}

const has = (name: string): boolean => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;

/** Other readers of dumps that are here. LLDB reads no .sym: it walks, and names only what the dump itself does. */
export function installed(dump: string, store: string): Other[] {
  const others: Other[] = [];
  if (has('minidump-stackwalk')) {
    others.push({name: 'minidump-stackwalk', run: program('minidump-stackwalk', ['--json', dump, store])});
  }
  if (has('minidump_stackwalk')) {
    others.push({name: 'Breakpad minidump_stackwalk', run: program('minidump_stackwalk', ['-m', dump, store])});
  } else if (has('lldb')) {
    const args = ['--batch', '--no-lldbinit', '-o', `target create --core ${dump}`, '-o', 'bt all'];
    others.push({name: 'lldb, without symbols', run: program('lldb', args)});
  }
  return others;
}
