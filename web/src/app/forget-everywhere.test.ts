import {afterEach, expect, test, vi} from 'vitest';
import {otherTabs} from './forget-everywhere.ts';

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
