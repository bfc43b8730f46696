// The build: one page, one style sheet, one script, relative URLs, so that any static host can serve the folder from any path. pack/ makes dist/ out of it.
//
// Vite’s root is the project’s root, because index.html stands there.
import {fileURLToPath} from 'node:url';
import {defineConfig, type Plugin} from 'vite';
import {wrapped} from './src/offline/own.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Templates lose the indentation of their lines, 9 KB that a first visit would load. HTML shows a line break alone as it shows both. */
const unindented: Plugin = {
  name: 'unindented',
  enforce: 'pre',
  transform: (code, id) => (id.endsWith('.view.ts') ? {code: code.replace(/\n[ \t]+/g, '\n'), map: null} : null),
};

/** The page's script becomes one function, so that it can give its text to the service worker. */
const readable: Plugin = {
  name: 'readable',
  generateBundle: (_, bundle) => {
    for (const file of Object.values(bundle)) if (file.type === 'chunk' && file.isEntry) file.code = wrapped(file.code);
  },
};

export default defineConfig({
  plugins: [unindented, readable],
  root: at('..'),
  base: './',
  publicDir: at('public'),
  cacheDir: at('node_modules/.vite'),
  // What ./build.sh release sets; the program has it from the linker.
  define: {__VERSION__: JSON.stringify(process.env['CRASHGLASS_VERSION'] || 'dev')},
  build: {
    outDir: at('../dist'),
    emptyOutDir: true,
    target: 'es2022',
    // An inlined asset would be a data: URL, which the page's policy refuses for styles and scripts.
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    // The polyfill would be a second script that fetches.
    modulePreload: {polyfill: false},
  },
});
