// The number of this build, which web/vite.config.ts puts in place of the name. Tests run without it.
declare const __VERSION__: string | undefined;

export const version: string = typeof __VERSION__ === 'string' ? __VERSION__ : 'dev';
