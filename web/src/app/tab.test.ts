import {expect, test} from 'vitest';
import {thisTab} from './tab.ts';

const refused = (): never => {
  throw new DOMException('refused', 'SecurityError');
};

const storage = (values: Readonly<Record<string, string>>): Storage =>
  ({getItem: (name: string) => values[name] ?? null, setItem: () => undefined}) as unknown as Storage;

test('the page starts although the browser refuses storage', () => {
  Object.defineProperty(globalThis, 'sessionStorage', {get: refused, configurable: true});
  expect(() => thisTab()).not.toThrow();
});

test('storage that may be refused is requested only when there is data to keep', async () => {
  const tab = thisTab(refused, refused);
  expect(tab.claimed()).toBeNull();
  expect(() => tab.name()).toThrow('refused');
  expect(tab.claimed()).toBeNull();
  await expect(tab.start()).rejects.toThrow('refused');
});

test('a name whose lock is refused is not taken', async () => {
  const locks = {request: async () => refused(), query: async () => ({held: []})} as unknown as LockManager;
  const tab = thisTab(
    () => storage({'crashglass.tab': 'before'}),
    () => locks,
  );
  expect([await tab.start(), tab.claimed()]).toEqual([{before: 'before', others: new Set()}, null]);
});
