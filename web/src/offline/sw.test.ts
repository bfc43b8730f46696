// The service worker with a platform made by hand: who may tell it something, and who gets files that were shared.
import {beforeEach, expect, test, vi} from 'vitest';

const base = 'https://host.test/app/';
const file = new File(['MDMP'], 'shared.dmp');
const second = new File(['MDMP'], 'second.dmp');

type Handle = (event: object) => void;
let handlers: Map<string, Handle>;
const skipWaiting = vi.fn(async () => {});

beforeEach(async () => {
  vi.resetModules();
  skipWaiting.mockClear();
  handlers = new Map();
  vi.stubGlobal('BUILD', {name: 'one', files: {'./': ''}});
  vi.stubGlobal('caches', {});
  vi.stubGlobal('self', {
    registration: {scope: base, active: null},
    clients: {matchAll: async () => [], claim: async () => {}},
    skipWaiting,
    addEventListener: (type: string, handle: Handle) => handlers.set(type, handle),
  });
  await import('./sw.ts');
});

/** What a client gets that sends this: the kinds of messages, with the names of files. */
function answers(id: string, data: unknown, url = base): (readonly string[])[] {
  const postMessage = vi.fn<(message: {kind: string; files?: readonly File[]}) => void>();
  const source = {id, url, postMessage};
  handlers.get('message')?.({data, source, waitUntil: () => {}});
  return postMessage.mock.calls.map(([{kind, files = []}]) => [kind, ...files.map(({name}) => name)]);
}

/** The system sends a file to the folder of the page, which opens as this client. */
async function share(resultingClientId: string, files = [file]): Promise<Response> {
  const body = new FormData();
  for (const file of files) body.append('files', file);
  const request = new Request(`${base}share`, {method: 'POST', body});
  const respondWith = vi.fn<(answer: Promise<Response>) => void>();
  handlers.get('fetch')?.({request, resultingClientId, respondWith});
  return respondWith.mock.calls[0]?.[0] as Promise<Response>;
}

const shared = {kind: 'shared'};

test('shared files go once to the page that the share opens', async () => {
  const response = await share('opened');
  expect([response.status, response.headers.get('location')]).toEqual([303, base]);
  expect(answers('opened', shared)).toEqual([['files', 'shared.dmp']]);
  expect(answers('opened', shared)).toEqual([]);
});

test('another page gets none, and the files wait for theirs', async () => {
  await share('opened');
  expect(answers('other', shared)).toEqual([]);
  expect(answers('', shared)).toEqual([]);
  expect(answers('opened', shared)).toHaveLength(1);
});

test('two shares go to a page each', async () => {
  await share('opened');
  await share('also opened', [second]);
  expect(answers('also opened', shared)).toEqual([['files', 'second.dmp']]);
  expect(answers('opened', shared)).toEqual([['files', 'shared.dmp']]);
});

test('files that no navigation sends are for no page', async () => {
  await share('');
  expect(answers('', shared)).toEqual([]);
});

test.each([
  [null],
  [undefined],
  ['shared'],
  [['shared']],
  [{}],
  [{kind: 'files'}],
  [{kind: 'share'}],
  [{kind: 'may fetch'}],
  [{kind: ['shared']}],
])('the message %j is answered with nothing', async message => {
  await share('opened');
  expect(answers('opened', message)).toEqual([]);
  expect(answers('opened', shared)).toHaveLength(1);
});

test('another folder of the host can neither take files nor change the version', async () => {
  await share('opened');
  for (const url of ['https://host.test/', 'https://host.test/application', 'https://host.test/other/app/']) {
    expect(answers('opened', shared, url)).toEqual([]);
    answers('opened', {kind: 'take over'}, url);
  }
  expect(skipWaiting).not.toHaveBeenCalled();
  answers('any', {kind: 'take over'});
  expect(skipWaiting).toHaveBeenCalledOnce();
});

test('a message without a sender is ignored', () => {
  for (const source of [null, {}]) handlers.get('message')?.({data: {kind: 'take over'}, source, waitUntil: () => {}});
  expect(skipWaiting).not.toHaveBeenCalled();
});
