// The one Trusted Types policy of the page. The browser accepts a URL as a script only if this policy made it. It allows
// the page's own worker, its service worker, and the requester.

/** Missing in TypeScript's types, and in browsers without Trusted Types. */
declare global {
  interface Window {
    readonly trustedTypes?: {
      createPolicy(name: string, rules: {createScriptURL(url: string): string}): {createScriptURL(url: string): string};
    };
  }
}

const admitted = new Set<string>();
let policy: {createScriptURL(url: string): string} | undefined;

/** A trusted URL of a script. */
export function trusted(url: string): string {
  admitted.add(url);
  policy ??= window.trustedTypes?.createPolicy('crashglass', {
    createScriptURL: url => {
      if (!admitted.has(url)) throw new TypeError('Only the page\u2019s own workers may be started.');
      return url;
    },
  });
  return policy?.createScriptURL(url) ?? url;
}
