// Functions as text, and what they return as JSON: all engines are asked in the same way.

export type Args = readonly unknown[];

/** The text of a function that calls another one with arguments out of JSON, and returns JSON. */
export const asText = (call: (...args: never[]) => unknown): string =>
  `async given => { const out = await (${call})(...JSON.parse(given)); return JSON.stringify(out === undefined ? null : out); }`;
