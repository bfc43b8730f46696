package sanitize

import "strings"

// A key is a name that a secret stands behind: "password: x", "token=x",
// "\"api_key\": \"x\"".
type key struct {
	kind  string
	name  string // in small letters; _ stands for any of _ - . and a blank, or none
	least int    // characters of the secret
	rest  bool   // it ends where the line does
	query bool   // only in the query of a URL: the name is too common elsewhere
}

// keys end in the names that count: "db_password" and "refresh_token" are
// found by their ends.
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

// at reports whether a secret stands behind that name at i.
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

// second are the bytes that the name may go on with, of which "" stands for any.
func (k *key) second() string {
	if k.name[1] == '_' {
		return ""
	}
	return k.name[1:2]
}

// named matches the name and returns where it ends.
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

// mostBlanks is how many blanks may stand around a sign.
const mostBlanks = 4

// assigned matches "=", ":", ":=" or "=>" with what may stand around it, and
// returns where the value begins. "::" parts names of C++ and of Rust.
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

// option matches what parts an option of a command line ("--db-password x",
// "-password x", "/password x") whose name ends with the key from i to end from
// its value, and returns where the value begins. That is a blank, the NUL of
// /proc/PID/cmdline, or the marks and the comma of a list (["--password", "x"]).
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

// isOption reports whether the word that goes on at i begins as an option does.
// Two hyphens may stand behind anything; one hyphen or a slash is also found
// inside of words and paths, so that it has to begin a word.
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

// quote is behind a quotation mark at i, which may be escaped, if there is one.
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

// value is where a secret begins and ends: in quotation marks where the next one
// is, and otherwise with the word.
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

// quoted is what stands up to the next mark. Where the first one is escaped the
// whole text is a literal in another one; elsewhere an escaped mark ends nothing.
func quoted(mark byte, escaped bool) func(byte) bool {
	backslash := false
	return func(b byte) bool {
		was := backslash
		backslash = b == '\\' && !was
		return isInLine(b) && (b != mark || was) && !(escaped && b == '\\')
	}
}

func isInLine(b byte) bool { return b >= ' ' && b != 0x7f || b == '\t' }

// mostMail is how long the local part and the domain of an address may be.
// RFC 5321, section 4.5.3.1.
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
	for to > i+1 && (data[to-1] == '.' || data[to-1] == '-') { // of the sentence
		to--
	}
	domain := string(data[i+1 : to])
	dot := strings.LastIndexByte(domain, '.')
	isDomain := dot > 0 && len(domain)-dot > 2 && strings.Trim(domain[dot+1:], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
	return hit{mailKind, from, to}, isDomain && from < i && data[from] != '.'
}

const mailKind = "an e-mail address"

func isMailByte(b byte) bool { return isTokenByte(b) || b == '+' || b == '%' }
