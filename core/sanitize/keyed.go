package sanitize

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A key is a name that is followed by a secret: "password: x", "token=x", "\"api_key\": \"x\"".
type key struct {
	kind  string
	name  string // in lower case; _ stands for one of _ - . and a space, or none
	least int    // characters of the secret
	rest  bool   // it ends with the line
	query bool   // only in the query of a URL: the name is too common elsewhere
	word  bool   // it begins a word, because other words end in it: "bypass"
}

// at reports whether that name is at i and followed by a secret.
func (k *key) at(data []byte, i, _ int) (hit, bool) {
	if k.query && (i == 0 || data[i-1] != '?' && data[i-1] != '&') {
		return hit{}, false
	}
	end, ok := k.named(data, i)
	if !ok || k.word && !beginsWord(data, i) {
		return hit{}, false
	}
	from, ok := assigned(data, i, end)
	if !ok {
		from, ok = option(data, i, end)
	}
	if !ok {
		return hit{}, false
	}
	from, to := k.value(data, from)
	return hit{k.kind, from, to}, to-from >= k.least
}

// beginsWord reports whether a word begins at i, also within a name: "DB_PASS", "dbPass". It rejects a
// word of a sentence: "the second pass: 3 frames".
func beginsWord(data []byte, i int) bool {
	if i == 0 || !isLetter(data[i-1]) && data[i-1] != ' ' || isEncoded(data[:i]) {
		return true
	}
	if data[i-1] == ' ' {
		return i < 2 || !isLetter(data[i-2]) || bytes.IndexByte(data[i:min(len(data), i+mostPair)], '=') >= 0
	}
	return data[i-1] >= 'a' && data[i-1] <= 'z' && data[i] >= 'A' && data[i] <= 'Z'
}

// isEncoded reports whether a text ends with an encoded character, whose last digit may be a letter:
// %3D, \u003c, \n.
func isEncoded(data []byte) bool {
	n := len(data)
	return n >= 3 && data[n-3] == '%' || n >= 6 && data[n-6] == '\\' && data[n-5] == 'u' || n >= 2 && data[n-2] == '\\'
}

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' || b >= 0x80 }

// addTo adds the finder of the name for each pair of bytes that it may begin with: in either case and,
// beyond ASCII, as URLs and JSON encode its first letter.
func (k *key) addTo(t *finders) {
	first, n := utf8.DecodeRuneInString(k.name)
	if first >= utf8.RuneSelf {
		for _, s := range []string{k.name, string(unicode.ToUpper(first))} {
			t.add(s[0], s[1:2], k.at)
		}
		t.add('%', "CDEcde", k.at) // of a character of two or three bytes
		t.add('\\', `u\`, k.at)
		return
	}
	name, separator := k.name[n:], ""
	if name[0] == '_' {
		name, separator = name[1:], "_-. "
	}
	r, _ := utf8.DecodeRuneInString(name)
	second := separator + string(r)
	if r >= utf8.RuneSelf {
		second += `%\` // as URLs and JSON encode it
	}
	t.both(k.name[0], second, k.at)
}

// named matches the name and returns its end.
func (k *key) named(data []byte, i int) (int, bool) {
	for _, c := range k.name {
		if c == '_' {
			if i < len(data) && strings.IndexByte("_-. ", data[i]) >= 0 {
				i++
			}
			continue
		}
		n, ok := letter(data[min(i, len(data)):], c)
		if !ok {
			return 0, false
		}
		i += n
	}
	return i, true
}

// letter reports whether data begins with a letter in either case, and its length.
func letter(data []byte, want rune) (n int, ok bool) {
	if len(data) == 0 {
		return 0, false
	}
	if want < utf8.RuneSelf {
		return 1, rune(data[0]) == want || rune(data[0]|0x20) == want && isLetter(data[0])
	}
	have, n := decoded(data)
	for r := unicode.SimpleFold(want); r != want; r = unicode.SimpleFold(r) {
		if r == have {
			return n, true
		}
	}
	return n, have == want
}

// decoded is the first character of a text: as it is, or as URLs and JSON encode it.
func decoded(data []byte) (r rune, n int) {
	switch {
	case bytes.HasPrefix(data, []byte(`\u`)) && len(data) >= 6:
		r, err := strconv.ParseUint(string(data[2:6]), 16, 16)
		if err == nil {
			return rune(r), 6
		}
	case data[0] == '%':
		var raw []byte
		for n := 0; n+3 <= len(data) && data[n] == '%' && len(raw) < utf8.UTFMax; n += 3 {
			b, err := strconv.ParseUint(string(data[n+1:n+3]), 16, 8)
			if err != nil {
				break
			}
			raw = append(raw, byte(b))
		}
		r, n := utf8.DecodeRune(raw)
		return r, 3 * n
	}
	return utf8.DecodeRune(data)
}

// assigned matches a separator ("=", ":", ":=" or "=>") with quotes and spaces around it behind the
// name that ends at i, and returns the start of the value. It rejects "::", which separates names in
// C++ and Rust. In XML the value is the content of an element, and in lists of variables the name and
// the value are two members ({"name": "PASSWORD", "value": "x"}).
func assigned(data []byte, start, i int) (int, bool) {
	if from, ok := content(data, start, i); ok {
		return from, true
	}
	i = blanks(data, member(data, quote(data, i)))
	n := prefixOf(data, i, separators)
	i += n
	i += prefixOf(data, i, arrows)
	if n == 0 || i < len(data) && (data[i] == ':' || data[i] == '=') {
		return 0, false
	}
	return blanks(data, i), true
}

// member skips the name of the member with the value.
func member(data []byte, i int) int {
	const value = "value"
	at := i
	for n := 0; at < len(data) && n < 2*mostBlanks && strings.IndexByte(", \t\r\n", data[at]) >= 0; n++ {
		at++
	}
	at = quote(data, at)
	if at == i || len(data)-at < len(value) || !strings.EqualFold(string(data[at:at+len(value)]), value) {
		return i
	}
	return quote(data, at+len(value))
}

// content returns the start of an element's content: of <password>x</password>, and of the
// <string>x</string> behind <key>password</key>.
func content(data []byte, start, i int) (int, bool) {
	if n := prefixOf(data, i, []string{">", "&gt;"}); n > 0 && inTag(data, start) {
		return i + n, true
	}
	if !bytes.HasPrefix(data[i:], []byte("</key>")) {
		return 0, false
	}
	i += len("</key>")
	for n := 0; i < len(data) && n < 64 && strings.IndexByte(" \t\r\n", data[i]) >= 0; n++ {
		i++
	}
	return i + len("<string>"), bytes.HasPrefix(data[i:], []byte("<string>"))
}

// inTag reports whether the name that i is in begins a tag.
func inTag(data []byte, i int) bool {
	start := i
	for start > 0 && i-start < mostPair && (isTokenByte(data[start-1]) || data[start-1] == ':') {
		start--
	}
	return start > 0 && data[start-1] == '<' || bytes.HasSuffix(data[:start], []byte("&lt;"))
}

// option matches the separator behind an option of a command line ("--db-password x", "-password
// x", "/password x") whose name ends with the key from i to end. It returns the start of the value.
// A separator is a space, the NUL of /proc/PID/cmdline, or the quotes and comma of a list
// (["--password", "x"]).
func option(data []byte, i, end int) (int, bool) {
	if !isOption(data, i) {
		return 0, false
	}
	from, apart := nextWord(data, end)
	return from, apart && from < len(data) && data[from] != '-'
}

// nextWord returns the start of the word of a command line behind the one that ends at end, and whether a
// separator is between them.
func nextWord(data []byte, end int) (from int, apart bool) {
	at := quote(data, end)
	if at > end && at < len(data) && data[at] == ',' {
		at++
	}
	from = blanks(data, at)
	if from < len(data) && data[from] == 0 {
		from++
	}
	return from, from > end && (from > at || at > end+1)
}

// isOption reports whether the word around i begins like an option. Two hyphens may follow any
// character. One hyphen or a slash also occurs within words and paths, so it must begin a word.
func isOption(data []byte, i int) bool {
	const longest = 64
	start := i
	for start > max(0, i-longest) && inOption(data[start-1]) {
		start--
	}
	if start > 0 && data[start-1] == '/' {
		start--
	}
	if start == i {
		return false
	}
	if strings.HasPrefix(string(data[start:i]), "--") {
		return true
	}
	first := data[start] == '-' || data[start] == '/'
	return first && (start == 0 || strings.IndexByte(" \t\r\n\x00\"'`[", data[start-1]) >= 0)
}

// inOption reports whether a byte may be in the name of an option ("--s3-secret-key").
func inOption(b byte) bool {
	return b == '-' || b == '_' || b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z'
}

// mostMail is the maximum length of the local part and of the domain of an address. RFC 5321,
// section 4.5.3.1.
const mostMail = 255

// mail finds an address around its "@".
func mail(data []byte, i, least int) (hit, bool) {
	from, to := i, i+1
	for from > least && i-from < mostMail && isMailByte(data[from-1]) {
		from--
	}
	for from < i && !utf8.RuneStart(data[from]) { // of a character that is in no address
		from++
	}
	for to < len(data) && to-i < mostMail && (isTokenByte(data[to]) && data[to] != '_' || isAccented(data[to])) {
		to++
	}
	for to > i+1 && (data[to-1] == '.' || data[to-1] == '-') { // punctuation of the sentence
		to--
	}
	domain := string(data[i+1 : to])
	dot := strings.LastIndexByte(domain, '.')
	isDomain := dot > 0 && len(domain)-dot > 2 && strings.Trim(domain[dot+1:], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
	isName := bytes.ContainsFunc(data[from:i], func(r rune) bool { return r < utf8.RuneSelf && isMailByte(byte(r)) })
	return hit{mailKind, from, to}, isDomain && isName && data[from] != '.'
}

const mailKind = "an e-mail address"

func isMailByte(b byte) bool { return isTokenByte(b) || b == '+' || b == '%' || isAccented(b) }

// isAccented reports whether a byte may be of a letter of two bytes in UTF-8: Latin with accents, Greek,
// Cyrillic and others that leave spaces between words.
func isAccented(b byte) bool { return b >= 0x80 && b < 0xe0 }
