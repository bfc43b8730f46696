package sanitize

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A key is a name that is followed by a secret: "password: x", "token=x", "\"api_key\": \"x\"".
type key struct {
	kind      string
	name      string // in lower case; _ stands for one of _ - . and a space, or none
	least     int    // characters of the secret
	rest      bool   // it ends with the line
	query     bool   // only in the query of a URL: the name is too common elsewhere
	word      bool   // it begins a word, because other words end in it: "bypass"
	env       bool   // only at the end of a variable's name: "SIGNING_KEY="
	scheme    bool   // the scheme of an HTTP header may precede the value: "Token x"
	inflected bool   // letters may follow: "Şifreniz"
	spoken    bool   // sentences, SQL and logs have it, too: "the password is x"
}

// at reports whether that name is at i and followed by a secret.
func (k *key) at(data []byte, i, least int) (hit, bool) {
	if k.query && (i == 0 || data[i-1] != '?' && data[i-1] != '&') {
		return hit{}, false
	}
	end, ok := named(data, i, k.name)
	if !ok || k.word && !beginsWord(data, i) || k.env && !endsVariable(data, i, end) {
		return hit{}, false
	}
	if k.inflected {
		end = endOfLetters(data, end, mostEnding)
	}
	if !k.query && !k.rest {
		end = tail(data, end)
	}
	if from, to, ok := before(data, i, end, least); ok {
		return hit{k.kind, from, to}, to-from >= k.least
	}
	from, ok := k.assigned(data, i, end)
	if !ok {
		from, ok = option(data, i, end)
	}
	if !ok {
		return hit{}, false
	}
	from, to := k.value(data, from)
	return hit{k.kind, from, to}, to-from >= k.least
}

// mostEnding bounds the ending of an inflected word.
const mostEnding = 4

// endOfLetters returns the end of at most some letters; there may be none.
func endOfLetters(data []byte, i, most int) int {
	end := i
	for n := 0; end < len(data); n++ {
		r, size := utf8.DecodeRune(data[end:])
		if !unicode.IsLetter(r) {
			return end
		}
		if n == most {
			return i
		}
		end += size
	}
	return end
}

// tail returns the end of a name whose key ends at i.
func tail(data []byte, i int) int {
	for range 2 {
		for _, text := range tails {
			if end, ok := named(data, i, text); ok && (end == len(data) || !isLetter(data[end]) || isUpper(data[end])) {
				i = end
				break
			}
		}
	}
	at := i
	if at < len(data) && strings.IndexByte("_-.", data[at]) >= 0 {
		at++
	}
	for n := 0; n < 3 && at < len(data) && isDigit(data[at]); n++ {
		at++
		i = at
	}
	return i
}

func isUpper(b byte) bool { return b >= 'A' && b <= 'Z' }

// endsVariable reports whether the text from i to end ends a variable's name: "FERNET_KEY=".
func endsVariable(data []byte, i, end int) bool {
	return i > 1 && data[i-1] == '_' && (isUpperOrDigit(data[i-2]) || data[i-2] == '_') && isUpper(data[i]) && isUpper(data[end-1]) && end < len(data) && data[end] == '='
}

// beginsWord reports whether a word begins at i, also within a name: "DB_PASS", "dbPass", "rootpw". It rejects a
// word of a sentence: "the second pass: 3 frames".
func beginsWord(data []byte, i int) bool {
	if i == 0 || !isLetter(data[i-1]) && data[i-1] != ' ' || isEncoded(data[:i]) {
		return true
	}
	if isOwned(data, i) {
		return true
	}
	if data[i-1] == ' ' {
		return i < 2 || !isLetter(data[i-2]) || bytes.IndexByte(data[i:min(len(data), i+mostPair)], '=') >= 0
	}
	return data[i-1] >= 'a' && data[i-1] <= 'z' && data[i] >= 'A' && data[i] <= 'Z'
}

// isOwned reports whether an owner ends at i, from the beginning of a word on.
func isOwned(data []byte, i int) bool {
	for start := i - 1; start >= max(0, i-mostOwner) && isLetter(data[start]); start-- {
		begins := start == 0 || !isLetter(data[start-1]) || isEncoded(data[:start]) || isUpper(data[start]) && !isUpper(data[start-1])
		if begins && slices.Contains(owners, strings.ToLower(string(data[start:i]))) {
			return true
		}
	}
	return false
}

// mostOwner bounds the length of an owner.
const mostOwner = 12

// isEncoded reports whether a text ends with an encoded character, whose last digit may be a letter:
// %3D, \u003c, \n.
func isEncoded(data []byte) bool {
	n := len(data)
	return n >= 3 && data[n-3] == '%' || n >= 6 && data[n-6] == '\\' && data[n-5] == 'u' || n >= 2 && data[n-2] == '\\'
}

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' || b >= 0x80 }

// encodedKeys returns the keys that begin with a letter beyond ASCII, by that letter in each case.
func encodedKeys(list []key) map[rune][]*key {
	out := map[rune][]*key{}
	for i := range list {
		first, _ := utf8.DecodeRuneInString(list[i].name)
		for r := first; first >= utf8.RuneSelf; {
			out[r] = append(out[r], &list[i])
			if r = unicode.SimpleFold(r); r == first {
				break
			}
		}
	}
	return out
}

// encodedKey finds the secret behind a name whose first letter URLs or JSON encode. The letter is decoded once,
// and not for each name.
func encodedKey(data []byte, i, least int) (hit, bool) {
	first, _ := decoded(data[i:])
	for _, k := range tables().encoded[first] {
		if h, ok := k.at(data, i, least); ok {
			return h, true
		}
	}
	return hit{}, false
}

// addTo adds the finder of the name for each pair of bytes that it may begin with, in either case.
func (k *key) addTo(t *finders) {
	first, n := utf8.DecodeRuneInString(k.name)
	if first >= utf8.RuneSelf {
		for _, s := range []string{k.name, string(unicode.ToUpper(first))} {
			t.add(s[0], s[1:2], k.at)
		}
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

// named matches a name, in which _ is as in names of keys, and returns its end.
func named(data []byte, i int, name string) (int, bool) {
	for _, c := range name {
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
// C++ and Rust, and "==" before anything but a literal. In XML the value is the content of an element or an
// attribute, and in lists of variables the name and the value are two members ({"name": "PASSWORD", "value": "x"}).
// A function takes the value as a literal: setPassword("x").
func (k *key) assigned(data []byte, start, i int) (int, bool) {
	if from, ok := element(data, start, i); ok {
		return from, true
	}
	i = quote(data, i)
	i += prefixOf(data, i, brackets)
	if from, ok := argument(data, start, i); ok {
		return from, true
	}
	end := blanks(data, member(data, i))
	n := prefixOf(data, end, separators)
	if n == 0 && k.spoken && end > i && end < len(data) && isQuote(data[end]) && isQuoted(data, end) { // of SQL
		return end, true
	}
	if n == 0 && k.spoken {
		if end = blanks(data, owned(data, i)); end > i {
			n = prefixOf(data, end, passwordSeparators)
		}
		if n > 0 && isLetter(data[end]) && !isMixed(data[end+n:]) {
			return 0, false
		}
	}
	i = end + n
	i += prefixOf(data, i, arrows)
	literal := i
	if i < len(data) && data[i] == '=' {
		for literal < len(data) && literal-i < 2 && data[literal] == '=' {
			literal++
		}
		literal = blanks(data, literal)
		if n = n * (quote(data, literal) - literal); n > 0 {
			return literal, true
		}
	}
	if n == 0 || i < len(data) && data[i] == ':' {
		return 0, false
	}
	return blanks(data, i), true
}

// passwordSeparators are those of sentences, and of logs.
var passwordSeparators = []string{"is ", "was ", "ist ", "lautet ", "est ", "es ", "-> ", ": ", "="}

// prepositions stand before the name of the person whose password it is.
var prepositions = []string{"for ", "of ", "für ", "von ", "pour ", "de ", "para ", "per ", "voor ", "för ", "для "}

// owned skips whose password it is: "for jane".
func owned(data []byte, i int) int {
	at := blanks(data, i)
	n := prefixOf(data, at, prepositions)
	if n == 0 {
		return i
	}
	at = quote(data, at+n)
	end := at
	for end < len(data) && end-at < mostPair && isMailByte(data[end]) {
		end++
	}
	if end == at {
		return i
	}
	return quote(data, end)
}

// isMixed reports whether a word has a letter and a digit, as passwords in sentences have and other words have not.
func isMixed(data []byte) bool {
	var letters, digits bool
	for i := 0; i < len(data) && data[i] > ' ' && i < mostPair; i++ {
		letters = letters || isLetter(data[i])
		digits = digits || isDigit(data[i])
	}
	return letters && digits
}

// argument returns the start of a literal that a function takes, or that is in a pair: ("x"), ("password", "x").
func argument(data []byte, start, i int) (int, bool) {
	at := i
	switch {
	case at < len(data) && data[at] == '(':
		at++
	case start > 1 && isQuote(data[start-1]) && strings.IndexByte("([{", data[start-2]) >= 0:
		if at = blanks(data, i); at >= len(data) || data[at] != ',' {
			return 0, false
		}
		literal := blanks(data, at+1)
		_, end, ok := quoted(data, literal)
		if !ok {
			return 0, false
		}
		end = quote(data, end)
		return literal, end < len(data) && strings.IndexByte(")]}", data[end]) >= 0
	default:
		return 0, false
	}
	return at, quote(data, at) > at
}

// member skips the name of the member with the value.
func member(data []byte, i int) int {
	const value = "value"
	at := i
	for range mostBetween {
		begin := at
		at = skip(data, begin, 2*mostBlanks, ", \t\r\n")
		name := quote(data, at)
		if at == begin || len(data)-name < len(value) {
			return i
		}
		if strings.EqualFold(string(data[name:name+len(value)]), value) {
			return quote(data, name+len(value))
		}
		end, ok := endOfMember(data, at)
		if !ok {
			return i
		}
		at = end
	}
	return i
}

// mostBetween bounds the members from the name to the value: {"name": "password", "type": "text", "value": "x"}.
const mostBetween = 3

// endOfMember returns the end of a member in quotation marks that begins at i.
func endOfMember(data []byte, i int) (end int, ok bool) {
	from, to, ok := quoted(data, i)
	if !ok || to-from > mostPair {
		return 0, false
	}
	at := blanks(data, quote(data, to))
	from, to, ok = quoted(data, blanks(data, at+prefixOf(data, at, separators)))
	if !ok || to-from > mostPair {
		return 0, false
	}
	return quote(data, to), true
}

// option matches the separator behind an option of a command line ("--db-password x", "-password
// x", "/password x") whose name ends with the key from i to end. It returns the start of the value.
// A separator is a space, the NUL of /proc/PID/cmdline, or the quotes and comma of a list
// (["--password", "x"]).
func option(data []byte, i, end int) (int, bool) {
	if !isOption(data, i) && !isSet(data, i, end) {
		return 0, false
	}
	from, apart := nextWord(data, end)
	return from, apart && from < len(data) && data[from] != '-'
}

// isSet reports whether the name that ends at end is a variable that a command sets: "set SMBPass x".
func isSet(data []byte, i, end int) bool {
	for first := max(0, i-mostPair); i > first && (isTokenByte(data[i-1]) || data[i-1] == '/' || data[i-1] == ':'); {
		i--
	}
	isName := func(r rune) bool { return unicode.IsUpper(r) || r == '_' || r == ':' }
	return bytes.HasSuffix(data[:i], []byte("set ")) && bytes.ContainsFunc(data[min(i+1, end):end], isName)
}

// nextWord returns the start of the word of a command line behind the one that ends at end, and whether a
// separator is between them.
func nextWord(data []byte, end int) (from int, apart bool) {
	at := quote(data, end)
	if at > end && at < len(data) && data[at] == ',' {
		at++
	}
	from = blanks(data, at)
	if from < len(data) {
		from += prefixOf(data, from, nuls)
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
	escaped := 0
	if start > 0 && data[start-1] == '\\' {
		escaped = escapeLength(data[start:i])
		start += escaped
	}
	if start == i {
		return false
	}
	if strings.HasPrefix(string(data[start:i]), "--") {
		return true
	}
	first := data[start] == '-' || data[start] == '/'
	return first && (start == 0 || escaped > 0 || strings.IndexByte(" \t\r\n\x00\"'`[", data[start-1]) >= 0)
}

// inOption reports whether a byte may be in the name of an option ("--s3-secret-key").
func inOption(b byte) bool {
	return b == '-' || b == '_' || b == '.' || b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z'
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
	if !isDomain && from < i && to > i+1 && (from == 0 || strings.IndexByte(wordEnds, data[from-1]) >= 0) && isRemote(data[max(0, from-mostLine):from]) {
		return hit{"the name of a person", from, i}, true
	}
	isName := bytes.ContainsFunc(data[from:i], func(r rune) bool { return r < utf8.RuneSelf && isMailByte(byte(r)) })
	return hit{mailKind, from, to}, isDomain && isName && data[from] != '.'
}

const mailKind = "an e-mail address"

func isMailByte(b byte) bool { return isTokenByte(b) || b == '+' || b == '%' || isAccented(b) }

// isAccented reports whether a byte may be of a letter of two bytes in UTF-8: Latin with accents, Greek,
// Cyrillic and others that leave spaces between words.
func isAccented(b byte) bool { return b >= 0x80 && b < 0xe0 }
