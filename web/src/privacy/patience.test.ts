import {expect, test} from 'vitest';
import {Patience, TooSlow} from './patience.ts';

const limits = {wait: 60, least: 1000, most: 400};

/** A response that sends chunks of some sizes, each after a number of milliseconds, and then ends or goes on so. */
const dripping = (sizes: readonly number[], pause: number, forever: number | null): Response => {
  let i = 0;
  return new Response(
    new ReadableStream({
      async pull(controller) {
        const size = sizes[i++] ?? forever;
        if (size === null) return controller.close();
        await new Promise(resolve => setTimeout(resolve, pause));
        controller.enqueue(new Uint8Array(size));
      },
    }),
  );
};

test.each([
  ['nothing arrives', [], 1e6, 1],
  ['a byte now and then', [], 5, 1],
  ['a burst, and then a byte now and then', [1 << 20, 1 << 20], 5, 1],
  ['enough, but for ever', [], 5, 1000],
] as const)('a response ends: %s', async (_, sizes, pause, forever) => {
  const patience = new Patience(null, limits);
  const begin = performance.now();
  await expect(patience.bytes(dripping(sizes, pause, forever))).rejects.toBeInstanceOf(TooSlow);
  expect(performance.now() - begin).toBeLessThan(2000);
  patience.end();
});

test('a whole response is its bytes', async () => {
  const patience = new Patience(null, limits);
  expect((await patience.bytes(dripping([5, 2000, 3], 1, null))).size).toBe(2008);
  patience.end();
});

test('a request can be stopped', async () => {
  const stop = new AbortController();
  const patience = new Patience(stop.signal, limits);
  const got = patience.bytes(dripping([], 5, 1000));
  stop.abort(new Error('cancelled'));
  await expect(got).rejects.toThrow('cancelled');
  patience.end();
  expect(new Patience(stop.signal, limits).signal.aborted).toBe(true);
});
