// Package signature gives a crash the name that all crashes of its kind share. There are two:
//
//	signature.Of(r)      // "desk!desk::copy<int>(int)": the function of the program that is to blame
//	signature.Socorro(r) // "memcpy | desk::copy<T>": by the rules of Mozilla's crash-stats
//
// Of names one function of the program or its libraries: the one that the verdict names, or else the
// first one outside of the system and of the machinery of languages' libraries. How it was reached,
// what it called, and where in it the crash was, makes no difference. A function without a certain
// name is a module and the offset of the function's start. Offsets in the system's libraries are no
// part of a signature, so that another C library makes no new crash. If the stack has no such
// function, the reason of the crash stands for it.
//
// Names are whole, with arguments of templates and functions: symbols never give one signature to
// functions that have different code and different names. Both are functions of the report alone, take time
// linear in its first frames, and have an answer for any report. A signature is no identity: two bugs
// can have one, and better symbols change it.
//
// Read this file first. socorro.go begins the other kind, with frames.go, names.go and rules.go;
// lists.go reads the lists of functions.
package signature

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"strings"

	"crashglass/core/cause/crash"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/stack/funcname"
)

// Of returns the signature of a report's crash, or "" when nothing crashed.
func Of(r *report.Report) string {
	if !r.Verdict.Crashed {
		return ""
	}
	rows := rowsOf(r)
	windows := r.SystemInfo.System().IsWindows()
	if r.Verdict.Finding == report.FindingBugCheck {
		return bounded(stopped(r, rows))
	}
	if r.Verdict.Finding == report.FindingStackOverflow {
		if name := loop(rows, windows); name != "" {
			return bounded(name)
		}
	}
	if v := &r.Verdict; v.Goroutine != nil && v.Where != nil && len(rows) > 0 {
		return bounded(moduleOf(&rows[0], windows) + "!" + *v.Where) // rows[0] is of the runtime, which is in the program
	}
	if i := blamed(r, rows); i >= 0 {
		return bounded(nameOf(&rows[i], windows))
	}
	return bounded(reason(r) + machinery(rows, windows))
}

// stopped returns the signature of a dump of the kernel: the bug check and the driver that is proved to be to blame.
func stopped(r *report.Report, rows []crash.Row) string {
	switch row := r.Verdict.Row; {
	case row != nil && *row >= 0 && *row < len(rows):
		return reason(r) + " | " + nameOf(&rows[*row], true)
	case r.Verdict.Where != nil:
		return reason(r) + " | " + strings.ToLower(strings.Replace(*r.Verdict.Where, " + ", "@", 1))
	}
	return reason(r)
}

// rowsOf returns the crashing thread's stack.
func rowsOf(r *report.Report) []crash.Row {
	i := r.Subject()
	if i < 0 {
		return nil
	}
	return crash.Rows(r.Threads[i].Frames)
}

// loop returns the name of the function that a recursion repeats, "" for none. Of several it is the first in the order of names, since any of
// them can be the one that reaches the end of the stack.
func loop(rows []crash.Row, windows bool) (first string) {
	for _, i := range crash.Repeated(rows) {
		if name := nameOf(&rows[i], windows); IsOwn(&rows[i]) && (first == "" || name < first) {
			first = name
		}
	}
	return first
}

// blamed returns the row of the function that is to blame, or -1: the verdict's, if it is the
// program's own, or the first own one. Behind functions that ended the program, their caller counts.
func blamed(r *report.Report, rows []crash.Row) int {
	from := 0
	if v := r.Verdict.Row; v != nil && *v >= 0 && *v < len(rows) && IsOwn(&rows[*v]) {
		from = *v
	}
	if crash.EndedByCall(r.Verdict.Finding) {
		from = max(from, behindEnd(rows))
	}
	for i := from; i < len(rows); i++ {
		if IsOwn(&rows[i]) {
			return i
		}
	}
	if v := r.Verdict.Row; v != nil && *v >= 0 && *v < len(rows) && IsOwn(&rows[*v]) {
		return *v // a thread whose function always ends it
	}
	return -1
}

// endingFrames is the number of frames between the system call that raises a signal and the function
// that ends the program: three in C libraries.
const endingFrames = 6

// behindEnd returns the first row behind the functions that are proved never to return, which begin
// near the top of the stack.
func behindEnd(rows []crash.Row) int {
	for i := range rows {
		if rows[i].Index > endingFrames {
			break
		}
		if !rows[i].NeverReturns {
			continue
		}
		for i < len(rows) && rows[i].NeverReturns {
			i++
		}
		return i
	}
	return 0
}

// IsOwn reports whether a row is the program's own code: of no library, no runtime, and not what starts it.
func IsOwn(row *crash.Row) bool {
	return row.Own() && !isStart(row.Name())
}

// nameOf returns a function's name with its module, or where the function starts.
func nameOf(row *crash.Row, windows bool) string {
	module := moduleOf(row, windows)
	switch name := row.Name(); {
	case name != "" && (!row.Uncertain(row.Inline != nil) || row.CodeStart == nil && row.ModuleOffset == nil):
		return strings.TrimPrefix(module+"!", "!") + withoutHash(funcname.WithoutClone(cut(name))) // reports that are text may name no modules
	case row.CodeStart != nil:
		return module + "@" + offset(row.CodeStart)
	}
	return module + "@" + offset(row.ModuleOffset)
}

// moduleOf returns a module's name without what differs between versions of it, or the file of an interpreted call and of generated code. The
// case of names does not matter on Windows.
func moduleOf(row *crash.Row, windows bool) string {
	if row.Inline.Interpreted() {
		return module.Basename(report.Text(row.Inline.File))
	}
	if row.Generated() {
		return module.Basename(report.Text(row.File))
	}
	name := report.Text(row.Module)
	if file := report.Text(row.File); name == "" && isScript(file) { // a report that is text
		return module.Basename(file)
	}
	if windows {
		return strings.ToLower(name)
	}
	if i := strings.Index(name, ".so."); i > 0 {
		return name[:i+len(".so")]
	}
	return name
}

// isScript reports whether a source file is one of Python, JavaScript or Ruby, whose calls have the file in place of a module.
func isScript(file string) bool {
	return strings.HasSuffix(file, ".py") || strings.HasSuffix(file, ".js") || strings.HasSuffix(file, ".rb")
}

// reason is the exception, or else what the verdict says without its details: "Panic", "Uncaught exception".
func reason(r *report.Report) string {
	what, _, _ := strings.Cut(r.Verdict.What, ": ")
	return cmp.Or(report.Text(r.CrashInfo.Type), what, "unknown reason")
}

// machinery returns what distinguishes a stack without own functions: the first function of a library that
// is none of those that end a program, or the innermost module.
func machinery(rows []crash.Row, windows bool) string {
	for i := range rows {
		row := &rows[i]
		if name := row.Name(); name != "" && !row.Uncertain(row.Inline != nil) && !row.Ends() && !isStart(name) {
			return " | " + nameOf(row, windows)
		}
	}
	for i := range rows {
		if module := moduleOf(&rows[i], windows); module != "" {
			return " | " + module
		}
	}
	return ""
}

// bounded shortens a signature. What is left out is represented by a hash, so that long names stay
// different.
func bounded(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	chars := []rune(s)
	if len(chars) <= longest {
		return s
	}
	h := fnv.New32a()
	h.Write([]byte(s))
	return string(chars[:longest-len("... 01234567")]) + fmt.Sprintf("... %08x", h.Sum32())
}
