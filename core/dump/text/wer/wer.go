// Package wer reads what Windows Error Reporting writes of a crash: the event "Application Error" as text, and Report.wer.
//
// Both have the exception, and the module with the offset of the address where it happened. There is no stack.
//
// Source: Microsoft, "WER Settings" and "Windows Error Reporting: problem signatures" (APPCRASH: P1 to P8), and the text of event 1000 of the
// source Application Error.
package wer

import (
	"cmp"
	"strings"

	"crashglass/core/dump/text"
	"crashglass/core/process"
)

const kind = "Windows error report"

// Family reads reports.
var Family = text.Family{Kinds: []string{kind}, Marks: []string{"Faulting application name: ", "EventType=APPCRASH", "EventType=BEX"}, Read: read}

// A report has the values that are read, by their names in both forms.
type report map[string]string

// signature are the names of the values of Sig[N] in Report.wer, by N. BEX64 and BEX are faults of data execution prevention.
const signature text.Table = ";0=application;3=module;6=code;7=offset"

// swapped are those of BEX, which has the offset first.
const swapped text.Table = ";6=offset;7=code"

const names text.Table = ";Faulting application name=application;Faulting module name=module;Exception code=code;Fault offset=offset" +
	";Faulting process id=pid;Faulting application path=path;Faulting module path=modulepath;Report Id=id"

const maxLines = 512

func read(l *text.Lines) []*process.Process {
	r, wer, bex := report{}, strings.Contains(l.First(), "EventType="), strings.Contains(l.First(), "EventType=BEX")
	for n := 0; n < maxLines; n++ {
		line, ok := l.Next()
		if !ok {
			break
		}
		line = strings.TrimSpace(line)
		if wer && n > 0 && strings.HasPrefix(line, "EventType=") { // of the next report
			l.Back()
			break
		} else if wer {
			r.pair(line, bex)
			continue
		}
		for part := range strings.SplitSeq(line, ", Fault") { // in one line, too
			if strings.HasPrefix(part, "ing ") || strings.HasPrefix(part, " offset") {
				part = "Fault" + part
			}
			key, value, _ := strings.Cut(part, ":")
			value, _, _ = strings.Cut(strings.TrimSpace(value), ", version: ")
			if name, _ := names.Of(key); name != "" && r[name] == "" {
				r[name] = value
			} else if name != "" {
				l.Back()
				return r.process()
			}
		}
		if r["id"] != "" {
			break
		}
	}
	return r.process()
}

// pair reads a line of Report.wer: "Sig[6].Value=c0000005", "AppPath=C:\game.exe".
func (r report) pair(line string, bex bool) {
	key, value, _ := strings.Cut(line, "=")
	if n, _, ok := text.Between(key, "Sig[", "].Value"); ok {
		name, _ := signature.Of(n)
		if other, _ := swapped.Of(n); bex && other != "" {
			name = other
		}
		r[name] = value
	} else if key == "AppPath" {
		r["path"] = value
	}
}

// process makes the process: one thread with one frame.
func (r report) process() []*process.Process {
	code, isCode := text.IsHex(r["code"])
	offset, isOffset := text.IsHex(r["offset"])
	if !isCode || !isOffset || r["module"] == "" || code > 0xffffffff {
		return nil
	}
	d := text.NewDraft(kind)
	d.System(process.Windows, nil)
	d.Process.Subject = 0
	d.Process.Event = &process.Event{Code: uint32(code), NoAddress: true}
	d.Annotate("Application", r["application"])
	if pid, hex := text.IsHex(r["pid"]); hex && strings.HasPrefix(r["pid"], "0x") {
		d.PID(pid)
	}
	if r["path"] != "" {
		d.Image(text.Image{Path: r["path"]})
	}
	module := cmp.Or(r["modulepath"], r["module"])
	f := text.Frame{Image: module, Offset: offset, HasOffset: module != "unknown", Interrupts: true}
	d.Thread(process.Thread{})
	d.Frame(f)
	return []*process.Process{d.Finish()}
}
