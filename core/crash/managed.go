package crash

import (
	"fmt"
	"strings"
)

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
func (s *state) findManaged() {
	if len(s.in.Frames) == 0 || s.in.Frames[0].ModuleIndex >= 0 || s.in.Exception == nil || s.has(BadJump, UnloadedCode) {
		return
	}
	if g := s.regionAt(s.in.Frames[0].Address); g == nil || !g.Exec {
		return
	}
	for i := range s.in.Modules.Modules() {
		file := strings.ToLower(s.in.Modules.Modules()[i].Name())
		for _, m := range machines {
			if matches(m.module, file) {
				s.add(Finding{Kind: Managed, Text: "Probably compiled " + m.name + " code", Confidence: 0.7, Evidence: []string{
					fmt.Sprintf("The innermost frame is in no module, and %s is loaded: %s.", file, m.hint)}})
				return
			}
		}
	}
}
