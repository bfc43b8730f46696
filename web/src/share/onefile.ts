// The whole page as one file. Script and style are inline. Everything that the page would fetch lies in elements that are not
// scripts, compressed: by gzip, which the browser decompresses, and the program folded and in xz, as the page requests it. The policy names script and style by digest
// and allows no connection at all. The build makes viewer.html with it, and the page makes the viewer of a capsule.

/** Access to the files of a build. Paths are relative to dist/. */
export interface BuiltFiles {
  readonly paths: readonly string[];
  text(path: string): Promise<string>;
  /** The file in gzip, or the folded program in xz, in base64. */
  packed(path: string): Promise<string>;
  /** The SHA-256 of a text, in base64. */
  digest(text: string): Promise<string>;
}

const script = /<script type="module"[^>]* src="\.\/(assets\/[^"]+)"><\/script>/;
const style = /<link rel="stylesheet"[^>]* href="\.\/(assets\/[^"]+)">/;
const manifest = /\s*<link rel="manifest"[^>]*>/;
const policy = /(http-equiv="Content-Security-Policy" content=")[^"]*"/;

/** The licences that every copy contains. */
export const LICENCES = ['LICENSE.txt', 'THIRD_PARTY_LICENSES.txt'] as const;

/** The page with everything inside that it would fetch. */
export async function oneFile(page: string, files: BuiltFiles): Promise<string> {
  const [scriptPath, stylePath] = [one(page, script), one(page, style)];
  const code = inline(await files.text(scriptPath));
  const styles = await files.text(stylePath);
  const inside: string[] = [];
  for (const path of files.paths) {
    if (!path.startsWith('assets/') || path === scriptPath || path === stylePath) continue;
    inside.push(element(path, await files.packed(path)));
  }
  const notices = licences(await Promise.all(LICENCES.map(path => files.text(path))));
  const allowed = policyOf(await files.digest(code), await files.digest(styles));
  return page
    .replace(policy, (_, start) => `${start}${allowed}"`)
    .replace(manifest, '')
    .replace(style, () => `<style>${styles}</style>`)
    .replace(script, '')
    .replace(
      /\s*<\/body>/,
      () => `\n${inside.join('\n')}\n${notices}\n    <script type="module">${code}</script>\n  </body>`,
    );
}

function one(page: string, pattern: RegExp): string {
  const found = page.match(pattern)?.[1];
  if (found === undefined) throw new Error(`index.html has nothing that matches ${pattern}`);
  return found;
}

/** Escapes what would end the script element early. These letters occur in strings only, where the backslash changes nothing. */
const inline = (code: string): string => code.trimEnd().replace(/<(\/script|!--)/gi, '<\\$1');

const element = (path: string, packed: string): string =>
  `    <script type="text/plain" data-file="${path.slice(path.lastIndexOf('/') + 1)}">${packed}</script>`;

/** The licences of the contents, as text that the page's source shows. */
const licences = (texts: readonly string[]): string =>
  `    <script type="text/plain" data-licenses>\n${texts.join('\n').replace(/<(\/script|!--)/gi, '< $1')}</script>`;

const policyOf = (code: string, styles: string): string =>
  [
    "default-src 'none'",
    `script-src 'sha256-${code}' 'wasm-unsafe-eval'`,
    `style-src 'sha256-${styles}'`,
    'img-src data: blob:',
    "connect-src 'none'",
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types crashglass lit-html',
  ].join('; ');
