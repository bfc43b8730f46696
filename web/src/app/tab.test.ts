import {expect, test} from 'vitest';
import {thisTab} from './tab.ts';

const refused = (): never => {
  throw new DOMException('refused', 'SecurityError');
};

const storage = (values: Readonly<Record<string, string>>): Storage =>
  ({getItem: (name: string) => values[name] ?? null, setItem: () => undefined}) as unknown as Storage;

test('the page comes up where the browser refuses storage to it', () => {
  Object.defineProperty(globalThis, 'sessionStorage', {get: refused, configurable: true});
  expect(() => thisTab()).not.toThrow();
});

test('a browser that refuses storage is asked for it only when something is kept', async () => {
  const tab = thisTab(refused, refused);
  expect(tab.taken()).toBeNull();
  expect(() => tab.name()).toThrow('refused');
  expect(tab.taken()).toBeNull();
  await expect(tab.start()).rejects.toThrow('refused');
});

test('a name whose lock is refused is not taken', async () => {
  const locks = {request: async () => refused(), query: async () => ({held: []})} as unknown as LockManager;
  const tab = thisTab(
    () => storage({'crashglass.tab': 'before'}),
    () => locks,
  );
  expect([await tab.start(), tab.taken()]).toEqual([{before: 'before', others: new Set()}, null]);
});
