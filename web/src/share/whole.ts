// The whole page as one file: script and style stand in it as they are; everything that the page would fetch stands in elements
// that are not scripts, compressed by gzip, which the browser itself unpacks. Its policy names what is in it by digest and
// allows no connection at all. The build makes viewer.html by it, and the page a viewer for capsules.

/** Where the files of a build are, and what a place can do. Paths are those below dist/. */
export interface BuiltFiles {
  readonly paths: readonly string[];
  text(path: string): Promise<string>;
  /** The file in gzip, in base64. */
  packed(path: string): Promise<string>;
  /** The SHA-256 of a text, in base64. */
  digest(text: string): Promise<string>;
}

const script = /<script type="module"[^>]* src="\.\/(assets\/[^"]+)"><\/script>/;
const style = /<link rel="stylesheet"[^>]* href="\.\/(assets\/[^"]+)">/;
const manifest = /\s*<link rel="manifest"[^>]*>/;
const policy = /(http-equiv="Content-Security-Policy" content=")[^"]*"/;

/** What goes along with every copy. */
export const LICENCES = ['LICENSE.txt', 'THIRD_PARTY_LICENSES.txt'] as const;

/** The page with all that it would fetch inside. */
export async function whole(page: string, files: BuiltFiles): Promise<string> {
  const [scriptPath, stylePath] = [one(page, script), one(page, style)];
  const code = inline(await files.text(scriptPath));
  const look = await files.text(stylePath);
  const inside: string[] = [];
  for (const path of files.paths) {
    if (!path.startsWith('assets/') || path === scriptPath || path === stylePath) continue;
    inside.push(element(path, await files.packed(path)));
  }
  const notices = licences(await Promise.all(LICENCES.map(path => files.text(path))));
  const allowed = policyOf(await files.digest(code), await files.digest(look));
  return page
    .replace(policy, (_, start) => `${start}${allowed}"`)
    .replace(manifest, '')
    .replace(style, () => `<style>${look}</style>`)
    .replace(script, '')
    .replace(
      /\s*<\/body>/,
      () => `\n${inside.join('\n')}\n${notices}\n    <script type="module">${code}</script>\n  </body>`,
    );
}

function one(page: string, pattern: RegExp): string {
  const found = page.match(pattern)?.[1];
  if (found === undefined) throw new Error(`index.html has nothing that fits ${pattern}`);
  return found;
}

/** A script that ends where its element ends: in strings, where these letters can stand, the backslash changes nothing. */
const inline = (code: string): string => code.trimEnd().replace(/<(\/script|!--)/gi, '<\\$1');

const element = (path: string, packed: string): string =>
  `    <script type="text/plain" data-file="${path.slice(path.lastIndexOf('/') + 1)}">${packed}</script>`;

/** The licences of what is inside, as text that a look at the source shows. */
const licences = (texts: readonly string[]): string =>
  `    <script type="text/plain" data-licenses>\n${texts.join('\n').replace(/<(\/script|!--)/gi, '< $1')}</script>`;

const policyOf = (code: string, look: string): string =>
  [
    "default-src 'none'",
    `script-src 'sha256-${code}' 'wasm-unsafe-eval'`,
    `style-src 'sha256-${look}'`,
    'img-src data: blob:',
    "connect-src 'none'",
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types crashglass lit-html',
  ].join('; ');
