// The decoder of brotli, for browsers that have none and hosts that do not pack: a file of its own, and no part of what is kept
// or of viewer.html.
import type {Plugin} from 'vite';

/** Whether a path in dist is the decoder. */
export const isDecoder = (path: string): boolean => /(^|\/)brotli_dec_wasm_bg-[^/]*\.wasm$/.test(path);

/** Takes the decoder's own address out of its glue: a bundle for a service worker would get all of it inside. */
export const decoderApart: Plugin = {
  name: 'decoder-apart',
  transform: (code, id) =>
    id.includes('brotli_dec_wasm.js') ? code.replace(/new URL\([^)]*import\.meta\.url\)/, 'undefined') : null,
};
