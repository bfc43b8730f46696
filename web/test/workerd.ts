// workerd, the runtime that Cloudflare runs Workers in, for tests.
import {type ChildProcess, spawn} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {project} from './browser.ts';
import {BIG} from './symbol-server.ts';

export interface Workerd {
  readonly url: string;
  readonly port: number;
  readonly process: ChildProcess;
  /** All that it has printed. */
  said(): string;
}

/** Serves dist/ by a configuration, and waits until it does. */
export async function startWorkerd(config: string): Promise<Workerd> {
  const at = ['--socket-addr=http=127.0.0.1:0', '--control-fd=3', `--directory-path=dist=${project('dist')}`];
  const child = spawn(project('web/node_modules/.bin/workerd'), ['serve', config, ...at], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', text => {
      said += text;
    });
  }
  const port = await portOf(child, () => said);
  return {url: `http://127.0.0.1:${port}/`, port, process: child, said: () => said};
}

/** The port that workerd chose. It writes a line of JSON for each socket when it listens. */
function portOf(child: ChildProcess, said: () => string): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdio[3]?.on('data', (data: Buffer) => {
      output += data;
      const port = /"socket":"http","port":(\d+)/.exec(output)?.[1];
      if (port) resolve(Number(port));
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`workerd serves nothing: ${said()}`)));
  });
}

/** The configuration of the repository, with symbol servers. */
export function configure(name: string, servers: string, port: number, cachePort: number): string {
  const text = readFileSync(project('build/edge/workerd.capnp'), 'utf8');
  const services = `( name = "internet", network = ( allow = ["public", "private"] ) ),
    ( name = "symbols", external = ( address = "127.0.0.1:${port}", http = () ) ),
    ( name = "cache", external = ( address = "127.0.0.1:${cachePort}", http = () ) ),
    ( name = "dist"`;
  const bindings = `cacheApiOutbound = "cache",
  bindings = [
    ( name = "SYMBOLS", service = "symbols" ),
    ( name = "SYMBOL_SERVERS", text = "${servers}" ),
    ( name = "SYMBOL_MAX_BYTES", text = "${BIG}" ),
    ( name = "SYMBOL_TIMEOUT", text = "5s" ),`;
  const file = project(`build/edge/${name}.capnp`);
  writeFileSync(file, text.replace('( name = "dist"', services).replace('bindings = [', bindings));
  return file;
}
