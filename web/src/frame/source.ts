// Source files of the user: which one a frame means, and their lines.
//
// Only names are known until a file is needed and read. The source is rarely in the folder of the build, so a path is matched
// from its end: the more folders agree, the better.
import {baseName, sourcePath, visibleRow} from '../text/text.ts';

/** A source file that the user opened; load returns the file without reading it. */
export interface SourceFile {
  readonly path: string;
  readonly load: () => Promise<Blob>;
}

export interface Sources {
  readonly count: number;
  /** By the last part of the path, in lower case, and then by the whole path. */
  readonly byName: ReadonlyMap<string, ReadonlyMap<string, SourceFile>>;
}

/** The text of a file as rows can show it. */
export interface SourceText {
  readonly lines: readonly string[];
}

/** The key by which more lines are shown. */
export const moreKey = 'source.more';

export const noSources: Sources = {count: 0, byName: new Map()};

/** More files than any project has; only their paths are stored. */
export const mostSources = 200_000;

/** Source written by people is smaller; generated source is rarely read line by line. */
export const largestSource = 8 << 20;

const kinds =
  'adb ads asm c c++ cc cpp cppm cs cu cuh cxx d f90 fs go h h++ hh hpp hxx i ii inc inl ino ipp ixx java jl js kt m mm ml ' +
  'nim pas pp py rs s swift tcc tpp ts vala y l zig';
const extensions: ReadonlySet<string> = new Set(kinds.split(' '));

/** Whether a file counts as source, by its name: dumps and symbols are identified by content, but source has no signature. */
export function isSource(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot > 0 && extensions.has(name.slice(dot + 1).toLowerCase());
}

/** The path as a list of folders and a name. */
const parts = (path: string): string[] =>
  sourcePath(path)
    .split(/[/\\]+/)
    .filter(part => part !== '' && part !== '.');

const nameOf = (path: string): string => baseName(sourcePath(path)).toLowerCase();

/** The files with others added; a file of the same path is replaced. */
export function withSources(old: Sources, files: readonly SourceFile[]): Sources {
  const byName = new Map(old.byName);
  const fresh = new Map<string, Map<string, SourceFile>>();
  let {count} = old;
  for (const file of files) {
    if (count >= mostSources) break;
    const name = nameOf(file.path);
    const own = fresh.get(name) ?? new Map(byName.get(name));
    fresh.set(name, own);
    if (!own.has(file.path)) count++;
    own.set(file.path, file);
  }
  for (const [name, own] of fresh) byName.set(name, own);
  return {count, byName};
}

/** The files that match a frame's path best: none, one, or several that match equally well. */
export function matching({byName}: Sources, file: string): readonly SourceFile[] {
  const wanted = parts(file);
  let best: SourceFile[] = [];
  let most = 0;
  for (const candidate of byName.get(nameOf(file))?.values() ?? []) {
    const n = agreement(wanted, parts(candidate.path));
    if (n > most) best = [];
    if (n >= most) best.push(candidate);
    most = Math.max(most, n);
  }
  return best;
}

// How many parts of the path agree from the end on. A part in another case counts less: on most systems it is another file.
function agreement(a: readonly string[], b: readonly string[]): number {
  let n = 0;
  for (let i = 1; i <= Math.min(a.length, b.length); i++) {
    const [x = '', y = ''] = [a.at(-i), b.at(-i)];
    if (x === y) n += 1;
    else if (x.toLowerCase() === y.toLowerCase()) n += 0.999;
    else break;
  }
  return n;
}

/** A file's bytes as text: by its byte order mark, as UTF-8 if valid, and otherwise as Latin-1, which is always valid. */
export function decoded(bytes: Uint8Array): string {
  const [a, b, c] = bytes;
  if (a === 0xff && b === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (a === 0xfe && b === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (a === 0xef && b === 0xbb && c === 0xbf) return new TextDecoder().decode(bytes);
  const wide = zerosAt(bytes);
  if (wide !== null) return new TextDecoder(wide).decode(bytes);
  try {
    return new TextDecoder('utf-8', {fatal: true}).decode(bytes);
  } catch {
    return new TextDecoder('latin1').decode(bytes);
  }
}

// Text in ASCII has no zeros; written as UTF-16 without a mark, every other byte is one.
function zerosAt(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const head = bytes.subarray(0, 256);
  if (head.length < 4) return null;
  const zeros = (from: number): number => head.filter((byte, i) => i % 2 === from && byte === 0).length;
  const most = head.length / 4;
  if (zeros(1) > most && zeros(0) === 0) return 'utf-16le';
  return zeros(0) > most && zeros(1) === 0 ? 'utf-16be' : null;
}

/** The lines of a text, ends of all systems alike. */
export const sourceText = (text: string): SourceText => ({lines: text.split(/\r\n|\n|\r/)});

const tab = 4;

/** A line as a row shows it: tabs as spaces, invisible characters as escapes, very long lines cut. */
export function sourceRow(line: string): string {
  let out = '';
  for (const char of line.slice(0, 4096)) out += char === '\t' ? ' '.repeat(tab - (out.length % tab)) : char;
  return visibleRow(out);
}

export interface SourceLine {
  readonly number: number;
  readonly text: string;
  readonly current: boolean;
}

/** The lines around one, counted from 1; nothing when the file does not have it. */
export function around({lines}: SourceText, line: number, radius: number): SourceLine[] {
  if (line < 1 || line > lines.length) return [];
  const from = Math.max(1, line - radius);
  return lines
    .slice(from - 1, line + radius)
    .map((text, i) => ({number: from + i, text: sourceRow(text), current: from + i === line}));
}

/** Where a variable, and the members that are named after it, stand in a line: "p->price"; null if they do not. */
export function expression(line: string, name: string): readonly [number, number] | null {
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)) return null;
  const found = new RegExp(
    `(?<![\\p{L}\\p{N}_$.>])${name.replaceAll('$', '\\$')}(?![\\p{L}\\p{N}_$])(?:(?:->|\\.)[\\p{L}_]\\w*)*`,
    'u',
  ).exec(line);
  return found ? [found.index, found.index + found[0].length] : null;
}

/** A run of a line of code; plain ones have no kind. */
export interface Token {
  readonly text: string;
  readonly kind: 'key' | 'lit' | null;
}

// Words that are keywords or types in most of the languages that are compiled to native code.
const keywords = new Set(
  (
    'as async auto await bool break case catch char class const constexpr continue def defer default delete do double else enum extern false float fn for func ' +
    'go goto i8 i16 i32 i64 if impl import in inline int int8_t int16_t int32_t int64_t interface let long loop map match mod mut namespace new nil None not null ' +
    'nullptr operator override package pass pub range raise ref return self Self short signed size_t sizeof static string struct super switch template this throw ' +
    'trait true try type typedef typename u8 u16 u32 u64 uint8_t uint16_t uint32_t uint64_t union unsafe unsigned use using usize var virtual void where while yield'
  ).split(' '),
);

// A generated line may be very long, and shows nothing by its colours.
const longest = 500;

/** A line of code in runs: keywords, and texts and numbers. */
export function tokens(line: string): readonly Token[] {
  if (line.length > longest) return [{text: line, kind: null}];
  const out: Token[] = [];
  for (const [text] of line.matchAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)'|\/\/.*|[A-Za-z_]\w*|\d[\w.]*|[^"'\w/]+|./gs)) {
    const kind =
      /^["'\d]/.test(text) && (text.length > 1 || /\d/.test(text)) ? 'lit' : keywords.has(text) ? 'key' : null;
    const last = out.at(-1);
    if (kind === null && last?.kind === null) out[out.length - 1] = {text: last.text + text, kind};
    else out.push({text, kind});
  }
  return out;
}
