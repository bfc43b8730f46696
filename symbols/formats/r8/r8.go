// Package r8 reads the mapping.txt of R8 and ProGuard, and finds the names of the program for shortened ones of Java.
//
//	com.example.Dock -> a.b:
//	# {"id":"sourceFile","fileName":"Dock.kt"}
//	    1:3:void slot(int):14:16 -> a
//	    4:4:void com.example.Crane.lift():20:20 -> a
//	    4:4:void slot(int):17 -> a
//
// A method with its lines in the shortened program, and those in the source. Methods of equal lines are inlined into the next one.
//
// Source: R8, doc/retrace.md; ProGuard, "ReTrace".
package r8

import (
	"strconv"
	"strings"

	"crashglass/core/stack/symbolize"
)

// MaxFile bounds the bytes of a file.
const MaxFile = 256 << 20

// IsMapping reports whether a text begins like a mapping: a comment of R8, or a class.
func IsMapping(head []byte) bool {
	for line := range strings.Lines(string(head)) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(line, "# compiler: R8") || strings.HasPrefix(line, "# pg_map_id: ") {
			return true
		}
		if line != "" && line[0] != '#' {
			_, _, isClass := classOf(line)
			return isClass
		}
	}
	return false
}

// A Map finds names.
type Map struct {
	text    string
	classes map[string]int    // by shortened names: where their lines begin
	read    map[string]*class // those that frames were in
}

// A class has its methods by their shortened names.
type class struct {
	name, file string
	methods    map[string][]method
}

// maxClasses bounds the classes of a file.
const maxClasses = 1 << 20

// Parse reads the classes of a mapping.
func Parse(text string) *Map {
	m := &Map{text: text, classes: map[string]int{}, read: map[string]*class{}}
	for at := 0; at < len(text) && len(m.classes) < maxClasses; {
		line, next := lineAt(text, at)
		if _, short, ok := classOf(line); ok {
			m.classes[short] = at
		}
		at = next
	}
	return m
}

func lineAt(text string, at int) (line string, next int) {
	n := strings.IndexByte(text[at:], '\n')
	if n < 0 {
		return text[at:], len(text)
	}
	return strings.TrimRight(text[at:at+n], "\r"), at + n + 1
}

// classOf reads "com.example.Dock -> a.b:".
func classOf(line string) (name, short string, ok bool) {
	name, short, ok = strings.Cut(line, " -> ")
	short, closed := strings.CutSuffix(short, ":")
	return name, short, ok && closed && name != "" && short != "" && !strings.ContainsAny(name+short, " \t#(")
}

const (
	maxLines   = 1 << 16 // of a class
	maxMethods = 1 << 12 // of one name in it, which are searched for each frame
)

// classAt reads the class of a shortened name once, or returns nil.
func (m *Map) classAt(short string) *class {
	at, found := m.classes[short]
	if !found || m.read[short] != nil {
		return m.read[short]
	}
	head, at := lineAt(m.text, at)
	name, _, _ := classOf(head)
	c := &class{name: name, file: sourceFile(name), methods: map[string][]method{}}
	for n := 0; n < maxLines && at < len(m.text); n++ {
		var s string
		if s, at = lineAt(m.text, at); s != "" && s[0] != ' ' && s[0] != '#' {
			break
		}
		if _, file, ok := strings.Cut(s, `"fileName":"`); ok {
			if file, _, ok = strings.Cut(file, `"`); ok && strings.Contains(s, `"sourceFile"`) {
				c.file = file
			}
		} else if method, ok := methodOf(s); ok && len(c.methods[method.short]) < maxMethods {
			c.methods[method.short] = append(c.methods[method.short], method)
		}
	}
	m.read[short] = c
	return c
}

// Retrace returns the calls that a frame of a shortened method is, the innermost first, or nil. Without a line, or with lines that the mapping
// does not have, only a name that is that of one method counts.
func (m *Map) Retrace(function string, line uint32) (calls []symbolize.Inline) {
	dot := strings.LastIndexByte(function, '.')
	if dot <= 0 {
		return nil
	}
	c := m.classAt(function[:dot])
	if c == nil {
		return nil
	}
	exact := false
	var of span
	for _, method := range c.methods[function[dot+1:]] {
		hit := method.in.from > 0 && line >= method.in.from && line <= method.in.to
		if hit && exact && method.in != of || !hit && exact {
			continue // of another place of the same lines
		}
		call := method.call(c.name, c.file, line)
		switch {
		case hit && !exact:
			calls, exact, of = []symbolize.Inline{call}, true, method.in
		case hit:
			calls = append(calls, call)
		case len(calls) == 0:
			calls = append(calls, call)
		case calls[0].Function != call.Function: // several methods have the name
			calls = append(calls[:1], symbolize.Inline{})
		}
	}
	if !exact && (len(calls) > 1 || len(calls) == 0) {
		return nil
	}
	if !exact {
		calls[0].Line = 0
	}
	return calls
}

type span struct{ from, to uint32 }

// A method is a line of a class.
type method struct {
	in, out     span // lines in the shortened program, and in the source; 0 for none
	name, short string
}

// methodOf reads "1:3:void slot(int):14:16 -> a".
func methodOf(s string) (m method, ok bool) {
	left, short, ok := strings.Cut(strings.TrimLeft(s, " \t"), " -> ")
	if m.short = short; !ok {
		return m, false
	}
	if from, rest, isRange := number(left); isRange {
		to, rest, also := number(rest)
		if m.in = (span{from, to}); !also {
			return m, false
		}
		left = rest
	}
	call, lines, _ := strings.Cut(left, ")")
	_, call, typed := strings.Cut(call, " ")
	m.name, _, ok = strings.Cut(call, "(")
	if lines = strings.TrimPrefix(lines, ":"); lines != "" {
		from, to, isRange := strings.Cut(lines, ":")
		m.out.from, m.out.to = decimal(from), decimal(to)
		if !isRange {
			m.out.to = m.out.from
		}
	}
	return m, ok && typed && m.name != ""
}

// number reads a number and a colon.
func number(s string) (n uint32, rest string, ok bool) {
	digits, rest, ok := strings.Cut(s, ":")
	n = decimal(digits)
	return n, rest, ok && (n > 0 || digits == "0")
}

func decimal(s string) uint32 {
	n, _ := strconv.ParseUint(s, 10, 32)
	return uint32(n)
}

// call is the call of a method at a line of the shortened program.
func (m *method) call(class, file string, line uint32) symbolize.Inline {
	out := symbolize.Inline{Function: class + "." + m.name, File: file, Line: line}
	if dot := strings.LastIndexByte(m.name, '.'); dot > 0 { // of another class
		out.Function, out.File = m.name, sourceFile(m.name[:dot])
	}
	switch {
	case m.out.from == 0:
	case m.out.to > m.out.from && line >= m.in.from:
		out.Line = min(m.out.from+line-m.in.from, m.out.to)
	default:
		out.Line = m.out.from
	}
	return out
}

// sourceFile is the file that the compiler of Java asks for, as retrace of R8 has it: that of the outermost class.
func sourceFile(class string) string {
	name := class[strings.LastIndexByte(class, '.')+1:]
	name, _, _ = strings.Cut(name, "$")
	return name + ".java"
}
