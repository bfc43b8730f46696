// The debug adapter `crashglass dap`, driven by VS Code's own client for tests of adapters, over each dump of the tree and of the corpora.
import {spawnSync} from 'node:child_process';
import {existsSync, readdirSync} from 'node:fs';
import {basename, join} from 'node:path';
import {DebugClient} from '@vscode/debugadapter-testsupport';
import {describe, expect, test} from 'vitest';
import {corpus, project} from './browser.ts';

const program = project('build/crashglass');

/** The dumps below a folder; none if it is not there. Bombs are files that take long by design. */
const dumpsBelow = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, {recursive: true, encoding: 'utf8'})
        .filter(
          name =>
            /\.m?dmp$|(^|\/)core(\.\d+)?(\.zst)?$|\.core(\.zst)?$/.test(name) ||
            /\/testdata\/classes\/[^/]+$/.test(name),
        )
        .map(name => join(folder, name))
        .sort()
    : [];

const ofTree = dumpsBelow(project('core/dump'));
const ofCorpora = ['public', 'real', 'vars', 'field', 'bugs', 'vectors', 'vectors-newer'].flatMap(name =>
  dumpsBelow(corpus(name)),
);

/** What an editor does when it opens a dump: everything that it shows of the crash. Returns why the dump was refused. */
async function opened(dump: string): Promise<string | null> {
  const client = new DebugClient(program, 'dap', 'crashglass');
  await client.start();
  try {
    const stopped = client.waitForEvent('stopped', 60_000);
    const launched = client.launch({dump, local: false} as object).then(
      () => null,
      (error: Error) => error.message,
    );
    const configured = client.waitForEvent('initialized', 60_000).then(() => client.configurationDoneRequest());
    for (const promise of [stopped, configured]) promise.catch(() => {});
    const refused = await launched;
    if (refused !== null) return refused;
    await configured;
    const {threadId} = (await stopped).body;
    const {threads} = (await client.threadsRequest()).body;
    if (threads.length === 0) return null;
    expect(threads[0]?.id, dump).toBe(threadId);
    await client.exceptionInfoRequest({threadId});
    for (const {id} of threads.slice(0, 3)) await shown(client, id);
    await client.modulesRequest({startModule: 0, moduleCount: 3});
    return null;
  } finally {
    await client.stop();
  }
}

/** The first frames of a thread with their scopes, and what lies at their code. */
async function shown(client: DebugClient, threadId: number): Promise<void> {
  const {stackFrames, totalFrames = 0} = (await client.stackTraceRequest({threadId, startFrame: 0, levels: 3})).body;
  expect(stackFrames.length).toBe(Math.min(totalFrames, 3));
  for (const frame of stackFrames) {
    for (const {variablesReference} of (await client.scopesRequest({frameId: frame.id})).body.scopes)
      await client.variablesRequest({variablesReference});
    const memoryReference = frame.instructionPointerReference ?? '0';
    const {instructions} = (await client.disassembleRequest({memoryReference, instructionCount: 5})).body ?? {
      instructions: [],
    };
    expect(instructions.length).toBe(5);
  }
}

/** Dumps that are refused, with the reason. The command line refuses the same. */
async function refusals(dumps: readonly string[]): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const dump of dumps) {
    const why = await opened(dump);
    if (why !== null && spawnSync(program, ['walk', '--no-local', '--brief', dump]).status === 0)
      wrong.push(`${basename(dump)}: ${why}`);
  }
  return wrong;
}

describe('an editor opens', () => {
  test('each dump of the tree', {timeout: 600_000}, async () => {
    expect(ofTree.length).toBeGreaterThan(20);
    expect(await refusals(ofTree)).toEqual([]);
  });

  test.skipIf(ofCorpora.length === 0)(
    `each dump of the corpora (skipped where there are none)`,
    {timeout: 1_200_000},
    async () => {
      expect(await refusals(ofCorpora)).toEqual([]);
    },
  );
});
