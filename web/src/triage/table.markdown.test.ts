// Markdown in the parsers of trackers: cmark-gfm is GitHub's, markdown-it GitLab's preview's and Gitea's editor's, marked many others'.
// They do not agree on everything, so what is copied has to mean the same in each: hostile names are text, and nothing else.
import {readFileSync} from 'node:fs';
import cmark from 'cmark-gfm-js';
import MarkdownIt from 'markdown-it';
import {marked} from 'marked';
import {describe, expect, test} from 'vitest';
import {payloads} from '../../test/payloads.ts';
import {visible} from '../text/text.ts';
import {triageMarkdown} from './table.ts';
import type {Crash} from './triage.ts';

const it = new MarkdownIt({html: true, linkify: true});

const parsers: [string, (text: string) => string][] = [
  ['cmark-gfm', text => cmark.convertUnsafe(text)],
  ['markdown-it', text => it.render(text)],
  ['marked', text => marked.parse(text, {async: false, gfm: true})],
];

const ticks: readonly string[] = [
  'a|b',
  '`a|b`',
  '\\`',
  'a\\|b',
  '``',
  '|',
  '\\',
  '`',
  ' ` ',
  '~~~',
  '```',
  '- x',
  '1. x',
  '# x',
  '<!--',
  'x\\',
  '$$x$$',
  '[ ] x',
  'www.example.org',
  'https://example.org',
  'a@example.org',
  '@you',
  '#12',
  '&amp;',
  '&#124;',
  ':tada:',
  '^1',
  '[^1]',
  '==x==',
];
const all = [...ticks, ...payloads].map(text => text.slice(0, 200));

/** Names of elements in HTML, in order and without repetition. */
const elements = (html: string): string[] =>
  [...new Set([...html.matchAll(/<([a-z][a-z0-9]*)/gi)].map(([, name = '']) => name.toLowerCase()))].sort();

/** Text of HTML, as a browser would show it. */
const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/&#x([0-9a-f]+);/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

const cellsOf = (html: string): string[][] =>
  [...html.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<t[dh][^>]*>([\s\S]*?)<\/t[dh]>/g)].map(([, cell = '']) => textOf(cell)),
  );

const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim();

const crash = (text: string): Crash => ({
  ordinal: 0,
  name: 'a.dmp',
  thread: '',
  detail: '',
  crashed: true,
  signature: text,
  what: text,
  reason: text,
  address: '0x10',
  system: text,
  module: text,
  frames: [text],
  wanted: false,
  hang: '',
  own: 'app.cc:12',
  guess: false,
  program: 'harbor',
  version: '2.14',
  written: 1_763_700_000,
  uptime: 60,
});

describe.each(parsers)('in %s', (_, parse) => {
  test('a table of crashes has its cells, whatever is in them', () => {
    const rows = all.map(text => ({key: text, title: text || 'x', detail: text, crashes: [crash(text)]}));
    const html = parse(triageMarkdown(rows));
    expect(elements(html).filter(name => name !== 'code')).toEqual(['table', 'tbody', 'td', 'th', 'thead', 'tr']);
    const cells = cellsOf(html).slice(1);
    expect(cells.map(row => row.length)).toEqual(rows.map(() => 12));
    expect(cells.map(row => squeezed(row[2] ?? ''))).toEqual(all.map(text => squeezed(visible(text))));
  });

  // Written by `go test ./core/report/render ./cmd/crashglass -update`: each payload is where a dump may have it.
  test.each(['core/report/render/testdata/hostile.md', 'cmd/crashglass/testdata/hostile.md'])('%s is text', file => {
    const html = parse(readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8'));
    const own = [
      'a',
      'code',
      'details',
      'h3',
      'li',
      'ol',
      'p',
      'pre',
      'strong',
      'summary',
      'table',
      'tbody',
      'td',
      'th',
      'thead',
      'tr',
      'ul',
    ];
    expect(elements(html).filter(name => !own.includes(name) || name === 'a')).toEqual([]);
  });
});
