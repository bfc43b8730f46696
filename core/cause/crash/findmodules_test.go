package crash

import (
	"fmt"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
)

// loaded gives a scene a program and one more module, in which the innermost frame is.
func (s *scene) loaded(os process.OS, program, file string) *scene {
	s.OS = os
	s.Modules = module.NewMap([]module.Module{{Base: appBase, Size: 0x1_0000, CodeFile: program}, {Base: libBase, Size: 0x1_0000, CodeFile: file}})
	s.Frames[0].ModuleIndex, s.Frames[0].Module = new(1), new(module.Basename(file))
	return s
}

// A module outside of the program's folder is a third party's, on systems where programs have a
// folder of their own.
func TestForeignModules(t *testing.T) {
	windows := func(program, file string) *scene {
		return crashAt(t, movStore).windows(1, 0).loaded("windows", program, file)
	}
	mac := func(program, file string) *scene {
		return crashAt(t, movStore).raise("mac", excBadAccess, kernInvalidAddress).loaded("mac", program, file)
	}
	const app = `C:\Program Files\App\app.exe`
	tests := []struct {
		name string
		want bool
		s    *scene
	}{
		{name: "another folder", want: true, s: windows(app, `C:\Program Files\VPN\proxy.dll`)},
		{name: "the program's folder", s: windows(app, `C:\Program Files\App\core.dll`)},
		{name: "below it", s: windows(app, `C:\Program Files\App\plugins\x.dll`)},
		{name: "in other letters", s: windows(app, `c:\program files\APP\core.dll`)},
		{name: "a folder whose name begins with the same letters", want: true, s: windows(app, `C:\Program Files\Apple\x.dll`)},
		{name: "the program itself", s: windows(app, `C:\other\x.dll`).with(func(in *Input) { in.Frames[0].ModuleIndex = new(0) })},
		{name: "a file without a folder", s: windows(app, `x.dll`)},
		{name: "a program without a folder", s: windows(`app.exe`, `C:\x\x.dll`)},
		{name: "a file at the root", s: windows(app, `\x.dll`)},
		{name: "the program is not known", s: windows(app, `C:\x\x.dll`).with(func(in *Input) { in.Main = -1 })},
		{name: "the program is no module", s: windows(app, `C:\x\x.dll`).with(func(in *Input) { in.Main = 2 })},
		{name: "the frame's module is not in the list", s: windows(app, `C:\x\x.dll`).with(func(in *Input) { in.Frames[0].ModuleIndex = new(2) })},
		{name: "the system's", s: windows(app, `C:\Windows\System32\ntdll.dll`).with(func(in *Input) { in.Frames[0].System = true; in.Frames[1].ModuleIndex = new(0) })},
		{name: "macOS: another folder", want: true, s: mac("/Applications/App.app/Contents/MacOS/App", "/Library/Input Methods/x.dylib")},
		{name: "macOS: the program's bundle", s: mac("/Applications/App.app/Contents/MacOS/App", "/Applications/App.app/Contents/Frameworks/x.dylib")},
		{name: "macOS: another bundle", want: true, s: mac("/Applications/App.app/Contents/MacOS/App", "/Applications/App.apps/x.dylib")},
		{name: "macOS: a program without a bundle", want: true, s: mac("/usr/local/bin/app", "/usr/local/lib/x.dylib")},
		{name: "macOS: the report does not list the program", s: mac("/usr/lib/swift/libswiftCore.dylib", "/Users/frida/App")},
		{name: "Linux: libraries are elsewhere", s: crashAt(t, movStore).loaded("linux", "/opt/app/bin/app", "/opt/vpn/x.so")},
	}
	for _, tt := range tests {
		if got := strings.Contains(found(t, tt.s), string(ForeignModule)); got != tt.want {
			t.Errorf("%s: %s", tt.name, found(t, tt.s))
		}
	}
}

// The first own frame is a finding if the innermost one is the system's, and if something shows
// that this thread is of interest.
func TestFirstOwnFrame(t *testing.T) {
	scanned := crashAt(t, movStore).stack("!memcpy", "copy", "main")
	scanned.Frames[1].Guess, scanned.Frames[2].Guess = true, true
	quiet := func(in *Input) { in.Exception = nil }
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"behind a function of the system", "First own code: copy 1.00. The innermost frame is `memcpy` of libc.so.6, which belongs to the system;",
			crashAt(t, movStore).stack("!memcpy", "copy", "main")},
		{"by scanning", "First own code: copy 0.50. The innermost frame is `memcpy`", scanned},
		{"the innermost frame is own", "", crashAt(t, movStore).stack("copy", "main")},
		{"the innermost frame is a library of the program's", "", crashAt(t, movStore).stack("std::sort", "main")},
		{"nothing but the system", "", crashAt(t, movStore).stack("!memcpy", "!start_thread")},
		{"no exception", "", crashAt(t, "").stack("!poll", "loop").with(quiet)},
		{"no exception, and a request", "First own code: loop 1.00.", crashAt(t, "").stack("!poll", "loop").with(quiet).with(func(in *Input) { in.Requested = true })},
		{"no exception, and a debugger", "First own code: loop 1.00.", crashAt(t, "").stack("!poll", "loop").with(quiet).with(debugged)},
		{"an uncertain name of the system", "First own code: copy 1.00. The innermost frame is in libc.so.6, which belongs to the system;",
			crashAt(t, movStore).stack("!memcpy", "copy").with(func(in *Input) { in.Frames[0].UsedAnyway = true })},
		{"no frames", "", crashAt(t, movStore).stack()},
	}
	for _, tt := range tests {
		got := ""
		for _, f := range Analyze(tt.s.Input).Findings {
			if f.Kind == FirstOwn {
				got = fmt.Sprintf("%s %.2f. %s", f.Text, f.Confidence, f.Evidence[0])
			}
		}
		if !strings.HasPrefix(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// A frame in an unloaded module is a finding, if it is one of the two innermost.
func TestUnloadedFrames(t *testing.T) {
	frames := func(unloaded ...string) *scene {
		s := crashAt(t, movStore).reg(cpu.RAX, 0)
		s.Frames = nil
		for _, name := range unloaded {
			f := spot{Address: 0x5000_1000, ModuleIndex: -1, Unloaded: name}.row()
			if name == "" {
				f = spot{Address: codeAddr, Module: "app", Function: "f"}.row()
			}
			s.Frames = append(s.Frames, f)
		}
		return s
	}
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"the innermost", "Unloaded module: plugin.so. Frame 0 is at 0x50001000, where plugin.so was loaded before.", frames("plugin.so", "")},
		{"its caller", "Unloaded module: plugin.so. Frame 1 is at 0x50001000,", frames("", "plugin.so")},
		{"both: the inner one", "Unloaded module: a.so.", frames("a.so", "b.so")},
		{"further out", "", frames("", "", "plugin.so")},
		{"one frame alone", "Unloaded module: plugin.so.", frames("plugin.so")},
		{"another module is loaded there now", "", frames("plugin.so", "").with(func(in *Input) { in.Frames[0].ModuleIndex = new(0) })},
		{"none", "", frames("", "")},
	}
	for _, tt := range tests {
		got := ""
		for _, f := range Analyze(tt.s.Input).Findings {
			if f.Kind == UnloadedCode {
				got = f.Text + ". " + f.Evidence[0]
			}
		}
		if !strings.HasPrefix(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	gone := crashAt(t, "").regPC(0x5000_1000).fault(0x5000_1000)
	gone.Frames = rows([]spot{{Address: 0x5000_1000, ModuleIndex: -1, Unloaded: "plugin.so"}})
	gone.Unloaded = []module.Module{{Base: 0x5000_0000, Size: 0x1_0000, CodeFile: "plugin.so"}}
	if got, want := found(t, gone), "unloaded_module! 0.95"; got != want {
		t.Errorf("the same is said twice: %s", got)
	}
}

// Code that is compiled at run time is in executable memory, in no module, and its machine is
// loaded.
func TestManagedCode(t *testing.T) {
	const jit = 0x9000_0000
	at := func(library string) *scene {
		s := crashAt(t, movLoad).reg(cpu.RBX, 0).fault(0x10).region(process.Region{Start: jit, Last: jit + 0xffff, Access: "r-x"})
		s.Modules = module.NewMap([]module.Module{{Base: appBase, Size: 0x1000, CodeFile: "/opt/app"}, {Base: libBase, Size: 0x1000, CodeFile: "/usr/lib/" + library}})
		s.Frames = rows([]spot{{Address: jit, ModuleIndex: -1}, {Address: codeAddr, Module: "app", Function: "main"}})
		return s
	}
	tests := []struct {
		name, want string
		s          *scene
	}{
		{".NET", "Probably compiled .NET code. The innermost frame is in no module, and libcoreclr.so is loaded: dotnet-dump names it.", at("libcoreclr.so")},
		{"Windows' name", "Probably compiled .NET code. The innermost frame is in no module, and coreclr.dll is loaded: dotnet-dump or WinDbg with SOS names it.", at("CoreCLR.dll")},
		{"Java", "Probably compiled Java code.", at("libjvm.so")},
		{"Mono", "Probably compiled Mono code.", at("mono-2.0-bdwgc.dll")},
		{"Android", "Probably compiled Android's Java code.", at("libart.so")},
		{"no such library", "", at("libc.so.6")},
		{"a frame in a module", "", at("libart.so").with(func(in *Input) { in.Frames[0].ModuleIndex = new(0) })},
		{"memory that cannot be executed", "", at("libart.so").with(func(in *Input) { in.Frames[0].Walked().Instruction = heapBase })},
		{"memory that is not listed", "", at("libart.so").bare()},
		{"no exception", "", at("libart.so").with(func(in *Input) { in.Exception = nil })},
		{"no frames", "", at("libart.so").stack()},
		{"a bad jump there", "", at("libart.so").regPC(jit).fault(jit)},
	}
	for _, tt := range tests {
		got := ""
		for _, f := range Analyze(tt.s.Input).Findings {
			if f.Kind == Managed {
				got = f.Text + ". " + f.Evidence[0]
			}
		}
		if !strings.HasPrefix(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
