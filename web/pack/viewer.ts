// viewer.html: the whole page in one file, to be opened from a disk or out of a mail.
//
// Script and style stand in it as they are; everything that the page would fetch stands in elements that are not scripts,
// packed by gzip, which the browser itself unpacks. Its policy names what is in it by digest and allows no connection at all.
import {readFile, writeFile} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {promisify} from 'node:util';
import {gzip} from 'node:zlib';
import {isDecoder} from './decoder.ts';
import {filesOf, sha256} from './files.ts';

const script = /<script type="module"[^>]* src="\.\/(assets\/[^"]+)"><\/script>/;
const style = /<link rel="stylesheet"[^>]* href="\.\/(assets\/[^"]+)">/;
const manifest = /\s*<link rel="manifest"[^>]*>/;
const policy = /(http-equiv="Content-Security-Policy" content=")[^"]*"/;

/** Writes viewer.html into dist, out of index.html and what it loads. */
export async function viewer(dist: string): Promise<void> {
  const page = await readFile(join(dist, 'index.html'), 'utf8');
  const [scriptPath, stylePath] = [one(page, script), one(page, style)];
  const code = inline(await readFile(join(dist, scriptPath), 'utf8'));
  const look = await readFile(join(dist, stylePath), 'utf8');
  const inside: string[] = [];
  for (const path of await filesOf(join(dist, 'assets'))) {
    const full = `assets/${path}`;
    if (full !== scriptPath && full !== stylePath && !isDecoder(full)) inside.push(await element(join(dist, full)));
  }
  const made = page
    .replace(policy, (_, start) => `${start}${policyOf(code, look)}"`)
    .replace(manifest, '')
    .replace(style, () => `<style>${look}</style>`)
    .replace(script, '')
    .replace(/\s*<\/body>/, () => `\n${inside.join('\n')}\n    <script type="module">${code}</script>\n  </body>`);
  await writeFile(join(dist, 'viewer.html'), made);
}

function one(page: string, pattern: RegExp): string {
  const found = page.match(pattern)?.[1];
  if (found === undefined) throw new Error(`index.html has nothing that fits ${pattern}`);
  return found;
}

/** A script that ends where its element ends: in strings, where these letters can stand, the backslash changes nothing. */
const inline = (code: string): string => code.trimEnd().replace(/<(\/script|!--)/gi, '<\\$1');

async function element(file: string): Promise<string> {
  const packed = await promisify(gzip)(await readFile(file), {level: 9});
  return `    <script type="text/plain" data-file="${basename(file)}">${packed.toString('base64')}</script>`;
}

const policyOf = (code: string, look: string): string =>
  [
    "default-src 'none'",
    `script-src 'sha256-${sha256(code, 'base64')}' 'wasm-unsafe-eval'`,
    `style-src 'sha256-${sha256(look, 'base64')}'`,
    'img-src data: blob:',
    "connect-src 'none'",
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types crashglass lit-html',
  ].join('; ');
