package sanitize

import (
	"bytes"
	"strings"
)

// mostTag bounds the length of a tag.
const mostTag = 256

// tagEnds are the spellings of the end of a tag.
var tagEnds = []string{">", "&gt;", `\u003e`, `\u0026gt;`}

// tagBegins are those of its beginning.
var tagBegins = []string{"<", "&lt;", `\u003c`, `\u0026lt;`}

// tag returns the index behind a tag of a name at i, or i.
func tag(data []byte, i int, name string) int {
	begin := i + prefixOf(data, i, tagBegins)
	if begin == i || !bytes.HasPrefix(data[begin:], []byte(name)) {
		return i
	}
	begin += len(name)
	if n := prefixOf(data, begin, tagEnds); n > 0 {
		return begin + n
	}
	return i
}

// element returns the start of the value of an element: its content, or its attribute "value". The key is
// its name, or the value of its attribute "name": <password>x</password>, <add key="password" value="x"/>,
// <property name="password">x</property>. Behind <key>password</key> it is the content of the next element.
func element(data []byte, start, i int) (int, bool) {
	if end := tag(data, i, "/key"); end > i {
		i = gap(data, end, 64)
		end = tag(data, i, "string")
		return end, end > i
	}
	if i < len(data) && isTokenByte(data[i]) || !inTag(data, start) {
		return 0, false
	}
	for first := i; i < len(data) && i-first < mostTag; {
		if n := prefixOf(data, i, tagEnds); n > 0 {
			return child(data, i+n), data[i-1] != '/'
		}
		begin, m, escapes := opened(data, i)
		switch {
		case data[i] < ' ' && strings.IndexByte("\t\r\n", data[i]) < 0, data[i] == '<':
			return 0, false
		case begin == i:
			i++
			continue
		case i == first: // the end of the attribute that the key is
			i = begin
			continue
		case bytes.HasSuffix(bytes.ToLower(data[max(first, i-len("value=")):i]), []byte("value=")):
			return i, true
		}
		end, closes := closed(data, begin, m, escapes)
		if !closes {
			return 0, false
		}
		i = max(quote(data, end), end+1)
	}
	return 0, false
}

// child skips the tag of an element in an element, and the space before it.
func child(data []byte, i int) int {
	at := skip(data, i, mostPair, " \t\r\n")
	if at == len(data) || data[at] != '<' || !tagAt(data, at) || data[at+1] == '/' {
		return i
	}
	if n := bytes.IndexByte(data[at:min(len(data), at+mostTag)], '>'); n > 0 && data[at+n-1] != '/' {
		return at + n + 1
	}
	return i
}

// inTag reports whether the name that i is in begins a tag, or is the value of an attribute that names.
func inTag(data []byte, i int) bool {
	start := i
	for start > 0 && i-start < mostPair && (isTokenByte(data[start-1]) || data[start-1] == ':') {
		start--
	}
	before := data[max(0, start-mostTag):start]
	for _, begin := range tagBegins {
		if bytes.HasSuffix(before, []byte(begin)) {
			return true
		}
	}
	if bytes.HasSuffix(before, []byte(`\`)) && bytes.HasPrefix(data[start:], []byte("u003c")) {
		return true
	}
	open := max(bytes.LastIndexByte(before, '<'), bytes.LastIndex(before, []byte("&lt;")))
	return open >= 0 && bytes.IndexByte(before[open:], '>') < 0 && namesNext(before[open:]) > 0
}

// namings are attributes and members whose value is the name of something.
var namings = []string{"name", "key", "id", "type"}

// namesNext returns the length of the name of an attribute or a member at the end of a text, with its separator
// and a quotation mark, or 0: name=", "name": ".
func namesNext(text []byte) int {
	const signs = "\"'`\\ " // of a name and its separator
	at := len(bytes.TrimRight(text, signs))
	if at == len(text) || at == 0 || text[at-1] != '=' && text[at-1] != ':' {
		return 0
	}
	at = len(bytes.TrimRight(text[:at-1], signs))
	for _, name := range namings {
		if from := at - len(name); from >= 0 && strings.EqualFold(string(text[from:at]), name) && (from == 0 || !isTokenByte(text[from-1])) {
			return len(text) - from
		}
	}
	return 0
}

// before finds the value before the name from i to end: {"value": "x", "name": "password"}.
func before(data []byte, i, end, least int) (from, to int, ok bool) {
	start := i
	for start > least && i-start < mostPair && isTokenByte(data[start-1]) {
		start--
	}
	offset := max(least, start-mostQuoted)
	text := data[offset:start]
	n := namesNext(text)
	if n == 0 || quote(data, end) == end {
		return 0, 0, false
	}
	text = bytes.TrimRight(text[:len(text)-n], " ,\t\r\n\"'\\")
	at := bytes.LastIndex(bytes.ToLower(text), []byte("value"))
	if at < 0 {
		return 0, 0, false
	}
	at = quote(data, offset+at+len("value"))
	at = blanks(data, at)
	if n = prefixOf(data, at, separators); n == 0 {
		return 0, 0, false
	}
	from, to, ok = quoted(data, blanks(data, at+n))
	return from, to, ok && to > from && to == offset+len(text)
}
