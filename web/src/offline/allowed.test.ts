import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {mayFetch, type OpenPage} from './allowed.ts';
import type {Answer} from './messages.ts';

beforeEach(() => void vi.useFakeTimers({toFake: ['setTimeout']}));
afterEach(() => void vi.useRealTimers());

const says = (answer: Answer): OpenPage => ({
  postMessage: (_, [port]) => port instanceof MessagePort && port.postMessage(answer),
});
const script = {script: 'a()'};
const [waits, locked, runs] = [says(true), says(false), says(script)];
const silent: OpenPage = {postMessage: () => undefined};

test.each([
  ['no page is open', [], true],
  ['the page waits', [waits], true],
  ['the page has locked', [locked], false],
  ['one page has locked and another one waits', [locked, waits], true],
  ['a page waits beside a silent one', [silent, waits], true],
  ['all pages have locked', [locked, locked], false],
  ['a page that waits says what its script is', [locked, runs], script],
])('%s', async (_, pages, may) => {
  expect([await mayFetch(pages, false), await mayFetch(pages, true)]).toEqual([may, may]);
});

test.each([
  ['a page of an older build allows an update', [silent], true, true],
  ['silence does not allow a first installation', [silent], false, false],
  ['a locked page refuses beside a silent one', [silent, locked], true, false],
])('%s', async (_, pages, active, may) => {
  const answer = mayFetch(pages, active);
  await new Promise(resolve => setImmediate(resolve));
  await new Promise(resolve => setImmediate(resolve));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await answer).toBe(may);
});
