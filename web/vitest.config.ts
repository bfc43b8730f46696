// Unit tests: pure modules, no browser, no document. They stand beside what they test.
import {join} from 'node:path';
import {defineConfig} from 'vitest/config';

export default defineConfig({
  // What stands outside of web/ has the packages of web/, and VS Code's API from a fake.
  resolve: {dedupe: ['vitest'], alias: {vscode: join(import.meta.dirname, '../editors/vscode/src/fake.ts')}},
  test: {
    root: import.meta.dirname,
    include: ['src/**/*.test.ts', 'pack/**/*.test.ts', '../editors/vscode/src/*.test.ts'],
    environment: 'node',
    // A busy machine takes its time: how fast the page is, is measured and not tested.
    testTimeout: 60_000,
  },
});
