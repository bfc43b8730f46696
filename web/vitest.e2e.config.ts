// End-to-end tests: the built page in a real Chromium. One file at a time, because each one owns a browser.
import {defineConfig} from 'vitest/config';

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['test/**/*.e2e.ts'],
    environment: 'node',
    globalSetup: './test/harness/setup.ts',
    fileParallelism: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
