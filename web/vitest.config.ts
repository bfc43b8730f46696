// Unit tests: pure modules, no browser, no document. They stand beside what they test.
import {defineConfig} from 'vitest/config';

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['src/**/*.test.ts', 'pack/**/*.test.ts'],
    environment: 'node',
    // A busy machine takes its time: how fast the page is, is measured and not tested.
    testTimeout: 60_000,
  },
});
