package sanitize

import (
	"bytes"
	"strings"
)

// A value is one that reports have under a name.
type value struct {
	key string // in lower case
	how string // what becomes of it
}

const (
	ofNumber  = "number"  // digits and letters become zeros, so that the form stays
	ofName    = "name"    // a person or a machine, which is replaced everywhere
	ofProgram = "program" // the first word stays
	ofAny     = "gone"
)

func readValues() (out []value) {
	for _, c := range rows("report keys") {
		for key := range strings.SplitSeq(c[0], "|") {
			out = append(out, value{key, c[1]})
		}
	}
	return out
}

// values replaces values by their names: `User ID: 501`, `"userID" : 501`, `uid=1000`, `<LoginId>5f</LoginId>`, "of user 1000".
func (t *reportText) values(data []byte, isJSON bool) []byte {
	var out bytes.Buffer
	done, n := 0, 0
	for i := 0; i < len(data); i++ {
		if strings.IndexByte(":=> ", data[i]) < 0 || i < done {
			continue
		}
		how, quoted := keyBefore(data, i)
		if how == "" {
			continue
		}
		from, to := valueAt(data, i, quoted)
		if isJSON && !quoted {
			to = from + min(to-from, indexAny(data[from:], `"\`))
		}
		if to <= from {
			continue
		}
		out.Write(data[done:from])
		out.WriteString(t.replaced(how, string(data[from:to]), quoted))
		done = to
		n++
	}
	out.Write(data[done:])
	if n > 0 {
		t.c.removed("values that name a person, a machine or a command", n, 0)
	}
	return out.Bytes()
}

// keyBefore finds the name before a separator, which may be in quotation marks, and what becomes of its value.
func keyBefore(data []byte, i int) (how string, quoted bool) {
	if data[i] == ' ' {
		if bytes.HasSuffix(data[:i], []byte(" of user")) && i+1 < len(data) && isDigit(data[i+1]) {
			return ofNumber, false
		}
		return "", false
	}
	end := i
	for end > 0 && (data[end-1] == ' ' || data[end-1] == '\t') && i-end < 8 {
		end--
	}
	if quoted = end > 0 && data[end-1] == '"'; quoted {
		if end--; end > 0 && data[end-1] == '\\' {
			end--
		}
	}
	for _, v := range tables().values {
		start := end - len(v.key)
		if start < 0 || data[end-1]|0x20 != v.key[len(v.key)-1]|0x20 || !strings.EqualFold(string(data[start:end]), v.key) {
			continue
		}
		if start > 0 && isAlphanumeric(data[start-1]) || data[i] == '>' && (start == 0 || data[start-1] != '<') || quoted && data[i] != ':' {
			continue
		}
		beginsLine := start == 0 || data[start-1] == '\n' // "Hostname:janes-pc", but not "-[Login user:]" and a::b
		if !quoted && data[i] == ':' && i+1 < len(data) && data[i+1] > ' ' && (!beginsLine || data[i+1] == ':') {
			continue
		}
		return v.how, quoted
	}
	return "", false
}

// valueAt returns the place of a value behind its separator: to the end of the line, or of the value of JSON, of the element, or of the word behind "=".
// Lines that begin with a space go on in Apport's reports, if the name begins its line.
func valueAt(data []byte, i int, quoted bool) (from, to int) {
	from = i + 1
	for from < len(data) && (data[from] == ' ' || data[from] == '\t' || quoted && data[from] == '\n') {
		from++
	}
	rest := data[from:]
	switch {
	case quoted:
		return from, from + jsonEnd(rest)
	case data[i] == '>':
		n := bytes.IndexByte(rest, '<')
		return from, from + max(n, 0)
	case data[i] == '=':
		if quote := bytes.TrimPrefix(rest, []byte(`\`)); len(quote) > 0 && (quote[0] == '"' || quote[0] == '\'') { // user="Jane Doe", in JSON user=\"Jane Doe\"
			from += len(rest) - len(quote) + 1
			return from, from + indexAny(quote[1:], string(quote[0])+"\\\r\n")
		}
		return from, from + indexAny(rest, " \t\r\n,;)\"'<")
	case data[i] == ' ':
		return from, from + indexAny(rest, " \t\r\n,;")
	}
	to = from + indexAny(rest, "\r\n")
	if line := bytes.LastIndexByte(data[:i], '\n') + 1; line == i || data[line] == ' ' || bytes.IndexByte(data[line:i], ' ') >= 0 {
		return from, to
	}
	for to+1 < len(data) && data[to] == '\n' && data[to+1] == ' ' {
		to += 1 + indexAny(data[to+1:], "\n")
	}
	return from, to
}

func indexAny(data []byte, chars string) int {
	if n := bytes.IndexAny(data, chars); n >= 0 {
		return n
	}
	return len(data)
}

// jsonEnd is the length of the value at the beginning of data.
func jsonEnd(data []byte) int {
	depth := 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '\\':
			if depth == 0 && i+1 < len(data) && data[i+1] == '"' { // JSON in a string
				if n := bytes.Index(data[i+2:], []byte(`\"`)); n >= 0 {
					return i + 2 + n + 2
				}
			}
		case '"':
			if i = stringEnd(data, i) - 1; depth == 0 {
				return i + 1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth <= 0 {
				return i + 1 + min(depth, 0)
			}
		case ',', '\n', '\r':
			if depth == 0 {
				return i
			}
		}
	}
	return len(data)
}

// replaced returns what stands for a value.
func (t *reportText) replaced(how, s string, quoted bool) string {
	open, inner, closing := "", s, ""
	switch {
	case quoted && s != "" && (s[0] == '{' || s[0] == '['):
		return s[:1] + s[len(s)-1:]
	case quoted && (s[0] == '-' || isDigit(s[0])):
		return "0"
	case quoted && s[0] != '"' && s[0] != '\\': // null, true
		return s
	case quoted:
		n := 1 + strings.IndexByte(s, '"')
		open, inner, closing = s[:n], s[n:max(n, len(s)-n)], s[max(n, len(s)-n):]
	}
	switch how {
	case ofNumber:
		inner = t.zeros(inner)
	case ofName:
		if name := strings.TrimSpace(inner); name != "" {
			t.person(name)
			inner = maskedUser
		}
	case ofProgram:
		if word, more, found := strings.Cut(inner, " "); found && more != "" {
			inner = word + " " + maskedSecret
		}
	default:
		if inner != "" {
			inner = maskedSecret
		}
	}
	return open + inner + closing
}

// zeros replaces digits and letters. A name in parentheses is that of a person: "1000 (jane)".
func (t *reportText) zeros(s string) string {
	if _, name, ok := strings.Cut(s, "("); ok {
		name, _, _ = strings.Cut(name, ")")
		t.person(name)
	}
	out := []byte(strings.TrimPrefix(s, "0x"))
	for i, b := range out {
		if isAlphanumeric(b) || b >= 0x80 {
			out[i] = '0'
		}
	}
	return s[:len(s)-len(out)] + string(out)
}
