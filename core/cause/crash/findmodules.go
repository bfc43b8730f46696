package crash

import (
	"fmt"
	"strings"

	"crashglass/core/process"
	"crashglass/core/process/module"
)

// findModules finds whose code crashed: the first frame outside the system's modules, and a module
// that belongs neither to the system nor to the program.
func (s *facts) findModules() (all []candidate) {
	if len(s.in.Frames) == 0 {
		return nil
	}
	top := &s.in.Frames[0]
	if top.Guess {
		all = observation(Finding{Kind: UntrustedStack, Text: "Stack is a guess", Confidence: 1,
			Evidence: []string{"The innermost frame was found by scanning the stack for something like a return address."}})
	}
	i := firstOwn(s.in, 0)
	if i < 0 {
		return all
	}
	own := &s.in.Frames[i]
	if i > 0 && s.in.Stop == nil && s.isSystem(top) && (s.in.Exception != nil || s.in.Requested || s.in.Debugger != "") {
		all = append(all, observation(Finding{Kind: FirstOwn, Text: "First own code: " + own.name(), Confidence: ownConfidence(own), Evidence: []string{
			s.innermost() + ", which belongs to the system; this is the first frame outside the system's code and the code that ends programs."}})...)
	}
	return append(all, s.findForeign(own)...)
}

// ownConfidence: every frame behind a scanned one is a guess.
func ownConfidence(f *Row) float32 {
	if f.Guess {
		return 0.5
	}
	return 1
}

// findForeign recognizes a module that neither belongs to the system nor was installed with the
// program: a plug-in, a driver's library, an injected library.
func (s *facts) findForeign(f *Row) []candidate {
	mods := s.in.Modules.Modules()
	if f.index() < 0 || f.index() >= len(mods) || s.in.Main < 0 || s.in.Main >= len(mods) || f.index() == s.in.Main {
		return nil
	}
	file, program := mods[f.index()].CodeFile, mods[s.in.Main].CodeFile
	home := folder(program)
	isLibrary := s.in.OS.IsMac() && strings.HasSuffix(program, ".dylib") // of a report that does not list the program
	if home == "" || isLibrary || folder(file) == "" || !s.in.OS.IsWindows() && !s.in.OS.IsMac() || isBelow(file, home, s.in.OS) {
		return nil
	}
	return observation(Finding{Kind: ForeignModule, Text: "Third-party module: " + module.Basename(file), Confidence: 0.7, Evidence: []string{
		fmt.Sprintf("%s belongs neither to the system nor is it below %s, the program's folder: a plug-in, or an injected library.", file, home)}})
}

// isBelow reports whether a file is below the program's folder or, on macOS, below its bundle.
func isBelow(file, home string, os process.OS) bool {
	if i := strings.Index(home, ".app/"); i >= 0 && os.IsMac() {
		home = home[:i+len(".app")]
	}
	return len(file) > len(home) && strings.EqualFold(file[:len(home)], home) && strings.ContainsAny(file[len(home):len(home)+1], `/\`)
}

// folder returns a path without its last element and separator.
func folder(path string) string {
	if i := strings.LastIndexAny(path, `/\`); i > 0 {
		return path[:i]
	}
	return ""
}

func (s *facts) findUnloadedFrame() []candidate {
	for i := range s.in.Frames[:min(len(s.in.Frames), 2)] {
		f := &s.in.Frames[i]
		if f.unloaded() == "" || f.index() >= 0 {
			continue
		}
		return observation(Finding{Kind: UnloadedCode, Text: "Unloaded module: " + f.unloaded(), Confidence: 0.8, Evidence: []string{
			fmt.Sprintf("Frame %d is at %s, where %s was loaded before.", i, hex(f.address()), f.unloaded())}})
	}
	return nil
}

// machines are the libraries that compile code at run time, with the tool or file that names that
// code. Names are in lower case; '*' as in matches.
var machines = []struct{ module, name, hint string }{
	{"coreclr.dll", ".NET", "dotnet-dump or WinDbg with SOS names it"}, {"libcoreclr.*", ".NET", "dotnet-dump names it"},
	{"clr.dll", ".NET", "WinDbg with SOS names it"}, {"mscorwks.dll", ".NET", "WinDbg with SOS names it"},
	{"mono-2.0-*", "Mono", "Mono's own crash report names it"}, {"libmonosgen*", "Mono", "Mono's own crash report names it"},
	{"jvm.dll", "Java", "the file hs_err_pid*.log beside the program names it"}, {"libjvm.*", "Java", "the file hs_err_pid*.log beside the program names it"},
	{"libart.so", "Android's Java", "the system's tombstone names it"},
}

// findManaged recognizes code that was compiled at run time: the innermost frame is in no module,
// in executable memory, and one of machines is loaded.
func (s *facts) findManaged() []candidate {
	if len(s.in.Frames) == 0 || s.in.Frames[0].index() >= 0 || s.in.Exception == nil {
		return nil
	}
	if g := s.regionAt(s.in.Frames[0].address()); g == nil || !g.Allows('x') {
		return nil
	}
	for i := range s.in.Modules.Modules() {
		file := strings.ToLower(s.in.Modules.Modules()[i].Name())
		for _, m := range machines {
			if matches(m.module, file) {
				return observation(Finding{Kind: Managed, Text: "Probably compiled " + m.name + " code", Confidence: 0.7, Evidence: []string{
					fmt.Sprintf("The innermost frame is in no module, and %s is loaded: %s.", file, m.hint)}})
			}
		}
	}
	return nil
}
