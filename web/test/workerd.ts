// workerd, the runtime that Cloudflare runs Workers in, for tests.
import {type ChildProcess, spawn} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {project} from './browser.ts';
import {BIG} from './symbol-server.ts';

/** A port that is free now. */
const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

export interface Workerd {
  readonly url: string;
  readonly port: number;
  readonly process: ChildProcess;
  /** All that it has printed. */
  said(): string;
}

/** Serves dist/ by a configuration, and waits until it does. */
export async function startWorkerd(config: string): Promise<Workerd> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const at = [`--socket-addr=http=127.0.0.1:${port}`, `--directory-path=dist=${project('dist')}`];
  const child = spawn(project('web/node_modules/.bin/workerd'), ['serve', config, ...at]);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', text => {
      said += text;
    });
  }
  const serves = async (): Promise<boolean> => (await fetch(url).catch(() => null))?.ok ?? false;
  for (let tries = 0; tries < 200; tries++) {
    if (await serves()) return {url, port, process: child, said: () => said};
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  child.kill();
  throw new Error(`workerd serves nothing: ${said}`);
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
