package sanitize

import (
	"bytes"
	"iter"
	"strings"
	"sync"
	"unicode/utf8"
)

// A Secret is something that looks like a key, a token or a password.
type Secret struct {
	Kind  string `json:"kind"`  // "an AWS access key"
	Where string `json:"where"` // "stream LinuxEnviron", "memory at 0x7ffe0010"
	Stays bool   `json:"stays"` // it could not be removed
}

// A pattern is the form of a kind of secret: a mark, then a number of characters of an alphabet.
type pattern struct {
	kind  string
	mark  string
	least int // characters after the mark
	of    func(byte) bool
	keep  bool // the mark itself is not secret and stays: "password="

	noWord bool // lower-case letters alone are a word of a sentence: "basic authentication"
}

func isUpperOrDigit(b byte) bool { return b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' }
func isWordByte(b byte) bool {
	return isUpperOrDigit(b) || b >= 'a' && b <= 'z' || b == '_'
}

// isAlphanumeric is for tokens whose mark is also the prefix of a library's functions: those of GTK begin with "gsk_".
func isAlphanumeric(b byte) bool { return isWordByte(b) && b != '_' }

func isTokenByte(b byte) bool { return isWordByte(b) || b == '-' || b == '.' }
func isBase64(b byte) bool    { return isAlphanumeric(b) || b == '+' || b == '/' || b == '=' }
func isPEM(b byte) bool {
	return isBase64(b) || b == ' ' || b == '-' || b == '\n' || b == '\r' || b == ':' || b == ','
}

// A hit is a secret in bytes: from and up to an offset.
type hit struct {
	kind     string
	from, to int
}

// A finder looks for a secret at an offset of a text; least is the end of the secret before it.
type finder func(data []byte, i, least int) (hit, bool)

// finders holds the finders to try at a byte, and the bytes that may follow it. Most pairs of bytes in
// memory begin no secret, and the search skips them.
type finders struct {
	at    [256][]finder
	pairs [256][256 / 64]uint64
}

// add adds a finder for a first byte and the bytes that may follow; "" stands for any byte.
func (t *finders) add(first byte, second string, f finder) {
	t.at[first] = append(t.at[first], f)
	if second == "" {
		t.pairs[first] = [4]uint64{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
	}
	for _, b := range []byte(second) {
		t.pairs[first][b/64] |= 1 << (b % 64)
	}
}

// both adds a finder for letters in both cases.
func (t *finders) both(first byte, second string, f finder) {
	second = strings.ToLower(second) + strings.ToUpper(second)
	t.add(first, second, f)
	if first < utf8.RuneSelf && isLetter(first) {
		t.add(first^0x20, second, f)
	}
}

// has reports whether a finder may begin with the byte at i and the byte after it.
func (t *finders) has(data []byte, i int) bool {
	if i+1 == len(data) {
		return true
	}
	next := data[i+1]
	return t.pairs[data[i]][next/64]>>(next%64)&1 == 1
}

// finding has the finders of secrets with a recognizable form, and those that also find secrets behind a name, and e-mail addresses.
var finding = sync.OnceValue(func() *struct{ forms, everything *finders } {
	return &struct{ forms, everything *finders }{newForms(), newEverything()}
})

func newForms() *finders {
	t, list := &finders{}, tables().patterns
	for i := range list {
		p := &list[i]
		add := t.add
		if p.keep {
			add = t.both
		}
		add(p.mark[0], p.mark[1:2], p.at)
	}
	t.add(':', "/pPeEsS", urlPassword)
	t.add('/', "/", urlPassword)
	t.add('_', "pP", urlPassword)
	t.add(':', "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-", botToken)
	return t
}

func newEverything() *finders {
	t, list := newForms(), tables().keys
	for i := range list {
		list[i].addTo(t)
	}
	t.add('%', "CDEcde", encodedKey) // of a character of two or three bytes
	t.add('\\', `u\`, encodedKey)
	t.addCommands()
	for i := range logons {
		t.both(logons[i].mark[0], logons[i].mark[1:2], logons[i].find)
	}
	t.add('@', "", mail)
	return t
}

// each finds secrets in text of one byte a character, in order.
func (t *finders) each(data []byte) iter.Seq[hit] {
	return func(yield func(hit) bool) {
		done := 0
		for i := 0; i < len(data); i++ {
			if !t.has(data, i) {
				continue
			}
			for _, f := range t.at[data[i]] {
				if h, ok := f(data, i, done); ok && !bytes.HasPrefix(data[h.from:h.to], []byte(maskedSecret)) {
					if !yield(h) {
						return
					}
					i, done = h.to-1, h.to
					break
				}
			}
		}
	}
}

func (p *pattern) at(data []byte, i, _ int) (hit, bool) {
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
	if end-from < p.least || p.noWord && !bytes.ContainsFunc(data[from:end], func(r rune) bool { return r < 'a' || r > 'z' }) {
		return hit{}, false
	}
	if !p.keep {
		from = i
	}
	return hit{p.kind, from, end}, true
}

// maxSecret bounds the length of a secret; the rest of a longer one is found again.
const maxSecret = 16 << 10

// maxURLPassword bounds the distance from "://" to the end of a password.
const maxURLPassword = 512

// botToken finds a token of Telegram by its colon: the number of the bot and 35 characters.
//
// Spec: https://core.telegram.org/bots/api#authorizing-your-bot
func botToken(data []byte, i, _ int) (hit, bool) {
	from, to := i, i+1
	for from > max(0, i-12) && isDigit(data[from-1]) {
		from--
	}
	for i-from >= 8 && to < len(data) && to-i <= 48 && isTokenByte(data[to]) && data[to] != '.' {
		to++
	}
	return hit{"a Telegram token", from, to}, to-i > 34
}

// authorities are what stands before the part of a URL with the name and the host, also of a URL without a
// scheme, of cvs, and of variables with a proxy.
var authorities = []string{"://", "//", ":pserver:", ":ext:", ":sspi:", "_proxy=", "_PROXY="}

// urlPassword finds the password of "://name:password@". It ends at the last @
// before the path: people leave an @ of their password as it is, and browsers
// read it so. A slash before the first @ is part of the password, unless what precedes it is a port or
// nothing.
//
// Spec: https://url.spec.whatwg.org/#authority-state
func urlPassword(data []byte, i, _ int) (hit, bool) {
	n := prefixOf(data, i, authorities)
	if n == 0 || n == 2 && i > 0 && strings.IndexByte(wordEnds+"=(", data[i-1]) < 0 {
		return hit{}, false
	}
	colon, end, isPort := 0, 0, true
	for at := i + n; at < min(len(data), i+maxURLPassword) && !endsURL(data, i, at); at++ {
		if data[at] == '/' && end == 0 && !isPort && n > 2 {
			continue
		}
		if endsAuthority(data[at], end > 0) {
			break
		}
		if data[at] == ':' && colon == 0 {
			colon = at
		}
		isPort = isPort && (colon == 0 || data[at] <= ':')
		if data[at] == '@' && colon > 0 && at > colon+1 {
			end = at
		}
	}
	return hit{"a password in a URL", colon + 1, end}, end > 0
}

// endsURL reports whether a URL ends before its path. Passwords have any sign, so a quotation mark
// ends it only where a text in quotes may end.
func endsURL(data []byte, from, at int) bool {
	b := data[at]
	return b <= ' ' || b == 0x7f || isQuote(b) && endsValue(data, from, at)
}

// endsAuthority reports whether a byte ends the part of a URL with the host. A ?
// or # before the first @ may be part of a password, too.
func endsAuthority(b byte, host bool) bool { return b == '/' || host && (b == '?' || b == '#') }

func maskSecrets(s string) string { return finding().everything.mask(s) }

func (t *finders) mask(s string) string {
	var out strings.Builder
	done := 0
	for h := range t.each([]byte(s)) {
		out.WriteString(s[done:h.from])
		out.WriteString(maskedSecret)
		done = h.to
	}
	out.WriteString(s[done:])
	return out.String()
}

// otherLetter stands for a character of UTF-16 that has more than one byte.
const otherLetter = 0xff

// narrow converts UTF-16 from an offset of 0 or 1 on to one byte a character. A character of two bytes
// becomes otherLetter within text, and else 0.
//
// An offset that is odd in text with the lower byte first is even in text with the upper byte first.
// There a character is between two zeros, except that the last one has a zero before it only.
func narrow(data []byte, at int) []byte {
	out := make([]byte, 0, (len(data)+1)/2)
	inText := false
	for i := at; i < len(data); i += 2 {
		c := data[i]
		before, behind := i > 0 && data[i-1] == 0, i+1 < len(data) && data[i+1] == 0
		switch {
		case behind:
			inText = c != 0
		case inText && goesOn(data, i, before && printable(c)):
			c = otherLetter
		case inText && before:
			inText = false
		default:
			c, inText = 0, false
		}
		out = append(out, c)
	}
	return out
}

// goesOn reports whether a character of two bytes with the lower byte first is at i: text goes on behind
// it, or ends there. If it may also be the last character of text with the upper byte first, which
// anything may follow, then more of the same alphabet has to follow, or ASCII.
func goesOn(data []byte, i int, maybeLast bool) bool {
	if i+3 >= len(data) {
		return false
	}
	const lastAlphabet, firstSurrogate = 0x0f, 0xd8
	upper, next := data[i+1], data[i+3]
	if maybeLast {
		return next == 0 && printable(data[i+2]) || upper <= lastAlphabet && next == upper && upper > 1
	}
	return upper < firstSurrogate && next < firstSurrogate
}

// everySecret finds secrets in bytes that may be text of either width, and of either byte order.
func everySecret(data []byte) iter.Seq[hit] {
	return func(yield func(hit) bool) {
		if bytes.Count(data, []byte{0}) == len(data) {
			return // as most of what a small file unpacks to
		}
		for h := range finding().everything.each(data) {
			if !yield(h) {
				return
			}
		}
		for at := range 2 {
			for h := range finding().everything.each(narrow(data, at)) {
				if !yield(hit{h.kind, at + 2*h.from, min(at+2*h.to, len(data))}) {
					return
				}
			}
		}
	}
}
