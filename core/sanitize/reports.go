package sanitize

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"crashglass/core/analyze"
	"crashglass/core/base/bin"
	"crashglass/core/base/sorting"
	"crashglass/core/dump/text/android"
	"crashglass/core/machine/cpu"
)

// cleanText masks a report that is text. It stays text of the same kind, so that every program reads it that read the report; the lines of other
// writers of its log are left out. What its lines say of the person and of the machine is replaced: values by their names in secrets.txt, whole
// sections, numbers of networks, texts in registers and memory, and what masks of all texts find.
func cleanText(s *analyze.Session, syms analyze.Symbols, opt Options) (*Result, error) {
	p := s.Process()
	data, err := p.Origin.Excerpt()
	if err != nil {
		return nil, err
	}
	need := newNeeds(s)
	views, err := need.gather(s, syms)
	if err != nil {
		return nil, err
	}
	c := cleaner{s: s, opt: opt, need: need, out: &Result{Text: !android.IsProto(data), Before: p.Origin.Size, Secrets: []Secret{}, People: []string{}, Removed: []Removal{}}}
	c.text.names = opt.Names
	c.out.Data = c.newReportText().mask(data)
	sorting.Stable(c.out.People, byLength)
	after, err := analyze.OpenAll(bin.NewSource(reader(c.out.Data), int64(len(c.out.Data))))
	if err != nil || len(after) == 0 {
		return nil, errors.Join(errors.New("sanitize: the masked report is no report"), err)
	}
	if c.out.Changed, err = differences(after[0], views, &changes{said: []string{}, words: &newNumbers(views[0].before).wordReader}); err != nil {
		return nil, err
	}
	before := c.secretsIn(data, false)
	if after := c.secretsIn(c.out.Data, true); after > before {
		return nil, fmt.Errorf("sanitize: %d secrets became %d", before, after)
	}
	return c.out, nil
}

// secretsIn records the secrets of a text, and returns their number.
func (c *cleaner) secretsIn(data []byte, stays bool) (n int) {
	line := 1
	done := 0
	for h := range finding().everything.each(data) {
		if line += bytes.Count(data[done:h.from], []byte("\n")); bytes.Contains(data[h.from:h.to], []byte(maskedSecret)) {
			done = h.from
			continue
		}
		done = h.from
		where := fmt.Sprintf("line %d", line)
		if n++; stays {
			c.stays(h.kind, where+" of the new report")
		} else {
			c.secret(Secret{Kind: h.kind, Where: where})
		}
	}
	return n
}

// A reportText masks the text of a report.
type reportText struct {
	c        *cleaner
	debugger bool     // it may have the values of variables
	frames   []uint64 // addresses that stay, in order
	names    []string // of functions
}

func (c *cleaner) newReportText() *reportText {
	kind := c.s.Process().Origin.Kind
	t := &reportText{c: c, debugger: strings.HasPrefix(kind, "debugger") || strings.HasPrefix(kind, "Apport") || strings.HasPrefix(kind, "WinDbg")}
	t.findFrames()
	return t
}

// inspectText finds what [Clean] replaces in a report that is text. A report that cannot be read again reveals nothing.
func inspectText(s *analyze.Session) *Result {
	c := cleaner{s: s, out: &Result{Text: true}}
	if data, err := s.Process().Origin.Excerpt(); err == nil {
		c.secretsIn(data, false)
		c.newReportText().mask(data)
	}
	sorting.Stable(c.out.People, byLength)
	return c.out
}

// findFrames finds the numbers and names that stacks have.
func (t *reportText) findFrames() {
	for i := range t.c.s.Process().Threads {
		for _, f := range t.c.s.Process().Threads[i].Frames {
			t.frames = append(t.frames, f.Instruction, f.Instruction+1, f.ReturnAddress)
			if f.Stated != nil && len(t.names) < maxPeople && strings.ContainsAny(f.Stated.Function, ":=") && len(f.Stated.Function) >= leastName {
				t.names = append(t.names, f.Stated.Function)
			}
		}
	}
	for _, m := range t.c.s.Process().Modules {
		t.frames = append(t.frames, m.Base)
	}
	sorting.Stable(t.frames, func(a, b uint64) int {
		if a < b {
			return -1
		}
		return 1
	})
}

func (t *reportText) mask(data []byte) []byte {
	isJSON := jsonIn(data) == nil
	if android.IsProto(data) {
		m := android.ProtoMask{Text: t.protoText, Number: t.protoNumber}
		return m.Mask(data)
	}
	data = t.values(data, isJSON)
	data = t.sections(data)
	for line := range strings.Lines(string(data)) {
		t.people(line)
	}
	var out bytes.Buffer
	for line := range strings.Lines(string(data)) {
		out.WriteString(t.line(line))
	}
	if isJSON && jsonIn(out.Bytes()) != nil { // a mask ended within an escape
		return inStrings(data, t.line)
	}
	return out.Bytes()
}

// protoText masks a text of a protocol buffer.
func (t *reportText) protoText(s string) string {
	t.people(s)
	return t.line(s)
}

// protoNumber masks the value of a register.
func (t *reportText) protoNumber(v uint64) uint64 {
	if isTextNumber(v, cpu.AMD64.Word, binary.LittleEndian) && !t.isFrame(v) {
		return maskedWord
	}
	return v
}

// maskedWord are eight asterisks.
const maskedWord = 0x2a2a2a2a2a2a2a2a

// jsonIn checks a text of values, which may have words before the first one.
func jsonIn(data []byte) error {
	start := bytes.IndexByte(data, '{')
	if start < 0 {
		return errNoValue
	}
	d := json.NewDecoder(bytes.NewReader(data[start:]))
	for d.More() {
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			return err
		}
	}
	return nil
}

var errNoValue = errors.New("sanitize: no JSON")

// inStrings masks the strings of JSON one by one.
func inStrings(data []byte, mask func(string) string) []byte {
	var out bytes.Buffer
	for i := 0; i < len(data); i++ {
		end := i + 1
		if data[i] == '"' {
			end = stringEnd(data, i)
		}
		piece := data[i:end]
		var s string
		if data[i] == '"' && json.Unmarshal(piece, &s) == nil {
			if masked := mask(s); masked != s {
				piece, _ = json.Marshal(masked)
			}
		}
		out.Write(piece)
		i = end - 1
	}
	return out.Bytes()
}

// stringEnd is the end of the string of JSON that begins at i.
func stringEnd(data []byte, i int) int {
	for i++; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(data)
}

// people adds the names of home folders.
func (t *reportText) people(s string) {
	eachName(s, func(r *root, depth int, name string) string {
		if r.person && (depth == 0 || r.many) {
			t.person(name)
		}
		return name
	})
	if len(t.c.text.people) != len(t.c.out.People) {
		t.c.text.people = slices.Clone(t.c.out.People)
		sorting.Stable(t.c.text.people, byLength)
	}
}

// person adds a name that is replaced everywhere.
func (t *reportText) person(name string) {
	name = strings.Trim(name, " \t\\/\"")
	if p := &t.c.out.People; len(name) > 1 && len(*p) < maxPeople && !isNobodys(name) && name != maskedUser && name != maskedSecret && !slices.Contains(*p, name) {
		*p = append(*p, name)
	}
}

// line masks a line. Names of functions stay: "-[Login setPassword:user:]" is no password.
func (t *reportText) line(s string) string {
	m := &t.c.text
	s = withoutWords(s, t.c.s.Process().Arch, t.isFrame)
	if t.debugger {
		if s = withoutLiterals(s); isVariable(s) {
			return ""
		}
	}
	s = withoutHost(withoutNetworks(s))
	out := m.text(s)
	if out == s {
		return s
	}
	for _, name := range t.names {
		if before, after, found := strings.Cut(s, name); found {
			return m.text(before) + m.symbol(name) + m.text(after)
		}
	}
	return out
}

// isVariable reports whether a line of a debugger is about a variable: it begins further to the right, unless all of the stack does.
func isVariable(s string) bool {
	if !strings.HasPrefix(s, "        ") && !strings.HasPrefix(s, "\t") {
		return false
	}
	words := strings.TrimLeft(s, " \t*")
	for _, begin := range []string{"frame #", "thread #", "Thread ", "at ", "from "} {
		if strings.HasPrefix(words, begin) && !strings.HasPrefix(words, begin+"=") {
			return false
		}
	}
	number, isFrame := strings.CutPrefix(words, "#")
	return !isFrame || number == "" || !isDigit(number[0])
}

func (t *reportText) isFrame(v uint64) bool {
	_, found := slices.BinarySearch(t.frames, v)
	return found
}

// sections leaves out sections by their headings, which stay.
func (t *reportText) sections(data []byte) []byte {
	var out bytes.Buffer
	var end string
	column, inside, lines := 0, false, 0
	for line := range strings.Lines(string(data)) {
		lower := strings.ToLower(line)
		if inside {
			ends := len(strings.TrimRight(line, " \t\r\n")) <= column && end == ""
			for _, next := range strings.Split(end, "|") {
				ends = ends || next != "" && strings.Contains(lower, next)
			}
			if !ends {
				lines++
				continue
			}
			inside = false
		}
		for _, section := range tables().sections {
			if at := strings.Index(lower, section[0]); at >= 0 {
				inside, end, column = true, section[1], at
			}
		}
		out.WriteString(line)
	}
	if lines > 0 {
		t.c.removed("lines of the environment, open files, logs and memory", lines, 0)
	}
	return out.Bytes()
}
