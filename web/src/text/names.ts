// Function names in pieces, in the order in which they are cut: arguments, template arguments, scopes, and last the function's own name, by which the rows
// of a list differ.
//
// A row gives a name as much room as there is, and the style sheet lets the pieces shrink in that order. Nothing here knows
// a language: brackets are enough, and a name whose brackets do not match stays in one piece. A name that may be wrong has a mark.

export interface Piece {
  readonly text: string;
  readonly cut: 'first' | 'second' | 'third' | 'last';
}

const openers = '(<{[';
const closers = ')>}]';

// Operators are made of the very characters that bracket elsewhere.
const operators = /operator(?:\(\)|<=>|<<=?|>>=?|->\*?|<=?|>=?|\[\])/y;

/** The pieces of a name, which put together are the name. */
export function pieces(name: string): Piece[] {
  const found = bracketed(name);
  const at = found.findLastIndex(({text, cut}) => cut === 'last' && (text.includes('::') || found.length === 1));
  return found.flatMap((piece, i) =>
    piece.cut !== 'last' ? [piece] : i < at ? [scope(piece.text)] : i > at ? [piece] : withScope(piece.text),
  );
}

const scope = (text: string): Piece => ({text, cut: 'third'});

// "harbor::net::Reader" and "::parse". What Rust appends, "::h0123456789abcdef", says nothing by itself.
function withScope(text: string): Piece[] {
  const hash = /::h[0-9a-f]{16}$/.exec(text);
  const at = text.lastIndexOf('::', (hash?.index ?? text.length) - 1);
  return at <= 0 ? [{text, cut: 'last'}] : [scope(text.slice(0, at)), {text: text.slice(at), cut: 'last'}];
}

function bracketed(name: string): Piece[] {
  const out: Piece[] = [];
  let start = 0;
  for (let at = 0; at < name.length; ) {
    operators.lastIndex = at;
    const operator = operators.exec(name);
    if (operator) {
      at += operator[0].length;
      continue;
    }
    const open = name[at];
    if (open !== '(' && open !== '<') {
      at++;
      continue;
    }
    const end = closing(name, at);
    if (end < 0) return [{text: name, cut: 'last'}];
    if (open === '(' && !isArguments(name, at, end)) {
      at = end;
      continue;
    }
    if (at > start) out.push({text: name.slice(start, at), cut: 'last'});
    out.push({text: name.slice(at, end), cut: open === '(' ? 'first' : 'second'});
    start = at = end;
  }
  return withTail(out, name.slice(start));
}

// What follows the arguments, " const" or " [clone .cold]", goes when they go.
function withTail(out: Piece[], tail: string): Piece[] {
  const last = out.at(-1);
  if (tail === '') return out;
  if (last?.cut === 'first') return [...out.slice(0, -1), {text: last.text + tail, cut: 'first'}];
  return [...out, {text: tail, cut: 'last'}];
}

/** A name in so many letters: its template arguments go first, then its middle, so that the parts that differ stay. */
export function inMiddle(name: string, letters: number): string {
  if (columns(name, letters) <= letters) return name;
  const short = pieces(name)
    .map(({text, cut}) =>
      cut === 'second' ? '<…>' : cut === 'first' && text.length > 4 && !text.startsWith('()') ? '(…)' : text,
    )
    .join('');
  if (columns(short, letters) <= letters) return short;
  const head = Math.ceil((letters - 1) / 3);
  return `${within(short, head)}…${withinEnd(short, letters - 1 - head)}`;
}

/** A text in so many letters, cut at its end. */
export const atEnd = (text: string, letters: number): string =>
  columns(text, letters) <= letters ? text : `${within(text, letters - 1)}…`;

// Letters of East Asian scripts and emoji are twice as wide as others: UAX 11, estimated by script.
const wide =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u;

const width = (letter: string): number => (wide.test(letter) ? 2 : 1);

// How wide a text is, in letters. It is measured no further than needed to know that it is too wide.
function columns(text: string, most: number): number {
  let sum = 0;
  for (const letter of text) {
    sum += width(letter);
    if (sum > most) break;
  }
  return sum;
}

function within(text: string, letters: number): string {
  let out = '';
  let left = letters;
  for (const letter of text) {
    left -= width(letter);
    if (left < 0) break;
    out += letter;
  }
  return out;
}

// Two UTF-16 units for each letter hold the end, and one more that may be the half of a letter.
function withinEnd(text: string, letters: number): string {
  const end = [...text.slice(-2 * letters - 1)];
  let [left, from] = [letters, end.length];
  while (from > 0) {
    left -= width(end[from - 1] ?? '');
    if (left < 0) break;
    from--;
  }
  return end.slice(from).join('');
}

/** A name without its arguments, for sentences: "work::process". */
export function bare(name: string): string {
  const rest = pieces(name).filter(piece => piece.cut !== 'first');
  return rest.length === 0 ? name : rest.map(piece => piece.text).join('');
}

// "(anonymous namespace)::f" is a scope, not arguments; so is what a lambda's operator hangs on, and the receiver in Go's "main.(*Ring).At".
const isArguments = (name: string, start: number, end: number): boolean =>
  !name.startsWith('::', end) && name[start - 1] !== '.';

// The index after the bracket that closes the one at start; -1 when none does.
function closing(name: string, start: number): number {
  const stack: number[] = [];
  for (let at = start; at < name.length; at++) {
    const char = name[at] ?? '';
    const open = openers.indexOf(char);
    if (open >= 0) stack.push(open);
    const close = closers.indexOf(char);
    if (close < 0 || (char === '>' && name[at - 1] === '-')) continue;
    if (stack.pop() !== close) return -1;
    if (stack.length === 0) return at + 1;
  }
  return -1;
}

/** Why a name of that certainty may be wrong; null if it is proved, or if there is none. */
export function nameDoubt(certainty: string): string | null {
  if (certainty === 'forced') return 'names from mismatched symbols';
  return certainty === 'nearest' ? 'nearest symbol, may be another function' : null;
}

/** The mark of a name that may be wrong. */
export const tilde = '~ ';

/** The mark of a name of that certainty, if it needs one. */
export const nameMark = (certainty: string): string => (nameDoubt(certainty) === null ? '' : tilde);
