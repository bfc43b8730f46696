// Package wer reads what Windows Error Reporting writes of a crash: the event "Application Error" as text and as XML, and Report.wer.
//
// All have the exception, and the module with the offset of the address where it happened. There is no stack. A Report.wer of a program that hung has
// less, and one of an exception of .NET names it.
//
// Source: Microsoft, "WER Settings" and "Windows Error Reporting: problem signatures" (APPCRASH: P1 to P8), and the text of event 1000 of the
// source Application Error, which has the values of its XML in one order.
package wer

import (
	"cmp"
	"fmt"
	"strings"

	"crashglass/core/dump/text"
	"crashglass/core/process"
)

const kind = "Windows error report"

// Family reads reports.
var Family = text.Family{
	Kinds: []string{kind}, Marks: []string{"Faulting application ", "EventType=APPCRASH", "EventType=BEX", "EventType=AppHang", "EventType=CLR20r3", xmlMark, runtimeMark}, Read: read,
}

// xmlMark is before the name of an event's source.
const xmlMark = "<Provider Name="

// runtimeMark is what event 1023 of the source .NET Runtime says.
const runtimeMark = "internal error in the .NET Runtime"

// A report has the values that are read, by their names in all forms.
type report map[string]string

// signature are the names of the values of Sig[N] in Report.wer, by N. BEX64 and BEX are faults of data execution prevention.
const signature text.Table = ";0=application;3=module;6=code;7=offset;8=exception"

// swapped are those of BEX, which has the offset first.
const swapped text.Table = ";6=offset;7=code"

// names are those of the event. Windows Vista writes all of them in one line.
var names = [...]struct{ key, name string }{
	{"Faulting application name", "application"}, {"Faulting application path", "path"}, {"Faulting application start time", ""},
	{"Faulting application", "application"}, {"Faulting module name", "module"}, {"Faulting module path", "modulepath"}, {"Faulting module", "module"},
	{"Exception code", "code"}, {"Fault offset", "offset"}, {"Faulting process id", "pid"}, {"Process id", "pid"}, {"Report id", "id"},
	{"Application start time", ""},
}

// fields are the values of the event in XML, in order.
var fields = [...]string{"application", "", "", "module", "", "", "code", "offset", "pid", "", "path", "modulepath"}

const (
	maxLines = 512
	maxEvent = 1 << 16 // characters of an event's XML
)

func read(l *text.Lines) []*process.Process {
	r, first := report{}, l.First()
	switch {
	case strings.Contains(first, runtimeMark):
		return fatal(l)
	case strings.Contains(first, "EventType="):
		r.wer(l)
	case strings.Contains(first, xmlMark):
		if !strings.Contains(first, "Application Error") {
			return nil
		}
		r.xml(l)
	default:
		r.event(l)
	}
	return r.process()
}

// fatal reads event 1023, of an error of .NET's own runtime. .NET Framework writes its version, and the numbers without 0x:
//
//	Application: game.exe
//	CoreCLR Version: 8.0.324.11423
//	.NET Version: 8.0.3
//	Description: The process was terminated due to an internal error in the .NET Runtime at IP 0x00007FFCFDE9C5E4 (0x00007FFCFDD10000) with exit code 0x80131506.
//
// The address may be in any module: the one in parentheses is the base of the runtime.
//
// Source: dotnet/runtime, src/coreclr/vm/eepolicy.cpp (LogFatalError) and eventreporter.cpp.
func fatal(l *text.Lines) []*process.Process {
	l.Begin(l.Mark())
	line, _ := l.Next()
	_, at, _ := strings.Cut(line, runtimeMark)
	_, at, _ = strings.Cut(at, "at IP ")
	address, rest, isAddress := text.Hex(at)
	_, number, _ := strings.Cut(rest, " with exit code ")
	code, _, isCode := text.Hex(number)
	if !isAddress || !isCode || address == 0 {
		return nil
	}
	d := text.NewDraft(kind)
	d.System(process.Windows, nil)
	for i, before := range l.Before(maxHead) {
		if _, name, ok := strings.Cut(before, "Application: "); ok {
			d.Annotate("Application", name)
			l.Keep(i)
			break
		}
	}
	d.Process.Subject = 0
	d.Process.Problem = &process.Problem{Kind: process.Panic, Text: fmt.Sprintf("%s, exit code %#x", runtimeMark, code)}
	d.Thread(process.Thread{})
	d.Frame(text.Frame{Address: address, Interrupts: true})
	return []*process.Process{d.Finish()}
}

// maxHead bounds the lines before the description of an event: the program and its versions.
const maxHead = 3

// wer reads Report.wer.
func (r report) wer(l *text.Lines) {
	kind := ""
	for n := 0; n < maxLines; n++ {
		line, ok := l.Next()
		if !ok {
			return
		}
		_, value, isKind := strings.Cut(line, "EventType=")
		if isKind && n > 0 { // of the next report
			l.Back()
			return
		} else if isKind {
			kind = strings.TrimSpace(value)
			r["event"] = kind
		}
		r.pair(strings.TrimSpace(line), strings.HasPrefix(kind, "BEX"))
	}
}

// pair reads a line of Report.wer: "Sig[6].Value=c0000005", "AppPath=C:\game.exe".
func (r report) pair(line string, bex bool) {
	key, value, _ := strings.Cut(line, "=")
	if n, _, ok := text.Between(key, "Sig[", "].Value"); ok && strings.HasPrefix(key, "Sig[") {
		name, _ := signature.Of(n)
		if other, _ := swapped.Of(n); bex && other != "" {
			name = other
		}
		r[name] = value
	} else if key == "AppPath" {
		r["path"] = value
	}
}

// xml reads the event as XML, up to its end:
//
//	<Provider Name="Application Error" Guid="{a0e9b465-b939-57d7-b27d-95d8e925ff57}" />
//	<Data Name="AppName">game.exe</Data>
func (r report) xml(l *text.Lines) {
	l.Begin(0)
	var all strings.Builder
	for n, ended := 0, false; n < maxLines && all.Len() < maxEvent && !ended; n++ {
		line, ok := l.Next()
		if !ok {
			break
		}
		all.WriteString(line)
		ended = strings.Contains(line, "</EventData>")
	}
	_, rest, _ := strings.Cut(all.String(), "<EventData>")
	for _, name := range fields {
		_, tag, _ := strings.Cut(rest, "<Data")
		_, value, _ := strings.Cut(tag, ">")
		value, rest, _ = strings.Cut(value, "</Data>")
		r[name] = strings.ReplaceAll(value, "&amp;", "&")
	}
}

// event reads the event's text.
func (r report) event(l *text.Lines) {
	for n := 0; n < maxLines && r["id"] == ""; n++ {
		line, ok := l.Next()
		if !ok {
			return
		}
		for rest := line; rest != ""; {
			name, value := "", ""
			name, value, rest = next(rest)
			value, _, _ = strings.Cut(value, ", version")
			value = strings.Trim(value, " :,")
			if name != "" && r[name] != "" {
				l.Back()
				return
			} else if name != "" {
				r[name] = value
			}
		}
	}
}

// next cuts the first value of a text off: up to the next one.
func next(s string) (name, value, rest string) {
	from := -1
	for i := 0; i < len(s); i++ {
		if i > 0 && s[i-1] != ' ' {
			continue
		}
		for _, n := range names {
			if len(s)-i < len(n.key) || !strings.EqualFold(s[i:i+len(n.key)], n.key) {
				continue
			}
			if from >= 0 {
				return name, s[from:i], s[i:]
			}
			name, from = n.name, i+len(n.key)
			i = from - 1
			break
		}
	}
	return name, s[max(from, 0):], ""
}

// process makes the process: one thread with one frame, or with none.
func (r report) process() []*process.Process {
	code, isCode := text.IsHex(r["code"])
	offset, isOffset := text.IsHex(r["offset"])
	d := text.NewDraft(kind)
	d.System(process.Windows, nil)
	d.Process.Subject = 0
	d.Annotate("Application", r["application"])
	if r["path"] != "" {
		d.Image(text.Image{Path: r["path"]})
	}
	d.Thread(process.Thread{})
	switch event := r["event"]; {
	case strings.HasPrefix(event, "AppHang"):
		d.Process.Problem = &process.Problem{Kind: process.Hang, Text: r["application"]}
		return []*process.Process{d.Finish()}
	case event == "CLR20r3":
		d.Process.Problem = &process.Problem{Kind: process.Uncaught, Text: r["exception"]}
		return []*process.Process{d.Finish()}
	}
	if !isCode || !isOffset || r["module"] == "" || code > 0xffffffff {
		return nil
	}
	d.Process.Event = &process.Event{Code: uint32(code), NoAddress: true}
	if pid, hex := text.IsHex(r["pid"]); hex && strings.HasPrefix(r["pid"], "0x") {
		d.PID(pid)
	}
	module := cmp.Or(r["modulepath"], r["module"])
	d.Frame(text.Frame{Image: module, Offset: offset, HasOffset: module != "unknown", Interrupts: true})
	return []*process.Process{d.Finish()}
}
