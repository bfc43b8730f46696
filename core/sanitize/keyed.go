package sanitize

import "strings"

// A key is a name that is followed by a secret: "password: x", "token=x", "\"api_key\": \"x\"".
type key struct {
	kind  string
	name  string // in lower case; _ stands for one of _ - . and a space, or none
	least int    // characters of the secret
	rest  bool   // it ends with the line
	query bool   // only in the query of a URL: the name is too common elsewhere
}

// keys lists the relevant names. A longer name counts by its end: "db_password", "refresh_token".
//
// Sources: gitleaks' generic-api-key and curl-auth-header; RFC 6265 for cookies;
// for signed URLs Amazon's Signature Version 4, Google Cloud Storage's V4
// signatures, Azure's shared access signatures and CloudFront's signed URLs.
var keys = []key{
	{kind: "a password", name: "password", least: 1},
	{kind: "a password", name: "passwd", least: 1},
	{kind: "a password", name: "pwd", least: 1},
	{kind: "a password", name: "passphrase", least: 1},
	{kind: "a password", name: "kennwort", least: 1},
	{kind: "a secret", name: "secret", least: 1},
	{kind: "a token", name: "token", least: 6},
	{kind: "a token", name: "jwt", least: 6},
	{kind: "an API key", name: "api_key", least: 6},
	{kind: "an access key", name: "access_key", least: 6},
	{kind: "an access key", name: "account_key", least: 6},
	{kind: "an access key", name: "secret_key", least: 6},
	{kind: "an access key", name: "private_key", least: 6},
	{kind: "an access key", name: "auth_key", least: 6},
	{kind: "an access key", name: "encryption_key", least: 6},
	{kind: "credentials", name: "credentials", least: 6},
	{kind: "a session", name: "session_id", least: 6},
	{kind: "a session", name: "session_key", least: 6},
	{kind: "a session", name: "sess_id", least: 6},
	{kind: "a session", name: "jsessionid", least: 6},
	{kind: "a cookie", name: "cookie", least: 6, rest: true},
	{kind: "the signature of a URL", name: "x_amz_signature", least: 6},
	{kind: "the signature of a URL", name: "x_amz_credential", least: 6},
	{kind: "the signature of a URL", name: "x_goog_signature", least: 6},
	{kind: "the signature of a URL", name: "x_goog_credential", least: 6},
	{kind: "the signature of a URL", name: "signature", least: 12, query: true},
	{kind: "the signature of a URL", name: "sig", least: 12, query: true},
	{kind: "the signature of a URL", name: "key_pair_id", least: 6},
	{kind: "a code of an authorization", name: "code", least: 12, query: true},
}

// at reports whether that name is at i and followed by a secret.
func (k *key) at(data []byte, i, _ int) (hit, bool) {
	if k.query && (i == 0 || data[i-1] != '?' && data[i-1] != '&') {
		return hit{}, false
	}
	end, ok := k.named(data, i)
	if !ok {
		return hit{}, false
	}
	from, ok := assigned(data, end)
	if !ok {
		from, ok = option(data, i, end)
	}
	if !ok {
		return hit{}, false
	}
	from, to := k.value(data, from)
	return hit{k.kind, from, to}, to-from >= k.least
}

// second returns the bytes that may follow the first byte of the name; "" stands for any byte.
func (k *key) second() string {
	if k.name[1] == '_' {
		return ""
	}
	return k.name[1:2]
}

// named matches the name and returns its end.
func (k *key) named(data []byte, i int) (int, bool) {
	for _, c := range []byte(k.name) {
		switch {
		case i < len(data) && c == '_' && strings.IndexByte("_-. ", data[i]) >= 0:
		case c == '_':
			continue
		case i >= len(data) || data[i]|0x20 != c:
			return 0, false
		default:
		}
		i++
	}
	return i, true
}

// mostBlanks bounds the spaces around a separator.
const mostBlanks = 4

// assigned matches "=", ":", ":=" or "=>" with quotes and spaces around it, and returns the start
// of the value. It rejects "::", which separates names in C++ and Rust.
func assigned(data []byte, i int) (int, bool) {
	i = blanks(data, quote(data, i))
	if i >= len(data) || data[i] != '=' && data[i] != ':' {
		return 0, false
	}
	first := data[i]
	i++
	if i < len(data) && (first == ':' && data[i] == '=' || first == '=' && data[i] == '>') {
		i++
	}
	if i < len(data) && (data[i] == ':' || data[i] == '=') {
		return 0, false
	}
	return blanks(data, i), true
}

// option matches the separator behind an option of a command line ("--db-password x", "-password
// x", "/password x") whose name ends with the key from i to end. It returns the start of the value.
// A separator is a space, the NUL of /proc/PID/cmdline, or the quotes and comma of a list
// (["--password", "x"]).
func option(data []byte, i, end int) (int, bool) {
	if !isOption(data, i) {
		return 0, false
	}
	at := quote(data, end)
	if at > end && at < len(data) && data[at] == ',' {
		at++
	}
	from := blanks(data, at)
	if from < len(data) && data[from] == 0 {
		from++
	}
	return from, from > end && (from > at || at > end+1) && from < len(data) && data[from] != '-'
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

// quote returns the index behind a quotation mark at i, which may be escaped, or i if there is
// none.
func quote(data []byte, i int) int {
	at := i
	for at < len(data) && at < i+2 && data[at] == '\\' {
		at++
	}
	if at < len(data) && strings.IndexByte("\"'`", data[at]) >= 0 {
		return at + 1
	}
	return i
}

func blanks(data []byte, i int) int {
	for n := 0; i < len(data) && n < mostBlanks && (data[i] == ' ' || data[i] == '\t'); n++ {
		i++
	}
	return i
}

// value returns the start and the end of a secret: up to the closing quotation mark or, without
// quotes, the end of the word.
func (k *key) value(data []byte, i int) (from, to int) {
	from = quote(data, i)
	in := isValue
	switch {
	case from > i:
		in = quoted(data[from-1], from > i+1)
	case k.rest:
		in = func(b byte) bool { return isInLine(b) && b != '"' }
	}
	to = from
	for to < len(data) && to-from < maxSecret && in(data[to]) {
		to++
	}
	return from, to
}

// quoted returns the text up to the next quotation mark. If the first mark is escaped, the text is
// a literal within another one. Otherwise an escaped mark does not end the text.
func quoted(mark byte, escaped bool) func(byte) bool {
	backslash := false
	return func(b byte) bool {
		was := backslash
		backslash = b == '\\' && !was
		return isInLine(b) && (b != mark || was) && !(escaped && b == '\\')
	}
}

func isInLine(b byte) bool { return b >= ' ' && b != 0x7f || b == '\t' }

// mostMail is the maximum length of the local part and of the domain of an address. RFC 5321,
// section 4.5.3.1.
const mostMail = 255

// mail finds an address around its "@".
func mail(data []byte, i, least int) (hit, bool) {
	from, to := i, i+1
	for from > least && i-from < mostMail && isMailByte(data[from-1]) {
		from--
	}
	for to < len(data) && to-i < mostMail && (isTokenByte(data[to]) && data[to] != '_') {
		to++
	}
	for to > i+1 && (data[to-1] == '.' || data[to-1] == '-') { // punctuation of the sentence
		to--
	}
	domain := string(data[i+1 : to])
	dot := strings.LastIndexByte(domain, '.')
	isDomain := dot > 0 && len(domain)-dot > 2 && strings.Trim(domain[dot+1:], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
	return hit{mailKind, from, to}, isDomain && from < i && data[from] != '.'
}

const mailKind = "an e-mail address"

func isMailByte(b byte) bool { return isTokenByte(b) || b == '+' || b == '%' }
