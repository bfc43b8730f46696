// The built page with a worker that tests can speak to. No protocol reaches the workers of Firefox and WebKit, so what a test wants to
// run there stands at the end of the worker's own file, and is asked by a BroadcastChannel.
import {cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {project} from '../browser.ts';
import type {Tab} from './engine.ts';

const CHANNEL = 'what the test asks';

/** What a worker may take for an answer, in ms. */
const PATIENCE = 120_000;

export interface Hooked {
  readonly folder: string;
  remove(): void;
}

/** A copy of the page whose workers call a function, given as an expression. The service worker does not keep it: its digest is another. */
export function hooked(call: string): Hooked {
  const folder = mkdtempSync(join(tmpdir(), 'crashglass-hooked-'));
  cpSync(project('dist'), folder, {recursive: true});
  const code = `
const whoTheTestAsks = Math.random();
new BroadcastChannel('${CHANNEL}').onmessage = async ({data: [to, args], target}) => {
  if (to === null) return target.postMessage(['here', whoTheTestAsks]);
  if (to !== whoTheTestAsks) return;
  try { target.postMessage(['done', await (${call})(JSON.parse(args))]); }
  catch (error) { target.postMessage(['failed', String(error)]); }
};`;
  for (const name of readdirSync(join(folder, 'assets')).filter(name => /^worker-.*\.js$/.test(name))) {
    const path = join(folder, 'assets', name);
    writeFileSync(path, readFileSync(path, 'utf8') + code);
  }
  return {folder, remove: () => rmSync(folder, {recursive: true, force: true})};
}

/** The worker that answers first, for callIn. */
export const findWorker = (tab: Tab): Promise<number> =>
  tab.run(
    (channel, patience) =>
      new Promise<number>((resolve, reject) => {
        const sender = new BroadcastChannel(channel);
        sender.onmessage = ({data: [what, who]}) => what === 'here' && resolve(who);
        sender.postMessage([null, null]);
        setTimeout(() => reject(new Error('no worker answers')), patience);
      }),
    CHANNEL,
    PATIENCE,
  );

/** Calls the function in a worker. What it is given goes as JSON; it returns text or nothing. */
export const callIn = (tab: Tab, worker: number, args: unknown): Promise<string> =>
  tab.run(
    (channel, patience, worker, args) =>
      new Promise<string>((resolve, reject) => {
        const sender = new BroadcastChannel(channel);
        sender.onmessage = ({data: [what, value]}) => {
          sender.close();
          if (what === 'done') resolve(value ?? '');
          else reject(new Error(value));
        };
        sender.postMessage([worker, args]);
        setTimeout(() => reject(new Error('the worker does not answer')), patience);
      }),
    CHANNEL,
    PATIENCE,
    worker,
    JSON.stringify(args),
  );
