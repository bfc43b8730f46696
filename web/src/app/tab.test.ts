import {afterEach, expect, test, vi} from 'vitest';
import {otherTabs, thisTab} from './tab.ts';

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

afterEach(() => void vi.unstubAllGlobals());

test('a browser that refuses channels to the page has no other tabs, and fails nothing', () => {
  const refuse = class {
    constructor() {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    }
  };
  vi.stubGlobal('BroadcastChannel', refuse);
  const others = otherTabs();
  others.whenForgotten(() => undefined);
  expect(() => others.forgotten()).not.toThrow();
});
