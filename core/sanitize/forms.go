package sanitize

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed secrets.txt
var secretsText string

// rows returns the rows of a table of secrets.txt, which begins with its name behind "=". Their columns have tabs between them; behind the
// last one, which has flags, there may be a comment.
func rows(table string) (out [][]string) {
	_, text, found := strings.Cut(secretsText, "= "+table+"\n")
	if !found {
		panic("sanitize: secrets.txt: no table " + table) // our own text; a test reads it all
	}
	text, _, _ = strings.Cut(text, "\n=")
	for line := range strings.Lines(text) {
		out = append(out, append(strings.Split(strings.TrimSuffix(line, "\n"), "\t"), "", ""))
	}
	return out
}

// flags sets the flags that a column names, and returns the values of its words that have one ("skip=2"), which are of the names in valued.
func flags(column string, known map[string]*bool, valued ...string) map[string]string {
	values := map[string]string{}
	for word := range strings.FieldsSeq(column) {
		name, value, has := strings.Cut(word, "=")
		switch flag := known[name]; {
		case flag != nil && !has:
			*flag = true
		case has && slices.Contains(valued, name):
			values[name] = value
		default:
			panic("sanitize: secrets.txt: unknown flag " + word) // our own text; a test reads it all
		}
	}
	return values
}

// tables has what secrets.txt says. It is read on first use: most runs of the program mask nothing.
var tables = sync.OnceValue(func() *secretTables {
	t := &secretTables{patterns: readPatterns(), keys: readKeys(), programs: readPrograms(), roots: readRoots(), values: readValues(), sections: rows("report sections")}
	t.encoded, t.uses, t.rootsOf = encodedKeys(t.keys), usesOf(t.programs), byFirst(t.roots)
	return t
})

type secretTables struct {
	patterns []pattern
	keys     []key
	values   []value         // of reports that are text
	sections [][]string      // likewise: headings, and those of what follows
	encoded  map[rune][]*key // that begin with a letter beyond ASCII, by that letter in each case
	programs []program
	uses     map[string][]use // of all programs, by the first two letters of the option
	roots    []root
	rootsOf  [256][]*root // by their first byte, in either case
}

// alphabets are the names of alphabets in secrets.txt.
var alphabets = map[string]func(byte) bool{
	"pem": isPEM, "capital": isUpperOrDigit, "word": isWordByte, "token": isTokenByte, "path": isPathByte, "base64": isBase64,
	"alphanumeric": isAlphanumeric, "hex": isHex, "hex_": isHexOrMark, "crypt": isCrypt,
}

// readPatterns reads the secrets with a recognizable form: the kind, the marks, the number of characters behind them, and their alphabet.
//
// Sources: the documentation of each service on the form of its tokens, and the rules of gitleaks
// (config/gitleaks.toml), which have the same names; RFC 7468 for keys, RFC 7519 for JSON web
// tokens, RFC 7617 and RFC 6750 for headers. gitleaks itself is not used: it has some forty
// dependencies, and a regular expression for each rule is too slow for the memory of a process.
func readPatterns() (out []pattern) {
	for _, c := range rows("patterns") {
		p := pattern{kind: c[0], mark: c[1], of: alphabets[c[3]]}
		p.least, _ = strconv.Atoi(c[2])
		flags(c[4], map[string]*bool{"keep": &p.keep, "noWord": &p.noWord})
		out = append(out, p)
	}
	return eachOf(out, func(p *pattern) *string { return &p.mark })
}

// isCrypt reports whether a byte may be in a hash of crypt(5), or in a userPassword of RFC 2307.
func isCrypt(b byte) bool { return isBase64(b) || b == '.' || b == '$' || b == ',' }

// isHexOrMark is for tokens with the number of an instance in front: "sgp_0123456789abcdef_".
func isHexOrMark(b byte) bool { return isHex(b) || b == '_' }

func isHex(b byte) bool { return isDigit(b) || b|0x20 >= 'a' && b|0x20 <= 'f' }

// eachOf makes a row for each text of the rows of a table, in which "|" separates several texts.
func eachOf[T any](table []T, text func(*T) *string) (out []T) {
	for _, row := range table {
		for part := range strings.SplitSeq(*text(&row), "|") {
			*text(&row) = part
			out = append(out, row)
		}
	}
	return out
}

// isPathByte reports whether a byte may be in the path of a URL.
func isPathByte(b byte) bool { return isTokenByte(b) || b == '/' }
