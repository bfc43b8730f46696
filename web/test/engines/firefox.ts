// Firefox, which speaks WebDriver BiDi itself: no driver stands between.
import {spawnSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {BiDi} from './bidi.ts';
import {asText} from './call.ts';
import type {EngineUnderTest, Running, Start, Tab} from './engine.ts';
import {keyActions} from './keys.ts';
import {found, profileFolder, start} from './process.ts';

const path = (): string | null => process.env['FIREFOX'] || found('firefox-esr', 'firefox');

/** What Firefox does on its own has nothing to do with the page. */
const SETTINGS: Readonly<Record<string, boolean | number | string>> = {
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'browser.aboutwelcome.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'dom.push.connection.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
  'toolkit.telemetry.enabled': false,
};

const WIDTH = 1440;
const HEIGHT = 900;

export const firefox: EngineUnderTest = {
  name: 'Firefox',
  missing: () => (path() === null ? 'Firefox is not installed: apt-get install firefox-esr, or set FIREFOX' : null),
  start: startFirefox,
};

async function startFirefox({profile: wanted, environment}: Start = {}): Promise<Running> {
  const program = path();
  if (program === null) throw new Error('no Firefox');
  const profile = profileFolder(wanted);
  mkdirSync(profile.path, {recursive: true});
  const lines = Object.entries(SETTINGS).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`);
  writeFileSync(join(profile.path, 'user.js'), lines.join(''));
  const args = ['--headless', '--no-remote', '--remote-debugging-port', '0', '--profile', profile.path, 'about:blank'];
  const running = await start(program, args, /WebDriver BiDi listening on (ws:\S+)/, environment);
  const bidi = await BiDi.connect(`${running.said}/session`);
  await bidi.send('session.new', {capabilities: {}});
  const kill = async (): Promise<void> => {
    await running.kill();
    profile.remove();
  };
  return {
    version: spawnSync(program, ['--version'], {encoding: 'utf8'}).stdout.trim(),
    tab: await openTab(bidi),
    kill,
    close: async () => {
      await bidi.send('browser.close', {}).catch(() => undefined);
      bidi.close();
      await running.ended;
      await kill();
    },
  };
}

interface Tree {
  readonly contexts: readonly {readonly context: string}[];
}

interface Called {
  readonly type: 'success' | 'exception';
  readonly result?: {readonly value?: string; readonly sharedId?: string};
  readonly exceptionDetails?: {readonly text: string};
}

async function openTab(bidi: BiDi): Promise<Tab> {
  const {contexts} = await bidi.send<Tree>('browsingContext.getTree', {});
  const context = contexts[0]?.context;
  if (context === undefined) throw new Error('Firefox has no tab');
  await bidi.send('browsingContext.setViewport', {context, viewport: {width: WIDTH, height: HEIGHT}});
  const evaluate = async (functionDeclaration: string, args: string): Promise<Called['result']> => {
    const called = await bidi.send<Called>('script.callFunction', {
      functionDeclaration,
      awaitPromise: true,
      target: {context},
      arguments: [{type: 'string', value: args}],
    });
    if (called.type === 'exception') throw new Error(called.exceptionDetails?.text ?? 'it threw');
    return called.result;
  };
  return {
    open: async url => void (await bidi.send('browsingContext.navigate', {context, url, wait: 'complete'})),
    reload: async () => void (await bidi.send('browsingContext.reload', {context, wait: 'complete'})),
    run: async (call, ...args) => JSON.parse((await evaluate(asText(call), JSON.stringify(args)))?.value ?? 'null'),
    press: async (...keys) => void (await bidi.send('input.performActions', {context, actions: keyActions(keys)})),
    choose: async (selector, files) => {
      const element = await evaluate('selector => document.querySelector(selector)', selector);
      await bidi.send('input.setFiles', {context, element: {sharedId: element?.sharedId}, files});
    },
    picture: async () =>
      Buffer.from((await bidi.send<{data: string}>('browsingContext.captureScreenshot', {context})).data, 'base64'),
  };
}
