// The files that tell common hosts to send the page's headers. Each host reads its own file and serves the others as text, which is harmless.
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {PERMISSIONS} from '../src/privacy/permissions.ts';

/** The page's headers, made from the policy in index.html. */
export function headers(page: string): Readonly<Record<string, string>> {
  const policy = page.match(/http-equiv="Content-Security-Policy" content="([^"]*)"/)?.[1];
  if (policy === undefined) throw new Error('index.html has no policy');
  return {
    'Content-Security-Policy': `${policy}; frame-ancestors 'none'`,
    'Cross-Origin-Embedder-Policy': 'require-corp',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': PERMISSIONS,
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  };
}

/** How long browsers keep files: those with a digest in their name for ever, the service worker for a day, after which browsers ask anyway. */
export const cacheRules: readonly (readonly [path: string, rule: string])[] = [
  ['/assets/*', 'public, max-age=31536000, immutable'],
  ['/sw.js', 'public, max-age=86400'],
];

/**
 * The files that get the page's policy. viewer.html has its own, because its script is inline; both together would forbid
 * everything. A service worker has the policy of its own response, and this one lets it reach no other host.
 */
const PAGES = ['/', '/index.html', '/sw.js'];

export async function hosts(dist: string): Promise<void> {
  const all = headers(await readFile(join(dist, 'index.html'), 'utf8'));
  const {'Content-Security-Policy': policy, ...rest} = all;
  const put = (name: string, text: string): Promise<void> => writeFile(join(dist, name), text);
  await put('_headers', netlify(policy ?? '', rest));
  await put('vercel.json', vercel(policy ?? '', rest));
  await put('.htaccess', apache(policy ?? '', rest));
  await put('nginx.conf', nginx(policy ?? '', rest));
}

// Netlify and Cloudflare Pages.
function netlify(policy: string, rest: Readonly<Record<string, string>>): string {
  const line = ([name, value]: readonly [string, string]): string => `  ${name}: ${value}\n`;
  const page = PAGES.map(path => `${path}\n${line(['Content-Security-Policy', policy])}`).join('');
  const cached = cacheRules.map(([path, rule]) => `${path}\n${line(['Cache-Control', rule])}`).join('');
  return `# Netlify, Cloudflare Pages\n/*\n${Object.entries(rest).map(line).join('')}${page}${cached}`;
}

function vercel(policy: string, rest: Readonly<Record<string, string>>): string {
  const rule = (source: string, entries: readonly (readonly [string, string])[]): object => ({
    source: source.replace('*', '(.*)'),
    headers: entries.map(([key, value]) => ({key, value})),
  });
  const rules = [
    rule('/*', Object.entries(rest)),
    ...PAGES.map(path => rule(path, [['Content-Security-Policy', policy]])),
    ...cacheRules.map(([path, value]) => rule(path, [['Cache-Control', value]])),
  ];
  return `${JSON.stringify({headers: rules}, null, 2)}\n`;
}

// Apache, where AllowOverride lets FileInfo and Options through. Listings are off, compressed copies are sent.
function apache(policy: string, rest: Readonly<Record<string, string>>): string {
  const set = ([name, value]: readonly [string, string]): string => `  Header always set ${name} "${value}"\n`;
  return `Options -Indexes
AddType application/wasm .wasm
AddType application/manifest+json .webmanifest
<IfModule mod_headers.c>
${Object.entries(rest).map(set).join('')}  Header always set Content-Security-Policy "${policy}" "expr=%{REQUEST_URI} !~ m#/viewer\\.html$#"
  Header set Cache-Control "no-cache"
  Header set Cache-Control "${cacheRules[0]?.[1]}" "expr=%{REQUEST_URI} =~ m#/assets/#"
  Header set Cache-Control "${cacheRules[1]?.[1]}" "expr=%{REQUEST_URI} =~ m#/sw\\.js$#"
</IfModule>
<IfModule mod_rewrite.c>
  RewriteEngine On
  RewriteCond %{HTTP:Accept-Encoding} br
  RewriteCond %{REQUEST_FILENAME}.br -f
  RewriteRule ^(.+\\.(?:css|html|js|json|svg|txt|wasm|webmanifest))$ $1.br [L,E=no-gzip:1,E=no-brotli:1]
</IfModule>
<FilesMatch "\\.br$">
  Header set Content-Encoding br
  Header append Vary Accept-Encoding
</FilesMatch>
${['css', 'html', 'js', 'json', 'svg', 'txt', 'wasm', 'webmanifest'].map(brotliType).join('')}`;
}

const mediaTypes: Readonly<Record<string, string>> = {
  css: 'text/css',
  html: 'text/html',
  js: 'text/javascript',
  json: 'application/json',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  wasm: 'application/wasm',
  webmanifest: 'application/manifest+json',
};

const brotliType = (ending: string): string =>
  `<FilesMatch "\\.${ending}\\.br$">\n  ForceType ${mediaTypes[ending]}\n</FilesMatch>\n`;

// To be included in a server block whose root is this folder.
function nginx(policy: string, rest: Readonly<Record<string, string>>): string {
  const add = ([name, value]: readonly [string, string]): string => `add_header ${name} "${value}" always;\n`;
  const common = Object.entries(rest).map(add).join('');
  const indented = (text: string): string => text.replace(/^(?=.)/gm, '  ');
  const place = (path: string, lines: string): string => `location ${path} {\n${indented(common + lines)}}\n`;
  const cache = (rule: string): string => `add_header Cache-Control "${rule}";\n`;
  const csp = add(['Content-Security-Policy', policy]);
  return `# include this in the server block whose root is this folder
autoindex off;
gzip_static on;
# brotli_static on;  # with ngx_brotli
types {
${Object.entries(mediaTypes)
  .map(([ending, type]) => `  ${type} ${ending};\n`)
  .join('')}}
${place('/', csp + cache('no-cache'))}${place('= /viewer.html', cache('no-cache'))}${cacheRules
  .map(([path, rule]) => place(path.includes('*') ? `^~ ${path.replace('*', '')}` : `= ${path}`, csp + cache(rule)))
  .join('')}`;
}
