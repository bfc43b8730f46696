// Builds the harness as the page itself is built, so that its policy is met in the same way.
import {fileURLToPath} from 'node:url';
import {defineConfig} from 'vite';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: at('.'),
  base: './',
  publicDir: false,
  cacheDir: at('../../node_modules/.vite'),
  logLevel: 'warn',
  build: {
    outDir: at('../../test-results/harness'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: {polyfill: false},
  },
});
