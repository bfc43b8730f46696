// Untrusted text, made safe to display.
//
// Function names, paths and annotations come out of other people's files. lit-html escapes markup; this file shows deceptive characters: a right-to-left
// override turns "exe.txt" into "txt.exe", a zero-width space makes two names look like one. Such characters are shown as what they are.

// Control (Cc), format (Cf: bidi, zero width, tags), lone surrogates (Cs), line and paragraph separators, and whatever Unicode
// lets a font leave out (variation selectors, fillers). Braille blank is none of these and is invisible too.
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}\u2800]/gu;

const short: Readonly<Record<string, string>> = {'\n': '\\n', '\r': '\\r', '\t': '\\t', '\0': '\\0'};

function escaped(char: string): string {
  const known = short[char];
  if (known !== undefined) return known;
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code < 0x10000) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\u{${code.toString(16)}}`;
}

/** The text with everything that a reader could not see written as an escape. */
export function visible(text: string): string {
  return text.replace(unseen, escaped);
}

/** The same for text of several lines, which keeps its line ends. */
export function visibleLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/).map(visible);
}

/** Rows show no more than this of a name: a browser lays out every character, seen or not. */
export const rowLength = 400;

/** visible, cut to what a row can show. The whole name is in the inspector. */
export function visibleRow(text: string): string {
  if (text.length <= rowLength) return visible(text);
  return `${visible(text.slice(0, rowLength).replace(/[\ud800-\udbff]$/, ''))}…`;
}

/** The part of a path after its last folder, for paths of either kind of system. */
export function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/**
 * The path of a source file in its repository. Mozilla's symbolstore.py writes "hg:host/repository:path:revision" into symbol files,
 * also for git, and in old versions for svn and cvs. Generated files are "s3:bucket:digest/path:", with the SHA-512 of their content.
 * The host may have a port. Any other path is returned unchanged.
 */
export const sourcePath = (file: string): string =>
  /^(?:hg|git|svn|cvs|s3):.+:(?:[0-9a-f]{128}\/)?([^:]+):[^:/]*$/.exec(file)?.[1] ?? file;

/** "threads.cpp:12", or the file alone. */
export const fileLine = (file: string, line: number | null): string => (line === null ? file : `${file}:${line}`);

/** Why something failed, in the words of what was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** "1 file", "2 files". */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${thin(n)} ${n === 1 ? one : many}`;
}

/** A count, with thin spaces from 10 000 on. */
export function thin(n: number): string {
  const digits = String(n);
  return n < 10_000 ? digits : digits.replace(/\B(?=(\d{3})+$)/g, '\u2009');
}

/** The text with a full stop, if it does not end a sentence by itself. */
export const sentence = (text: string): string => (text === '' || /[.!?]$/.test(text) ? text : `${text}.`);

/** The text with a capital letter in front, as a sentence begins. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

// Which words of a sentence are code: addresses, registers with their values, source lines, instructions between backticks. The sentences come from the
// analysis as plain text, for terminals too. A wrong guess costs a typeface, nothing else.

export interface Words {
  readonly text: string;
  readonly code: boolean;
}

const code = /`([^`]*)`|\b0x[0-9a-f]+\b|\[[^\]\s][^\]]*\]/g;

/** The text in runs, each code or not; put together they are the text without its backticks. */
export function codeWords(text: string): Words[] {
  const out: Words[] = [];
  let from = 0;
  for (const match of text.matchAll(code)) {
    if (match.index > from) out.push({text: text.slice(from, match.index), code: false});
    out.push({text: match[1] ?? match[0], code: true});
    from = match.index + match[0].length;
  }
  if (from < text.length) out.push({text: text.slice(from), code: false});
  return out;
}
