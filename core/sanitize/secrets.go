package sanitize

import (
	"bytes"
	"strings"
)

// A Secret is something that looks like a key, a token or a password.
type Secret struct {
	Kind  string `json:"kind"`  // "an AWS access key"
	Where string `json:"where"` // "stream LinuxEnviron", "memory at 0x7ffe0010"
	Stays bool   `json:"stays"` // it could not be taken out
}

// A pattern is how a kind of secret looks: after its mark come so many
// characters of an alphabet.
type pattern struct {
	kind  string
	mark  string
	least int // characters after the mark
	of    func(byte) bool
	keep  bool // the mark itself says nothing and stays: "password="
}

// patterns are the secrets that have a form of their own.
//
// Sources: the documentation of each service on the form of its tokens; RFC
// 7468 for keys, RFC 7519 for JSON web tokens, RFC 3986 for passwords in URLs.
var patterns = []pattern{
	{"a private key", "-----BEGIN ", 10, isPEM, false},
	{"an AWS access key", "AKIA", 16, isUpperOrDigit, false},
	{"an AWS access key", "ASIA", 16, isUpperOrDigit, false},
	{"a GitHub token", "ghp_", 30, isWordByte, false},
	{"a GitHub token", "gho_", 30, isWordByte, false},
	{"a GitHub token", "ghs_", 30, isWordByte, false},
	{"a GitHub token", "ghu_", 30, isWordByte, false},
	{"a GitHub token", "github_pat_", 20, isWordByte, false},
	{"a GitLab token", "glpat-", 16, isTokenByte, false},
	{"a Slack token", "xoxb-", 10, isTokenByte, false},
	{"a Slack token", "xoxp-", 10, isTokenByte, false},
	{"a Slack token", "xoxa-", 10, isTokenByte, false},
	{"a Google API key", "AIza", 30, isTokenByte, false},
	{"a Google token", "ya29.", 20, isTokenByte, false},
	{"a Stripe key", "sk_live_", 16, isWordByte, false},
	{"a Stripe key", "rk_live_", 16, isWordByte, false},
	{"an OpenAI or Anthropic key", "sk-", 20, isTokenByte, false},
	{"an npm token", "npm_", 30, isWordByte, false},
	{"a PyPI token", "pypi-", 20, isTokenByte, false},
	{"a SendGrid key", "SG.", 30, isTokenByte, false},
	{"a JSON web token", "eyJ", 30, isTokenByte, false},
	{"an authorization header", "Bearer ", 12, isTokenByte, true},
	{"an authorization header", "Basic ", 12, isBase64, true},
	{"a password", "password=", 1, isValue, true},
	{"a password", "passwd=", 1, isValue, true},
	{"a password", "pwd=", 1, isValue, true},
	{"a secret", "secret=", 1, isValue, true},
	{"a secret", "client_secret=", 1, isValue, true},
	{"a token", "token=", 6, isValue, true},
	{"an API key", "api_key=", 6, isValue, true},
	{"an API key", "apikey=", 6, isValue, true},
	{"a session", "sessionid=", 6, isValue, true},
}

func isUpperOrDigit(b byte) bool { return b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' }
func isWordByte(b byte) bool {
	return isUpperOrDigit(b) || b >= 'a' && b <= 'z' || b == '_'
}
func isTokenByte(b byte) bool { return isWordByte(b) || b == '-' || b == '.' }
func isBase64(b byte) bool    { return isWordByte(b) && b != '_' || b == '+' || b == '/' || b == '=' }
func isPEM(b byte) bool {
	return isBase64(b) || b == ' ' || b == '-' || b == '\n' || b == '\r' || b == ':' || b == ','
}
func isValue(b byte) bool { return b > ' ' && b <= '~' && !strings.ContainsRune(`&;"'<>,`, rune(b)) }

// A hit is a secret in bytes: from and up to an offset.
type hit struct {
	kind     string
	from, to int
}

// byFirst are the patterns whose mark begins with a byte.
var byFirst = func() (t [256][]*pattern) {
	for i := range patterns {
		p := &patterns[i]
		t[p.mark[0]] = append(t[p.mark[0]], p)
		if upper := p.mark[0] &^ 0x20; p.keep && upper != p.mark[0] {
			t[upper] = append(t[upper], p)
		}
	}
	return t
}()

// findSecrets finds secrets in text of one byte a character, in order.
func findSecrets(data []byte) (out []hit) {
	for i := 0; i < len(data); i++ {
		for _, p := range byFirst[data[i]] {
			if h, ok := p.at(data, i); ok {
				out = append(out, h)
				i = h.to - 1
				break
			}
		}
		if i < len(data) && data[i] == ':' {
			if h, ok := urlPassword(data, i); ok {
				out = append(out, h)
				i = h.to - 1
			}
		}
	}
	return out
}

// at reports whether a secret of that kind begins at i.
func (p *pattern) at(data []byte, i int) (hit, bool) {
	end := i + len(p.mark)
	if end > len(data) || !p.keep && i > 0 && isWordByte(data[i-1]) {
		return hit{}, false
	}
	if mark := string(data[i:end]); mark != p.mark && !(p.keep && strings.EqualFold(mark, p.mark)) {
		return hit{}, false
	}
	from := end
	for end < len(data) && end-from < maxSecret && p.of(data[end]) {
		end++
	}
	if end-from < p.least {
		return hit{}, false
	}
	if !p.keep {
		from = i
	}
	return hit{p.kind, from, end}, true
}

// maxSecret is the length of the longest secret; what follows is found again.
const maxSecret = 16 << 10

// maxURLPassword is how far behind the colons a password may end.
const maxURLPassword = 512

// urlPassword finds the password of "://name:password@".
func urlPassword(data []byte, i int) (hit, bool) {
	if !bytes.HasPrefix(data[i:], []byte("://")) {
		return hit{}, false
	}
	colon := 0
	for at := i + 3; at < min(len(data), i+maxURLPassword) && isValue(data[at]) && data[at] != '/'; at++ {
		if data[at] == ':' && colon == 0 {
			colon = at
		}
		if data[at] == '@' && colon > 0 && at > colon+1 {
			return hit{"a password in a URL", colon + 1, at}, true
		}
	}
	return hit{}, false
}

// maskSecrets takes secrets out of a text.
func maskSecrets(s string) string {
	var out strings.Builder
	done := 0
	for _, h := range findSecrets([]byte(s)) {
		out.WriteString(s[done:h.from])
		out.WriteString(maskedSecret)
		done = h.to
	}
	out.WriteString(s[done:])
	return out.String()
}

// narrow makes text of one byte a character of UTF-16 that begins at an offset
// of 0 or 1: what is not ASCII becomes 0.
func narrow(data []byte, at int) []byte {
	out := make([]byte, 0, len(data)/2)
	for i := at; i+1 < len(data); i += 2 {
		c := data[i]
		if data[i+1] != 0 {
			c = 0
		}
		out = append(out, c)
	}
	return out
}

// everySecret finds secrets in bytes that may be text of either width.
func everySecret(data []byte) (out []hit) {
	out = findSecrets(data)
	for at := range 2 {
		for _, h := range findSecrets(narrow(data, at)) {
			out = append(out, hit{h.kind, at + 2*h.from, at + 2*h.to})
		}
	}
	return out
}
