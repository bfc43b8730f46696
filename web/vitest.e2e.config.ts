// End-to-end tests: the built page in a real Chromium. One file at a time, because each one owns a browser.
import {defineConfig} from 'vitest/config';

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['test/**/*.e2e.ts'],
    environment: 'node',
    globalSetup: './test/harness/setup.ts',
    fileParallelism: false,
    // Slow machines get the time they need: how fast the page is, is measured and not tested.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // The page renders after an action, and answers of its worker come later still: a test waits for what it expects.
    expect: {poll: {timeout: 60_000, interval: 25}},
  },
});
