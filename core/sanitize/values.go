package sanitize

import (
	"bytes"
	"slices"
	"strings"
)

// A mark is a pair of quotation marks, as texts and encodings spell them.
type mark struct{ open, close string }

// marks are those of languages and of programs; HTML, URLs and JSON encode the latter.
var marks = []mark{
	{`"`, `"`}, {`'`, `'`}, {"`", "`"},
	{"&quot;", "&quot;"}, {"&#34;", "&#34;"}, {"&#x22;", "&#x22;"}, {"&apos;", "&apos;"}, {"&#39;", "&#39;"}, {"&#x27;", "&#x27;"},
	{`\u0026quot;`, `\u0026quot;`}, {`\u0026#34;`, `\u0026#34;`}, {`\u0026#39;`, `\u0026#39;`},
	{"%22", "%22"}, {"%27", "%27"}, {`\u0022`, `\u0022`}, {`\u0027`, `\u0027`}, {`\x22`, `\x22`}, {`\x27`, `\x27`},
	{"“", "”"}, {"„", "“"}, {"”", "”"}, {"«", "»"}, {"»", "«"}, {"‹", "›"}, {"‘", "’"}, {"‚", "‘"}, {"「", "」"}, {"『", "』"},
}

// Spellings of a space and of a separator, raw or encoded.
var (
	spaces     = []string{" ", "\t", "%20", "+", "&nbsp;", "&#160;", "\u00a0", "\u3000"}
	separators = []string{
		":=", "=>", "=", ":", "＝", "：", "&equals;", "&colon;", "%3D", "%3d", "%3A", "%3a",
		`\x3d`, `\x3D`, `\x3a`, `\x3A`, `\u003d`, `\u003D`, `\u003a`, `\u003A`, "&#61;", "&#x3d;", "&#58;", "&#x3a;",
	}
	arrows = []string{"&gt;", `\u003e`, `\u003E`, "%3E", "%3e", "%3D", "%3d"} // the encoded end of => and :=
)

// prefixOf returns the length of the first of the texts with which data begins at i, or 0.
func prefixOf(data []byte, i int, of []string) int {
	for _, text := range of {
		if n := spelled(data, i, text); n > 0 {
			return n
		}
	}
	return 0
}

// spelled returns the length of a text at i, or 0. The backslash of an escape is doubled in each literal
// around it.
func spelled(data []byte, i int, text string) int {
	if i >= len(data) || data[i] != text[0] {
		return 0
	}
	more := 0
	for text[0] == '\\' && more < mostEscapes && i+more+1 < len(data) && data[i+more+1] == '\\' {
		more++
	}
	if !bytes.HasPrefix(data[i+more:], []byte(text)) {
		return 0
	}
	return more + len(text)
}

// encodedNUL is the NUL between the words of a command line in JSON.
const encodedNUL = `\u0000`

var nuls = []string{"\x00", encodedNUL}

// wordEscapes end a value without quotes: NUL, and the beginning of a closing tag.
var wordEscapes = []string{encodedNUL, `\u003c/`, `\u0026lt;/`}

// escapes are those of blanks, and of NUL, behind their backslash.
var escapes = []string{"u0000", "n", "t", "r"}

// escapeLength returns the length of the escape of a blank with which data begins, without its backslash.
func escapeLength(data []byte) int { return prefixOf(data, 0, escapes) }

// isBehindEscape reports whether the escape of a blank ends at i.
func isBehindEscape(data []byte, i int) bool {
	for _, e := range escapes {
		if at := i - len(e); at > 0 && data[at-1] == '\\' && string(data[at:i]) == e {
			return true
		}
	}
	return false
}

// gap returns the index behind at most some blanks, raw or escaped.
func gap(data []byte, i, most int) int {
	for end := i; ; {
		at := skip(data, end, most, " \t\r\n")
		if begin := skip(data, at, mostEscapes, `\`); begin > at {
			if n := prefixOf(data, begin, escapes[1:]); n > 0 {
				at = begin + n
			}
		}
		if at == end || at-i >= most {
			return at
		}
		end = at
	}
}

// mostBlanks bounds the spaces around a separator, which align settings.
const mostBlanks = 32

func blanks(data []byte, i int) int {
	for range mostBlanks {
		n := prefixOf(data, i, spaces)
		if n == 0 {
			break
		}
		i += n
	}
	return i
}

// skip returns the index behind at most some of the given bytes.
func skip(data []byte, i, most int, of string) int {
	end := i
	for end < len(data) && end-i < most && strings.IndexByte(of, data[end]) >= 0 {
		end++
	}
	return end
}

// mostEscapes bounds the backslashes before a quotation mark: a literal in a literal in a literal has
// seven.
const mostEscapes = 7

// opened returns the index behind a quotation mark at i, with its pair and the number of backslashes
// before it. The index is i if there is none.
func opened(data []byte, i int) (end int, m mark, escapes int) {
	at := i
	for at < len(data) && at < i+mostEscapes && data[at] == '\\' {
		at++
	}
	for _, m := range marks[:3] {
		if at < len(data) && data[at] == m.open[0] {
			return at + 1, m, at - i
		}
	}
	for _, m := range marks[3:] {
		if n := spelled(data, i, m.open); n > 0 {
			return i + n, m, 0
		}
	}
	return i, mark{}, 0
}

// quote returns the index behind a quotation mark at i, or i.
func quote(data []byte, i int) int {
	end, _, _ := opened(data, i)
	return end
}

// value returns the start and the end of a secret: up to the closing quotation mark or, without
// quotes, the end of the word.
func (k *key) value(data []byte, i int) (from, to int) {
	if k.scheme {
		if n := scheme(data[i:]); n > 0 {
			return i + n, lineEnd(data, i+n)
		}
	}
	i += prefixOf(data, i, []string{"!!str ", "!!binary "})
	if from, to, ok := members(data, i); ok {
		return from, to
	}
	begin := i + prefixOf(data, i, literals)
	if from, to, ok := quoted(data, begin); ok {
		if begin > i {
			from = i
		}
		return from, to
	}
	from = quote(data, i)
	if k.rest {
		return from, lineEnd(data, from)
	}
	return from, wordEnd(data, from)
}

// literals are what precedes the quotation mark of a literal in C, C++, Python, SQL and shells.
var literals = []string{"u8", "rb", "br", "L", "b", "B", "r", "R", "u", "U", "f", "N", "@", "$"}

// scheme returns the length of the scheme of an HTTP header and of the spaces behind it.
func scheme(data []byte) int {
	n := 0
	for n < len(data) && n < mostPair && (isWordByte(data[n]) || data[n] == '-') {
		n++
	}
	if !slices.ContainsFunc(schemes, func(s string) bool { return strings.EqualFold(s, string(data[:n])) }) {
		return 0
	}
	if end := blanks(data, n); end > n {
		return end
	}
	return 0
}

// mostMembers bounds the length of a list or an object, and mostNested the brackets in brackets: text of
// nothing but names and brackets would be read again for each of them.
const (
	mostMembers = 4096
	mostNested  = 8
)

// members are what a list or an object in brackets has. The first member is quoted, or has brackets, too.
func members(data []byte, i int) (from, to int, ok bool) {
	if i >= len(data) || data[i] != '[' && data[i] != '{' {
		return 0, 0, false
	}
	if bytes.HasPrefix(data[i+1:], []byte(maskedSecret)) {
		return i + 1, i + 1 + len(maskedSecret), true
	}
	depth, isList := 0, false
	for at := i; at < len(data) && at-i < mostMembers && depth <= mostNested; {
		switch b := data[at]; {
		case b == '[' || b == '{':
			depth++
		case b == ']' || b == '}':
			if depth--; depth == 0 {
				return i + 1, at, isList
			}
		case strings.IndexByte(" \t\r\n", b) >= 0:
		default:
			begin, m, escapes := opened(data, at)
			if begin == at && !isList {
				return 0, 0, false
			}
			isList = true
			if begin > at {
				if end, closes := closed(data, begin, m, escapes); closes {
					at = max(quote(data, end), end)
					continue
				}
			}
		}
		at++
	}
	return i + 1, wordEnd(data, i+1), isList
}

// lineEnd is the end of a header, or of the literal that it is in.
func lineEnd(data []byte, i int) int {
	end := i
	for end < len(data) && end-i < maxSecret && isInLine(data[end]) {
		if b := data[end]; b == '"' && bytes.HasSuffix(bytes.TrimRight(data[i:end], `\`), []byte("=")) { // of a parameter
			if n := bytes.IndexByte(data[end+1:min(len(data), end+mostQuoted)], b); n >= 0 {
				end += n + 1
			}
		} else if b == '"' || b == '\'' && quoteEnds(data, end+1) {
			break
		}
		end++
	}
	return end
}

// mostQuoted bounds the distance to a closing mark that is not one of ASCII's: an opening one may stand
// alone.
const mostQuoted = 512

// closed returns the end of a quoted text. A mark of a literal within others closes it with as many
// backslashes as the opening one, or fewer; one more escapes a mark of the text. Otherwise an escaped
// or doubled mark does not end the text, nor does the shell's '\”. A text of ASCII's marks also ends
// with its line.
func closed(data []byte, i int, m mark, escapes int) (end int, ok bool) {
	if !isQuote(m.close[0]) || len(m.close) > 1 {
		line := data[i:min(len(data), i+mostQuoted)]
		if n := bytes.IndexFunc(line, func(r rune) bool { return r < ' ' && r != '\t' }); n >= 0 {
			line = line[:n]
		}
		n := bytes.Index(line, []byte(m.close))
		return i + n, n >= 0
	}
	run := 0 // of backslashes
	for at := i; at < len(data) && at-i < maxSecret; at++ {
		b := data[at]
		switch {
		case !isInLine(b):
			return at, true
		case b == '\\':
			run++
			continue
		case b != m.close[0]:
		case escapes > 0 && run <= escapes:
			return at - run, true
		case escapes > 0 || run%2 == 1:
		case at > i && at+1 < len(data) && data[at+1] == b: // doubled
			at++
		case b == '\'' && bytes.HasPrefix(data[at:], []byte(`'\''`)):
			at += 3
		default:
			return at, true
		}
		run = 0
	}
	return min(len(data), i+maxSecret), true
}

// quoted returns the start and the end of a quoted text whose opening mark is at i.
func quoted(data []byte, i int) (from, to int, ok bool) {
	from, m, escapes := opened(data, i)
	if from == i {
		return 0, 0, false
	}
	to, ok = closed(data, from, m, escapes)
	return from, to, ok
}

func isQuote(b byte) bool { return b == '"' || b == '\'' || b == '`' }

// wordEnd returns the end of a value without quotes. Passwords have letters of any script and any
// sign, so what follows a sign decides: a quotation mark or a bracket ends the value where the text
// around it goes on, and a sign between pairs where the next pair begins.
func wordEnd(data []byte, i int) int {
	end := i
	for end < len(data) && end-i < maxSecret && (data[end] > ' ' || data[end] == ' ' && end > i && data[end-1] == '\\') && data[end] != 0x7f && !endsValue(data, i, end) {
		end++
	}
	for end > i && end < len(data) && isQuote(data[end]) && data[end-1] == '\\' { // of the mark
		end--
	}
	return end
}

// endsValue reports whether the sign at an index ends the value that begins at from.
func endsValue(data []byte, from, at int) bool {
	switch data[at] {
	case '"', '\'', '`':
		return quoteEnds(data, at+1)
	case '&':
		if n := prefixOf(data, at, entities); n > 0 {
			return quoteEnds(data, at+n)
		}
		if bytes.HasPrefix(data[at:], []byte("&lt;/")) {
			return true
		}
		n := 1
		if bytes.HasPrefix(data[at:], []byte("&amp;")) {
			n = len("&amp;")
		}
		return endsWord(data, at+n) || pairAt(data, at+n)
	case ';', ',':
		return endsWord(data, at+1) || pairAt(data, at+1)
	case '<':
		return tagAt(data, at) && (at > from || data[at+1] == '/')
	case '>':
		return endsWord(data, at+1)
	case '\\':
		return prefixOf(data, at, wordEscapes) > 0
	}
	return false
}

// quoteEnds reports whether the text around a quoted one goes on at i.
func quoteEnds(data []byte, i int) bool {
	return endsWord(data, i) || strings.IndexByte(",;:}])>.&|/\\\"'`", data[i]) >= 0
}

// entities are HTML's spellings of quotation marks.
var entities = []string{"&quot;", "&#34;", "&#x22;", "&apos;", "&#39;", "&#x27;"}

// endsWord reports whether no word goes on at i.
func endsWord(data []byte, i int) bool { return i >= len(data) || data[i] <= ' ' || data[i] == 0x7f }

// mostPair is the length of the longest name of a pair.
const mostPair = 40

// pairAt reports whether a name with a separator is at i, as behind the sign between two pairs.
func pairAt(data []byte, i int) bool {
	i = quote(data, i)
	end := i
	for end < len(data) && end-i < mostPair && (isTokenByte(data[end]) || data[end] == '[' || data[end] == ']' || data[end] == '$') {
		end++
	}
	if end == i || data[i] >= '0' && data[i] <= '9' {
		return false
	}
	end = quote(data, end)
	return end < len(data) && (data[end] == '=' || data[end] == ':')
}

// tagAt reports whether a tag of XML or HTML begins at i.
func tagAt(data []byte, i int) bool {
	name := i + 1
	if name < len(data) && data[name] == '/' {
		return true
	}
	end := name
	for end < len(data) && end-name < mostPair && (isTokenByte(data[end]) || data[end] == ':') {
		end++
	}
	if end == name || end == len(data) {
		return false
	}
	return data[end] == '>' || bytes.HasPrefix(data[end:], []byte("/>")) || data[end] == ' ' && pairAt(data, end+1)
}

func isInLine(b byte) bool { return b >= ' ' && b != 0x7f || b == '\t' }
