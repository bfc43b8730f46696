// The page's script as text, for the service worker. Some browsers keep no copy of what they run, and would request it a second time.

/** The build puts the script into a function of this name (web/vite.config.ts); a development server does not. */
declare const wholeScript: (() => void) | undefined;

/** The file of a script: one function, whose text a running script can read. */
export const wrapped = (code: string): string => `(function wholeScript(){${code}\n})();\n`;

/** The file that this script is, to the byte; null if it is no such file. */
export const ownScript = (): string | null => (typeof wholeScript === 'function' ? `(${wholeScript})();\n` : null);
