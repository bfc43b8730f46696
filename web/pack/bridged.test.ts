import {expect, test} from 'vitest';
import {bridged} from './bridged.ts';
import {sha256} from './files.ts';

const page = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-own' 'wasm-unsafe-eval'; connect-src 'none'">
  <body>
    <script type="module">own()</script>`;

test('the script stands before the page\u2019s own, and the policy gains its digest and nothing else', () => {
  const made = bridged(page, 'bridge("$&")\n');
  expect(made).toBe(
    page
      .replace("script-src 'sha256-own'", `script-src 'sha256-${sha256('bridge("$&")', 'base64')}' 'sha256-own'`)
      .replace('    <script type', () => '    <script>bridge("$&")</script>\n    <script type'),
  );
});

test.each([
  ['no policy', page.replace('script-src', 'script')],
  ['no script of its own', page.replace('module', 'text/plain')],
])('%s is no viewer.html', (_, text) => {
  expect(() => bridged(text, 'x()')).toThrow('viewer.html has nothing that matches');
});
