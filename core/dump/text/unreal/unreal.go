// Package unreal reads the file CrashContext.runtime-xml, in which Unreal Engine describes a crash, and what its log says of one.
//
// It has the stack of the thread that crashed, and since version 3 those of all threads. A row names a module without its extension, its
// base and an offset. After an exception the innermost address is exact; the others are return addresses. Names of functions are in another element,
// if the game found symbols.
//
// Source: Unreal Engine, Runtime/Core/Private/GenericPlatform/GenericPlatformCrashContext.cpp (AddPortableCallStack, AddPortableThreadCallStacks) and
// Windows/WindowsPlatformCrashContext.cpp, as Sentry's symbolic-unreal (context.rs) reads it.
//
// Read this file first, then rows.go, event.go, and lines.go for the log.
package unreal

import (
	"encoding/xml"
	"io"
	"strings"

	"crashglass/core/dump/text"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

const (
	kind    = "Unreal crash context"
	begin   = "<FGenericCrashContext>"
	end     = "</FGenericCrashContext>"
	maxSize = 16 << 20 // bytes that are read
)

// Family reads crash contexts.
var Family = text.Family{Kinds: []string{kind}, Marks: []string{begin, unhandled + "EXCEPTION_", unhandled + "SIG", "[File:"}, Read: read}

type context struct {
	Runtime  properties `xml:"RuntimeProperties"`
	Platform struct {
		Windows string `xml:"PlatformIsRunningWindows"`
	} `xml:"PlatformProperties"`
}

type properties struct {
	PID         string `xml:"ProcessId"`
	Assert      string `xml:"IsAssert"`
	Ensure      string `xml:"IsEnsure"`
	Type        string `xml:"CrashType"`
	Game        string `xml:"GameName"`
	Executable  string `xml:"ExecutableName"`
	Config      string `xml:"BuildConfiguration"`
	PlatformOf  string `xml:"PlatformName"`
	Engine      string `xml:"EngineVersion"`
	Mode        string `xml:"EngineMode"`
	Build       string `xml:"BuildVersion"`
	Message     string `xml:"ErrorMessage"`
	Names       string `xml:"CallStack"`
	Stack       string `xml:"PCallStack"`
	CrashThread string `xml:"CrashingThreadId"`
	System      string `xml:"Misc.OSVersionMajor"`
	CPU         string `xml:"Misc.CPUBrand"`
	Threads     []struct {
		Stack   string `xml:"CallStack"`
		Crashed string `xml:"IsCrashed"`
		ID      string `xml:"ThreadID"`
		Name    string `xml:"ThreadName"`
	} `xml:"Threads>Thread"`
}

func read(l *text.Lines) []*process.Process {
	if !strings.HasPrefix(l.First()[l.Mark():], begin) {
		return readLines(l)
	}
	var data strings.Builder
	l.Begin(strings.Index(l.First(), begin))
	for data.Len() < maxSize {
		line, ok := l.Next()
		if !ok {
			break
		}
		data.WriteString(line + "\n")
		if strings.Contains(line, end) {
			break
		}
	}
	d := text.NewDraft(kind)
	var c context
	decoder := xml.NewDecoder(strings.NewReader(data.String()))
	decoder.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	if err := decoder.Decode(&c); err != nil {
		d.Note(l, "the context is read only up to here: %v", err)
	}
	r := &c.Runtime
	if r.Stack == "" && r.Names == "" && len(r.Threads) == 0 && r.Message == "" {
		return nil
	}
	c.facts(d)
	r.event(&d.Process)
	r.stacks(d)
	return []*process.Process{d.Finish()}
}

// facts sets system, process and annotations.
func (c *context) facts(d *text.Draft) {
	r := &c.Runtime
	os, arch := platform(r.PlatformOf)
	if os == "" && (c.Platform.Windows == "1" || c.Platform.Windows == "true") {
		os, arch = process.Windows, &cpu.AMD64
	}
	if os != "" {
		d.System(os, arch)
		d.Process.System.CPU = r.CPU
		if d.Process.System.Version = r.System; r.System != "" {
			d.Process.Lacks &^= process.SystemVersion
		}
		if r.CPU != "" {
			d.Process.Lacks &^= process.CPUModel
		}
	}
	if n, _, ok := text.Decimal(r.PID); ok {
		d.PID(n)
	}
	for _, fact := range [][2]string{{"Game", r.Game}, {"Executable", r.Executable}, {"Build configuration", r.Config}, {"Engine version", r.Engine},
		{"Engine mode", r.Mode}, {"Build version", r.Build}, {"Crash type", r.Type}} {
		d.Annotate(fact[0], fact[1])
	}
}

// platforms are the beginnings of the names of platforms. Unreal Engine's games for Windows are for x64, except for WindowsArm64.
var platforms = []struct {
	begins string
	os     process.OS
	arch   *cpu.Arch
}{
	{"WindowsArm64", process.Windows, &cpu.ARM64}, {"Win32", process.Windows, &cpu.X86}, {"Win", process.Windows, &cpu.AMD64},
	{"LinuxArm64", process.Linux, &cpu.ARM64}, {"LinuxAArch64", process.Linux, &cpu.ARM64}, {"Linux", process.Linux, &cpu.AMD64},
	{"Mac", process.Mac, nil}, {"IOS", process.IOS, &cpu.ARM64}, {"Android", process.Android, nil},
}

func platform(name string) (process.OS, *cpu.Arch) {
	for _, p := range platforms {
		if strings.HasPrefix(name, p.begins) {
			return p.os, p.arch
		}
	}
	return "", nil
}

// stacks adds the threads. The stack of the one that crashed is an element of its own, too.
func (r *properties) stacks(d *text.Draft) {
	for i := range r.Threads {
		t := &r.Threads[i]
		id, _, _ := text.Decimal(strings.TrimSpace(t.ID))
		d.Thread(process.Thread{ID: uint32(id), Name: strings.TrimSpace(t.Name)})
		list := rows(t.Stack)
		if d.Process.Subject < 0 && (t.Crashed == "true" || t.Crashed == "" && t.ID == r.CrashThread && t.ID != "") {
			d.Process.Subject = i
			if own := rows(r.Stack); len(own) > 0 {
				list = own
			}
			r.name(list)
			r.add(d, list, r.exception())
			continue
		}
		r.add(d, list, false)
	}
	if d.Process.Subject >= 0 {
		return
	}
	list := rows(r.Stack)
	id, _, _ := text.Decimal(strings.TrimSpace(r.CrashThread))
	d.Process.Subject = len(r.Threads)
	d.Thread(process.Thread{ID: uint32(id)})
	if len(list) > 0 {
		r.name(list)
	} else {
		list = named(r.Names)
	}
	r.add(d, list, r.exception())
}

// add adds the frames of a thread. The innermost one was interrupted by an exception, or made a call.
func (r *properties) add(d *text.Draft, list []text.Frame, interrupted bool) {
	for i, f := range list {
		f.Interrupts = interrupted && i == 0
		f.Return = !f.Interrupts
		d.Frame(f)
	}
}
