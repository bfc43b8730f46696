// The one Trusted Types policy of the page. The browser lets a URL become a script only if it passed through here, and here
// pass the page's own worker, its service worker, and the asker of symbols.

/** What TypeScript does not know of yet; absent in browsers without Trusted Types. */
declare global {
  interface Window {
    readonly trustedTypes?: {
      createPolicy(name: string, rules: {createScriptURL(url: string): string}): {createScriptURL(url: string): string};
    };
  }
}

const admitted = new Set<string>();
let policy: {createScriptURL(url: string): string} | undefined;

/** A URL that may become a script, as the browser wants it. */
export function trusted(url: string): string {
  admitted.add(url);
  policy ??= window.trustedTypes?.createPolicy('crashglass', {
    createScriptURL: asked => {
      if (!admitted.has(asked)) throw new TypeError('Only the page\u2019s own workers may be started.');
      return asked;
    },
  });
  return policy?.createScriptURL(url) ?? url;
}
