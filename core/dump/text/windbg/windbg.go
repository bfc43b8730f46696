// Package windbg reads what WinDbg and cdb print: the analysis of a crash (!analyze -v), and stacks (k, kb, kp, kn).
//
// A line of a stack has the return address of its frame, which is the address of the next one. The address of the innermost frame, or of the one at
// which the exception struck, is that of the exception. Functions have their module before "!", as the debugger names it: without an extension, and
// with "_" for what is no letter or digit.
//
// Source: Microsoft, "Using the !analyze extension", "k, kb, kc, kd, kp, kP, kv (Display Stack Backtrace)" and ".exr (Display Exception Record)", and
// the tools' own output.
package windbg

import (
	"strings"

	"crashglass/core/dump/text"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

const kind = "WinDbg output"

// Family reads analyses and stacks.
var Family = text.Family{Kinds: []string{kind}, Marks: []string{"EXCEPTION_RECORD: ", "Arg1: ", "STACK_TEXT:", " RetAddr "}, Read: read}

type report struct {
	d     *text.Draft
	event process.Event
	known bool   // the event is
	place string // the function with the offset at which the exception struck
	stack []line
}

// A line is that of a frame.
type line struct {
	text.Frame
	place string
	next  uint64 // the return address
	wide  bool   // addresses have 64 bits
	open  bool   // lines with arguments follow
}

const (
	maxLines = 1 << 9 // before the stack
	maxStack = 1 << 12

	maxParameters = 15 // EXCEPTION_MAXIMUM_PARAMETERS of winnt.h
)

func read(l *text.Lines) []*process.Process {
	r := &report{d: text.NewDraft(kind), event: process.Event{NoAddress: true}}
	at := l.Mark()
	if child := strings.Index(l.First()[:at], "Child"); child >= 0 {
		at = child
	}
	if strings.Trim(l.First()[:at], " \t#") == "" {
		at = 0
	}
	l.Begin(at)
	first, _ := l.Next()
	inStack := strings.Contains(first, "STACK_TEXT:") || strings.Contains(first, " RetAddr ")
	if strings.HasPrefix(first, "Arg1: ") {
		r.bugCheck(l)
	}
	r.fact(first)
	for n := 0; n < maxLines || inStack && len(r.stack) < maxStack; n++ {
		raw, ok := l.Next()
		s := strings.TrimSpace(raw)
		f, isFrame := frameOf(s)
		switch {
		case !ok:
			return r.finish()
		case inStack && isFrame:
			if f.open {
				f.arguments(l)
			}
			r.stack = append(r.stack, f)
		case inStack && (strings.HasPrefix(s, "WARNING: ") || len(r.stack) == 0 && s == ""):
		case inStack:
			l.Back()
			return r.finish()
		default:
			inStack = strings.HasPrefix(s, "STACK_TEXT:") || strings.Contains(s, " RetAddr ")
			r.fact(s)
		}
	}
	return r.finish()
}

// bugCheck reads the line before the arguments: "DRIVER_IRQL_NOT_LESS_OR_EQUAL (d1)".
func (r *report) bugCheck(l *text.Lines) {
	for i, s := range l.Before(8) {
		name, code, ok := text.CutLast(strings.TrimSpace(s), " (")
		n, hex := text.IsHex(strings.TrimSuffix(code, ")"))
		if ok && hex && n <= 0xffffffff && name == strings.ToUpper(name) && !strings.Contains(name, " ") {
			r.event.Kind, r.event.Code, r.known = process.BugCheck, uint32(n), true
			l.Keep(i)
			return
		}
	}
}

// fact reads a line about the exception:
//
//	ExceptionAddress: 00007ff7c4bd59ea (app!write+0x00000000000003ba)
//	   ExceptionCode: c0000005 (Access violation)
//	   Parameter[1]: 00000000000043cb
//	Arg1: 0000000000000028, memory referenced
func (r *report) fact(s string) {
	key, value, _ := strings.Cut(s, ":")
	value = strings.TrimSpace(value)
	number, rest, hex := text.Hex(strings.ReplaceAll(value, "`", ""))
	e := &r.event
	isBugCheck := e.Kind == process.BugCheck
	switch {
	case s != "" && s[0] == '(' && r.place == "": // a mail program has wrapped the line
		r.place = strings.Trim(s, "()")
	case key == "PROCESS_NAME", key == "IMAGE_NAME", key == "FAILURE_BUCKET_ID":
		r.d.Annotate(key, value)
	case !hex:
	case strings.HasPrefix(key, "Arg") && isBugCheck, strings.HasPrefix(key, "Parameter[") && !isBugCheck:
		if len(e.Parameters) < maxParameters {
			e.Parameters = append(e.Parameters, number)
		}
	case isBugCheck: // the exception that led to it has a code of its own
	case key == "ExceptionAddress":
		e.Address, e.NoAddress = number, false
		r.place, _, _ = text.Between(rest, "(", ")")
	case key == "ExceptionCode" && number <= 0xffffffff:
		e.Code, r.known = uint32(number), true
	}
}

// frameOf reads a line of a stack:
//
//	000000a8`56aff240 00007ff7`c4bc6bae : 00000000`00000000 00000000`00000000 00000000`00000000 00000000`00000000 : app!write+0x3ba
//	02 000000f1`0bcff9f0 00000000`00000000     app!crash(int n = 0n3)+0x1b [C:\src\a.cpp @ 12]
//	(Inline Function) --------`--------     : --------`-------- --------`-------- --------`-------- --------`-------- : app!inner+0xb
//	0012f7a4 7c90df5a 00000000 00000000 00000000 app+0x12
//	000000f1`0bcffa00 00000000`00000000     0x00007ff7`c4bc6bae
func frameOf(s string) (f line, ok bool) {
	number, rest, _ := strings.Cut(s, " ")
	if _, hex := text.IsHex(number); hex && len(number) <= 3 {
		s = strings.TrimLeft(rest, " ")
	}
	if rest, inlined := strings.CutPrefix(s, "(Inline Function)"); inlined {
		f.Inlined = true
		f.name(strings.TrimLeft(rest, " -`:"))
		return f, f.Names.Function != ""
	}
	f.wide = strings.IndexByte(s, ' ') > len("00000000")
	if _, rest, ok = address(s); !ok {
		return line{}, false
	}
	if f.next, rest, ok = address(rest); !ok {
		return line{}, false
	}
	for {
		_, after, isArgument := address(rest)
		if !isArgument {
			break
		}
		rest = after
	}
	f.name(strings.TrimLeft(rest, " :"))
	return f, f.place != ""
}

// maxArguments bounds the arguments of a frame that have lines.
const maxArguments = 64

// arguments reads the arguments of a frame that have a line each (kP), the last one with the offset: "char * s = 0x00000000`00001234)+0x1b".
func (f *line) arguments(l *text.Lines) {
	for range maxArguments {
		s, ok := l.Next()
		if _, isFrame := frameOf(strings.TrimSpace(s)); !ok || isFrame {
			l.Back()
			return
		}
		for _, end := range []string{")+0x", ") ["} {
			if i := strings.LastIndex(s, end); i >= 0 {
				f.name(f.place + s[i+1:])
				return
			}
		}
		if strings.HasSuffix(s, ")") {
			return
		}
	}
}

// address reads a word of at least eight digits, perhaps with a grave accent between the halves.
func address(s string) (v uint64, rest string, ok bool) {
	word, rest, _ := strings.Cut(strings.TrimLeft(s, " :"), " ")
	v, ok = text.IsHex(strings.Replace(word, "`", "", 1))
	return v, rest, ok && len(word) >= len("00000000") && !strings.HasPrefix(word, "0x")
}

// name reads "app!crash(int n = 0n3)+0x1b [C:\src\a.cpp @ 12]", "app+0x12" of a module without symbols, and an address outside of modules.
func (f *line) name(s string) {
	if at, isAddress := text.IsHex(strings.Replace(s, "`", "", 1)); isAddress && strings.HasPrefix(s, "0x") {
		f.Address, f.place = at, s
		return
	}
	if before, source, ok := text.CutLast(s, " ["); ok {
		if file, number, ok := text.CutLast(source, " @ "); ok {
			s = before
			f.Names.File, f.Names.Line = text.Source(file + ":" + strings.TrimSuffix(number, "]"))
		}
	}
	before, offset, _ := text.CutLast(s, "+")
	n, hex := text.IsHex(offset)
	if !hex {
		before, n = s, 0
		if strings.Contains(s, "+0x") {
			return
		}
	}
	module, function, named := strings.Cut(before, "!")
	if module == "" || strings.ContainsAny(module, " :") || !named && !hex {
		return
	}
	f.Names.Module, f.place = module, s
	if !named {
		f.Image, f.Offset, f.HasOffset = module, n, true
		return
	}
	if open := strings.IndexByte(function, '('); open > 0 && strings.Contains(function[open:], " = ") { // the values of arguments
		function = function[:open]
	}
	function, f.open = strings.CutSuffix(function, "(")
	f.Names.Function, f.Names.Offset = function, n
	f.place = module + "!" + function
}

// finish makes the process. A debugger's stack alone has no exception.
func (r *report) finish() []*process.Process {
	d, p := r.d, &r.d.Process
	if len(r.stack) == 0 {
		return nil
	}
	name, _, _ := text.CutLast(r.place, "+")
	struck := r.find(name)
	d.System(process.Windows, nil)
	next := uint64(0)
	d.Thread(process.Thread{})
	for i, f := range r.stack {
		if !f.Inlined && !f.wide {
			p.Arch = &cpu.X86
		}
		if i > 0 {
			f.Address, f.Return = next, true
		}
		if i == struck {
			f.Address, f.Return, f.Interrupts = r.event.Address, false, true
		}
		if d.Frame(f.Frame); !f.Inlined {
			next = f.next
		}
	}
	if !r.known {
		p.Problem = &process.Problem{Kind: process.Printed}
		return []*process.Process{d.Finish()}
	}
	p.Event, p.Subject = &r.event, 0
	return []*process.Process{d.Finish()}
}

// find returns the index of the first frame that is no inlined call of a function, or -1.
func (r *report) find(place string) int {
	for i, f := range r.stack {
		if !f.Inlined && f.place == place {
			return i
		}
	}
	return -1
}
