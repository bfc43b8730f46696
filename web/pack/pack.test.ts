import {access, mkdir, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {compress, unpacked} from './compress.ts';
import {sha256} from './files.ts';
import {headers, hosts} from './hosts.ts';
import {defects, sums} from './sums.ts';
import {viewer} from './viewer.ts';

const project = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

let dist: string;
beforeEach(async () => {
  dist = await mkdtemp(join(tmpdir(), 'crashglass-'));
  await writeFile(join(dist, 'index.html'), await readFile(project('index.html')));
});
afterEach(() => rm(dist, {recursive: true}));

const read = (path: string): Promise<string> => readFile(join(dist, path), 'utf8');

describe('the manifest', () => {
  test('is what sha256sum writes, and finds nothing wrong with what it was made of', async () => {
    await sums(dist);
    expect(await read('SHA256SUMS')).toBe(`${sha256(await read('index.html'))}  index.html\n`);
    expect(await defects(dist)).toEqual([]);
  });

  test('tells what was changed, added or taken away', async () => {
    await writeFile(join(dist, 'gone'), 'x');
    await sums(dist);
    await rm(join(dist, 'gone'));
    await writeFile(join(dist, 'new'), 'x');
    await writeFile(join(dist, 'index.html'), 'x');
    expect(await defects(dist)).toEqual([
      'index.html does not match SHA256SUMS.',
      'new is not in SHA256SUMS.',
      'gone is missing.',
    ]);
  });
});

test('packed neighbours hold what they stand for', async () => {
  await writeFile(join(dist, 'viewer.wasm'), 'wasm '.repeat(1000));
  const folder = await mkdtemp(join(tmpdir(), 'crashglass-packed-'));
  await compress(dist, folder);
  await rm(folder, {recursive: true});
  for (const ending of ['br', 'gz', 'xz'])
    expect((await unpacked(join(dist, `viewer.wasm.${ending}`))).toString()).toBe(await read('viewer.wasm'));
  for (const ending of ['br', 'gz']) {
    expect((await unpacked(join(dist, `index.html.${ending}`))).toString()).toBe(await read('index.html'));
  }
});

describe('the headers for hosts', () => {
  test('are those that crashglass serve and the Worker send', async () => {
    const all = headers(await read('index.html'));
    const source = (await readFile(project('wasm/served/served.go'), 'utf8')).replaceAll('" +\n\t"', '');
    for (const [name, value] of Object.entries(all)) {
      expect(source).toContain(name);
      expect(source).toContain(value);
    }
    for (const server of ['cmd/crashglass/servefiles.go', 'wasm/edge/site.go']) {
      expect(await readFile(project(server), 'utf8')).toContain('served.File(w.Header().Set, ');
    }
  });

  test('stand in each host’s file, and not for viewer.html', async () => {
    await hosts(dist);
    const all = Object.entries(headers(await read('index.html')));
    const lines: Record<string, (name: string, value: string) => string> = {
      _headers: (name, value) => `\n  ${name}: ${value}\n`,
      '.htaccess': (name, value) => `\n  Header always set ${name} "${value}"`,
      'nginx.conf': (name, value) => `\n  add_header ${name} "${value}" always;\n`,
      'vercel.json': (name, value) => `{"key":"${name}","value":${JSON.stringify(value)}}`,
    };
    for (const [file, line] of Object.entries(lines)) {
      const text = file === 'vercel.json' ? JSON.stringify(JSON.parse(await read(file))) : await read(file);
      for (const [name, value] of all) expect(text, `${file}: ${name}`).toContain(line(name, value));
    }
    const places = (await read('nginx.conf')).match(/^location [^}]*/gm) ?? [];
    expect(places).toHaveLength(4);
    for (const place of places) {
      const own = place.startsWith('location = /viewer.html');
      for (const [name] of all)
        expect(place.includes(` ${name} `), place).toBe(!own || !name.startsWith('Content-Sec'));
    }
    expect(await read('_headers')).not.toMatch(/^\/\*\n(?: {2}.*\n)* {2}Content-Security-Policy/);
    expect(JSON.parse(await read('vercel.json')).headers[0].headers).toHaveLength(6);
  });
});

test('viewer.html holds all, allows what it holds, and ends no script early', async () => {
  const page = (await read('index.html')).replace(
    /<script[^>]*><\/script>/,
    '<script type="module" crossorigin src="./assets/a-1.js"></script><link rel="stylesheet" crossorigin href="./assets/s-1.css">',
  );
  await writeFile(join(dist, 'index.html'), page);
  await mkdir(join(dist, 'assets'));
  await writeFile(join(dist, 'assets/a-1.js'), 'const a = "</script><!--$&";\n');
  await writeFile(join(dist, 'assets/s-1.css'), 'p { color: red }');
  await writeFile(join(dist, 'assets/m-1.wasm'), '\0asm');
  await writeFile(join(dist, 'assets/m-1.wasm.xz'), 'packed');
  await writeFile(join(dist, 'LICENSE.txt'), 'ours </script><!-- all');
  await writeFile(join(dist, 'THIRD_PARTY_LICENSES.txt'), 'theirs');
  await viewer(dist);
  const made = await read('viewer.html');
  expect(made).toContain('data-licenses>\nours < /script>< !-- all\ntheirs</script>');
  const code = 'const a = "<\\/script><\\!--$&";';
  expect(made).toContain(`<script type="module">${code}</script>`);
  expect(made).toContain(`'sha256-${sha256(code, 'base64')}'`);
  expect(made).toContain(`'sha256-${sha256('p { color: red }', 'base64')}'`);
  expect(made).toContain(`data-file="m-1.wasm">${btoa('packed')}<`);
  expect(made).not.toContain('m-1.wasm.xz');
  expect(made).toContain("connect-src 'none'");
  expect(made).not.toMatch(/rel="manifest"|rel="stylesheet"| src=/);
});

test.each(['docs/tour.md', 'docs/pictures.md'])('%s shows pictures that are there', async page => {
  const text = await readFile(project(page), 'utf8');
  const named = [...text.matchAll(/(?:src|srcset)="([^"]+)"/g)].map(([, path]) => path ?? '');
  expect(named.length).toBeGreaterThan(10);
  for (const path of named) await access(join(dirname(project(page)), path));
});
