package sanitize

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// A program takes a password behind an option or a word, whose meaning other programs do not share.
type program struct {
	options string // a star stands for a value that follows at once: "-p*" is "-psecret"
	with    string // a word that must be in the command: "docker run -p 80" has a port
	skip    int    // words before the value, behind the option
	words   int    // of the value, if there are several
	pair    string // the value is "name:password", with one of these signs
	first   bool   // the name begins the command, because it is a word of sentences, too

	named map[string]bool // the names, in lower case
}

// readPrograms reads those whose manuals say so: their names, the options, and the other fields. The first letter of an option stands for the last
// one of several, too: "curl -sSu".
//
// Sources: the manual of each program; for those of Windows, Microsoft's reference of commands.
func readPrograms() (out []program) {
	for _, c := range rows("programs") {
		p := program{named: setOf(c[0]), options: c[1]}
		values := flags(c[2], map[string]*bool{"first": &p.first}, "with", "skip", "words", "pair")
		p.with, p.pair = values["with"], values["pair"]
		p.skip, _ = strconv.Atoi(values["skip"])
		p.words, _ = strconv.Atoi(values["words"])
		out = append(out, p)
	}
	return out
}

// remotes are programs that take the name of a person at a host: "ssh jane@host".
var remotes = program{named: setOf("ssh scp sftp rsync mosh ssh-copy-id sshfs autossh")}

func setOf(text string) map[string]bool {
	out := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		out[word] = true
	}
	return out
}

type use struct {
	*program
	option string
	joined bool // the value follows at once
}

// usesOf returns the uses of programs by the first two letters of the option.
func usesOf(list []program) map[string][]use {
	out := map[string][]use{}
	for i := range list {
		for option := range strings.FieldsSeq(list[i].options) {
			text, joined := strings.CutSuffix(option, "*")
			out[text[:2]] = append(out[text[:2]], use{&list[i], text, joined})
		}
	}
	return out
}

// addCommands adds the finder of passwords in command lines.
func (t *finders) addCommands() {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	seconds := map[byte]string{'-': letters + strings.ToUpper(letters)} // of several options of one letter
	for start := range tables().uses {
		seconds[start[0]] += start[1:]
	}
	for first, of := range seconds {
		t.add(first, of, command)
	}
}

// Bounds of the distance from an option to the name of its program, and of the length of an option.
const (
	mostLine   = 256
	mostOption = 64
)

// wordEnds are the bytes between the words of a command line, of the list of its words, or of a literal.
const wordEnds = " \t\x00\"'"

// command finds the password behind the option at i.
func command(data []byte, i, _ int) (hit, bool) {
	if len(data)-i < 2 || i > 0 && strings.IndexByte(wordEnds, data[i-1]) < 0 && !isBehindEscape(data, i) {
		return hit{}, false
	}
	word := data[i:min(len(data), i+mostOption)]
	if n := bytes.IndexAny(word, wordEnds); n >= 0 {
		word = word[:n]
	}
	if n := bytes.Index(word, []byte(encodedNUL)); n >= 0 {
		word = bytes.TrimRight(word[:n], `\`)
	}
	if len(word) < 2 {
		return hit{}, false
	}
	if h, ok := find(tables().uses[string(word[:2])], word, data, i); ok {
		return h, true
	}
	if last := word[len(word)-1:]; len(word) > 2 && word[0] == '-' && word[1] != '-' { // several options of one letter
		return find(tables().uses["-"+string(last)], append([]byte{'-'}, last...), data, i+len(word)-2)
	}
	return hit{}, false
}

// find finds the password behind the word at i that may be one of the options.
func find(options []use, word, data []byte, i int) (hit, bool) {
	var line commandLine // up to the end of an option; thousands of options may follow each other
	ends := 0
	for _, u := range options {
		end := i + len(u.option)
		if !bytes.HasPrefix(word, []byte(u.option)) || u.joined != (len(word) > len(u.option) || isQuoted(data, end)) {
			continue
		}
		if ends != end {
			line, ends = readLine(data[max(0, i-mostLine):end]), end
		}
		if !line.runs(u.program) {
			continue
		}
		if h, ok := u.value(data, end); ok {
			return h, true
		}
	}
	return hit{}, false
}

// isQuoted reports whether a quoted text begins at i: -p'two words'.
func isQuoted(data []byte, i int) bool {
	return i+1 < len(data) && isQuote(data[i]) && data[i+1] > ' ' && strings.IndexByte(",]})\\", data[i+1]) < 0
}

// value finds the password behind the option that ends at an offset.
func (u *use) value(data []byte, from int) (hit, bool) {
	if !u.joined {
		var apart bool
		if from, apart = nextWord(data, from); !apart || hasAny(data, quote(data, from), "-") || from >= len(data) {
			return hit{}, false
		}
	}
	for range u.skip {
		first, to := (&key{}).value(data, from)
		if u.option == "use" && !bytes.HasPrefix(data[first:], []byte(`\\`)) && data[to-1] != ':' && !bytes.HasPrefix(data[first:], []byte("*")) {
			return hit{}, false // neither a share nor a device
		}
		var apart bool
		if from, apart = nextWord(data, to); !apart || from >= len(data) {
			return hit{}, false
		}
	}
	if u.skip > 0 && hasAny(data, quote(data, from), `-/\*+`) { // another option, a share, or a password that is asked for
		return hit{}, false
	}
	from, to := (&key{}).value(data, from)
	if u.pair != "" {
		n := strings.IndexAny(string(data[from:to]), u.pair)
		if n < 0 {
			return hit{}, false
		}
		from += n + 1
	}
	if u.words > 1 {
		if next, apart := nextWord(data, to); apart && next < len(data) && data[next] != '-' {
			_, to = (&key{}).value(data, next)
		}
	}
	return hit{"a password", from, to}, to > from
}

func hasAny(data []byte, i int, of string) bool {
	return i < len(data) && strings.IndexByte(of, data[i]) >= 0
}

// starters are words before the name of a program.
var starters = []string{"sudo", "doas", "env", "exec", "nohup", "time", "-c", "/c", "$", "#", ">"}

// A commandLine is the last command of a text. Its words are read from the last one on, as far as they are
// needed: thousands of options may follow each other behind one program.
type commandLine struct {
	left  string   // what was not read
	words []string // in lower case, the last one first
}

func readLine(line []byte) commandLine {
	if n := bytes.LastIndexAny(line, "\n|;"); n >= 0 {
		line = line[n+1:]
	}
	left := strings.ToLower(string(line))
	return commandLine{left: strings.ReplaceAll(left, encodedNUL, " ")}
}

// word returns the nth word from the end, "" beyond the first one.
func (c *commandLine) word(n int) string {
	for len(c.words) <= n && c.left != "" {
		end := len(c.left)
		for end > 0 && betweenWords[c.left[end-1]] {
			end--
		}
		from := end
		for from > 0 && !betweenWords[c.left[from-1]] {
			from--
		}
		if from < end {
			c.words = append(c.words, c.left[from:end])
		}
		c.left = c.left[:from]
	}
	if n >= len(c.words) {
		return ""
	}
	return c.words[n]
}

// betweenWords are the bytes between the words of a command, also of one in a list.
var betweenWords = func() (of [256]bool) {
	for _, b := range []byte(wordEnds + ",[") {
		of[b] = true
	}
	return of
}()

// runs reports whether a command has the program's name, as a word or at the end of a path.
func (c *commandLine) runs(p *program) bool {
	for n := 0; c.word(n) != ""; n++ {
		word := strings.TrimRight(c.word(n), `\`)  // of an encoded quotation mark
		begins := strings.IndexByte(word, '=') > 0 // the value of a variable: LAST=net user jane x
		word = word[strings.LastIndexAny(word, "/=")+1:]
		word = word[strings.LastIndexByte(word, '\\')+1:]
		word = strings.TrimSuffix(strings.TrimSuffix(word, ".exe"), ".py")
		if p.named[word] && (!p.first || begins || c.word(n+1) == "" || slices.Contains(starters, c.word(n+1))) {
			return p.with == "" || c.has(p.with)
		}
	}
	return false
}

func (c *commandLine) has(word string) bool {
	for n := 0; c.word(n) != ""; n++ {
		if c.word(n) == word {
			return true
		}
	}
	return false
}

// isRemote reports whether a command line takes the name of a person at a host.
func isRemote(line []byte) bool {
	c := readLine(line)
	return c.runs(&remotes)
}

// A logon is a name and a password with a slash between them, before an @ or at the end of the word.
type logon struct {
	mark    string
	command bool // the mark is a program, and options may precede the logon
	colon   bool // a colon is between the name and the password: "domain/name:password@host"
}

// logons are those of Oracle's programs and drivers. Source: SQL*Plus User's Guide, and JDBC Developer's Guide,
// "Database URLs and Database Specifiers". Impacket's programs take the name and the password of a Windows domain.
var logons = eachOf([]logon{
	{mark: "sqlplus|sqlldr|expdp|impdp", command: true},
	{mark: "psexec.py|smbexec.py|wmiexec.py|atexec.py|dcomexec.py|secretsdump.py|smbclient.py|mssqlclient.py|" +
		"impacket-psexec|impacket-smbexec|impacket-wmiexec|impacket-atexec|impacket-secretsdump|impacket-smbclient|impacket-mssqlclient", command: true, colon: true},
	{mark: "jdbc:oracle:thin:|jdbc:oracle:oci:|jdbc:oracle:oci8:"},
}, func(l *logon) *string { return &l.mark })

// mostOptions bounds the options before a logon.
const mostOptions = 16

// find finds the password of a logon behind the mark at i.
func (l *logon) find(data []byte, i, _ int) (hit, bool) {
	end := i + len(l.mark)
	if end > len(data) || !strings.EqualFold(string(data[i:end]), l.mark) || i > 0 && isTokenByte(data[i-1]) {
		return hit{}, false
	}
	for n := 0; l.command; n++ {
		if bytes.HasPrefix(data[end:], []byte(".exe")) {
			end += len(".exe")
		}
		from, apart := nextWord(data, end)
		if !apart || from >= len(data) || n == mostOptions {
			return hit{}, false
		}
		if end = from; !hasAny(data, quote(data, from), "-") {
			break
		}
		end = wordEnd(data, quote(data, from))
	}
	from, to := (&key{}).value(data, end)
	sign := byte('/')
	if l.colon {
		sign = ':'
	}
	slash := bytes.IndexByte(data[from:to], sign)
	if slash <= 0 || bytes.IndexByte(data[from:from+slash], '@') >= 0 || data[from] == '/' {
		return hit{}, false
	}
	from += slash + 1
	if at := bytes.LastIndexByte(data[from:to], '@'); at >= 0 {
		to = from + at
	}
	return hit{"a password", from, to}, to > from
}
