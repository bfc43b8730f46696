import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {createPace} from './turns.ts';

let frames: (() => void)[];

beforeEach(() => {
  frames = [];
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
  vi.stubGlobal('document', {hidden: false});
  vi.stubGlobal('requestAnimationFrame', (call: () => void) => frames.push(call));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Shows a frame, and lets the task after it run. */
async function frame(): Promise<void> {
  for (const call of frames.splice(0)) call();
  await new Promise<void>(resolve => {
    const {port1, port2} = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

test('an urgent task runs after one frame, and once however often it is requested', async () => {
  const call = vi.fn();
  const next = createPace(call);
  next('soon');
  next('soon');
  next('deferred');
  await frame();
  expect(call).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(10_000);
  expect(call).toHaveBeenCalledTimes(1);
});

test('a task without hurry waits, until it becomes urgent', async () => {
  const call = vi.fn();
  const next = createPace(call);
  next('deferred');
  next('deferred');
  await frame();
  vi.advanceTimersByTime(600);
  expect(call).toHaveBeenCalledTimes(0);
  vi.advanceTimersByTime(200);
  expect(call).toHaveBeenCalledTimes(1);
  next('deferred');
  next('soon');
  await frame();
  expect(call).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(10_000);
  expect(call).toHaveBeenCalledTimes(2);
});
