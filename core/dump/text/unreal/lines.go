package unreal

import (
	"strings"

	"crashglass/core/dump/text"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

const (
	maxBetween = 8 // lines between the message and the stack
	callstack  = "[Callstack] "
	logged     = "Error: " // behind the time and the category
	assertion  = "Assertion failed: "
)

// readLines reads a crash as the log and the crash reporter's window have it: the message, and a stack of rows.
//
//	[2023.11.11-14.22.07:511][812]LogWindows: Error: Unhandled Exception: EXCEPTION_ACCESS_VIOLATION reading address 0x0000000000000128
//	[2023.11.11-14.22.07:511][812]LogWindows: Error:
//	[2023.11.11-14.22.07:511][812]LogWindows: Error: [Callstack] 0x00007ffb3a4e1c52 UnrealEditor-Hangar.dll!ADoor::Open() [C:\Hangar\Door.cpp:88]
//
// Source: Unreal Engine, Runtime/Core/Private/HAL/ and Windows/WindowsPlatformCrashContext.cpp (ReportCrash), GenericPlatformStackWalk.cpp
// (SymbolInfoToHumanReadableString).
func readLines(l *text.Lines) []*process.Process {
	first := l.First()
	before := first[:l.Mark()]
	switch at := strings.LastIndex(before, assertion); {
	case strings.Contains(before, logged):
		l.Begin(0) // further lines of a message have no prefix
	case at >= 0:
		l.Begin(at)
	}
	message, _ := l.Next()
	message = unlogged(message)
	var stack strings.Builder
	for between := 0; between < maxBetween && stack.Len() < maxSize; {
		line, ok := l.Next()
		if !ok {
			break
		}
		if row := strings.TrimPrefix(strings.TrimSpace(unlogged(line)), callstack); isRow(row) {
			stack.WriteString(row + "\n")
			continue
		}
		if stack.Len() > 0 {
			l.Back()
			break
		}
		between++
	}
	r := &properties{Names: stack.String(), Message: message}
	list := named(r.Names)
	if len(list) < 2 {
		return nil
	}
	d := text.NewDraft(kind)
	d.System(process.Windows, &cpu.AMD64)
	if strings.Contains(message, unhandled+"SIG") {
		d.System(process.Linux, &cpu.AMD64)
	}
	r.event(&d.Process)
	d.Process.Subject = 0
	d.Thread(process.Thread{})
	r.add(d, list, d.Process.Event != nil)
	return []*process.Process{d.Finish()}
}

// unlogged returns a line of the log without what is before its text.
func unlogged(line string) string {
	if _, text, ok := strings.Cut(line, logged); ok && line[0] == '[' {
		return strings.TrimPrefix(text, "appError called: ")
	}
	return line
}

// isRow reports whether a line is one of a stack: "0x00007ff837b0146c VCRUNTIME140.dll!UnknownFunction []", "UnrealEditor_Core!main() [a.cpp:3]", or the
// name of a module alone.
func isRow(s string) bool {
	if addr, rest, ok := strings.Cut(s, " "); ok && strings.HasPrefix(addr, "0x") {
		s = rest
	}
	name, _, call := strings.Cut(s, "!")
	return name != "" && !strings.ContainsAny(name, " :[](){}/\\#=`<>") && (call || len(name) > 2 && !strings.HasSuffix(name, "."))
}
