// The table of crashes as text: CSV for spreadsheets, Markdown for trackers.

import {time} from '../text/format.ts';
import {baseName, visible} from '../text/text.ts';
import type {Change} from './baseline.ts';
import {type Bucket, distinct, ownText, wanting, writtenText} from './triage.ts';

/** The change of a row since a baseline; null if it has none. */
export type ChangeOf = (row: Bucket) => Change | null;

const heads = [
  'Crashes',
  'Signature',
  'Frames',
  'What',
  'Address',
  'System',
  'Symbols',
  'Dumps',
  'First own frame',
  'Program',
  'Version',
  'Written',
] as const;

const cells = (row: Bucket): string[] => [
  String(row.crashes.length),
  row.title || 'No crash found',
  row.detail,
  distinct(row, 'what'),
  distinct(row, 'address'),
  distinct(row, 'system'),
  row.title === '' ? '' : wanting(row) === 0 ? 'complete' : 'wanted',
  row.crashes.map(crash => baseName(crash.name)).join(', '),
  ownText(row),
  distinct(row, 'program'),
  distinct(row, 'version'),
  writtenText(row),
];

// As the command line writes it.
const sinceWord = ({since}: Change): string => (since === 'none' ? 'no baseline' : since);

// With a baseline there are two columns more.
const table = (rows: readonly Bucket[], changeOf: ChangeOf | null): (readonly string[])[] => {
  const more = (row: Bucket): string[] => {
    const change = changeOf?.(row);
    return changeOf ? [change ? sinceWord(change) : '', change ? String(change.before) : ''] : [];
  };
  return [[...heads, ...(changeOf ? ['Since', 'Before'] : [])], ...rows.map(row => [...cells(row), ...more(row)])];
};

/** The rows as JSON, each with its dumps. Unknown values are null. */
export const triageJSON = (rows: readonly Bucket[], changeOf: ChangeOf | null = null): string =>
  `${JSON.stringify(
    rows.map(row => ({
      signature: row.title || null,
      detail: row.detail || null,
      crashes: row.crashes.length,
      ...(changeOf ? (changeOf(row) ?? {since: null, before: null}) : {}),
      what: distinct(row, 'what') || null,
      first_own_frame: ownText(row) || null,
      program: distinct(row, 'program') || null,
      versions: [...new Set(row.crashes.map(crash => crash.version))].filter(version => version !== ''),
      system: distinct(row, 'system') || null,
      symbols_wanted: wanting(row) > 0,
      dumps: row.crashes.map(crash => ({
        name: baseName(crash.name),
        written: crash.written === null ? null : time(crash.written),
        uptime: crash.uptime,
      })),
    })),
    null,
    2,
  )}\n`;

/** The rows as CSV, by RFC 4180. */
export const triageCSV = (rows: readonly Bucket[], changeOf: ChangeOf | null = null): string =>
  table(rows, changeOf)
    .map(line => `${line.map(field).join(',')}\r\n`)
    .join('');

// A cell that begins like a formula would be one in a spreadsheet, and names are untrusted: an apostrophe makes it text.
function field(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The rows as a table of GitHub's Markdown. */
export const triageMarkdown = (rows: readonly Bucket[], changeOf: ChangeOf | null = null): string => {
  const [top = [], ...rest] = table(rows, changeOf);
  return [line(top), line(top.map(() => '---')), ...rest.map(texts => line(texts.map(plain)))].join('');
};

const line = (texts: readonly string[]): string => `| ${texts.join(' | ')} |\n`;

// Parsers do not agree on code with a bar in a cell. As character references, all of them take punctuation for itself: no markup, no
// bar, no mention. What is common in prose and harmless stays, so that the source can be read. A full stop before a letter does not:
// "www.example.org" would be a link, and so would "libc.so" be for some.
const plain = (text: string): string => {
  const shown = visible(text);
  // cmark-gfm makes a link of an address however it is written, but not of code.
  if (shown.includes('@') && !/[`|\\\n]/.test(shown)) return `\`${shown}\``;
  return shown.replace(/\.(?=\p{L})|[^\p{L}\p{N} .,;()'"/+%?…]/gu, char => `&#${char.codePointAt(0)};`);
};
