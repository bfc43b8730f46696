// Programs that tests start, and end.
import {type ChildProcess, spawn, spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** How long a program may take until it says that it listens, in ms. */
const PATIENCE = 60_000;

/** The path of the first of some programs that PATH has; null if it has none. */
export function found(...names: readonly string[]): string | null {
  for (const name of names) {
    const path = spawnSync('sh', ['-c', `command -v ${name}`], {encoding: 'utf8'}).stdout.trim();
    if (path) return path;
  }
  return null;
}

/** A program with all that it starts, in a process group of its own. */
export interface Program {
  readonly ended: Promise<void>;
  /** What the first group of the expression matched in its output. */
  readonly said: string;
  kill(): Promise<void>;
}

/** Starts a program and waits until its output has what the expression looks for; null is for one that says nothing. */
export async function start(
  path: string,
  args: readonly string[],
  says: RegExp | null,
  environment: Readonly<Record<string, string>> = {},
): Promise<Program> {
  const child = spawn(path, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: {...process.env, ...environment},
  });
  const ended = new Promise<void>(resolve => child.on('exit', () => resolve()));
  const kill = async (): Promise<void> => {
    killGroup(child);
    await ended;
  };
  try {
    return {said: says ? await heard(child, says) : '', ended, kill};
  } catch (error) {
    await kill();
    throw error;
  }
}

function heard(child: ChildProcess, says: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (why: string): void => reject(new Error(`${child.spawnfile} ${why}: ${output.trim().slice(-500)}`));
    setTimeout(() => fail('did not start in time'), PATIENCE).unref();
    child.on('error', error => fail(error.message));
    child.on('exit', () => fail('ended'));
    const hear = (data: Buffer): void => {
      output += data;
      const match = says.exec(output);
      if (match) resolve(match[1] ?? '');
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
  });
}

function killGroup({pid}: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group is gone.
  }
}

/** A folder for a profile: the one that was asked for, or one that remove takes away. */
export function profileFolder(wanted: string | undefined): {path: string; remove(): void} {
  if (wanted !== undefined) return {path: wanted, remove: () => undefined};
  const path = mkdtempSync(join(tmpdir(), 'crashglass-profile-'));
  return {path, remove: () => rmSync(path, {recursive: true, force: true, maxRetries: 5, retryDelay: 200})};
}
