// Which words of a sentence are code: addresses, registers with their values, source lines, instructions between backticks.
//
// The sentences come from the analysis as plain text, for terminals too; on the page an address stands in the type that
// aligns. A wrong guess costs a typeface, nothing else.

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
