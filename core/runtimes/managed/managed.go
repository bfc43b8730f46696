// Package managed recognizes the runtimes whose calls Crashglass does not name, Java's HotSpot and .NET, and says which programs do.
//
//	for _, r := range managed.Runtimes() {
//		if found := r.Find(process); found != nil {
//			fmt.Println(r.Name, found.Note)
//		}
//	}
//
// A runtime is recognized by the library that has it, in a process whose stacks are walked: a report that states its stacks has the names. Read
// this file only.
package managed

import (
	"slices"
	"strings"

	"crashglass/core/process"
	"crashglass/core/process/module"
	"crashglass/core/runtimes"
)

// A machine is a runtime: the names of its library, without the suffix, and a note.
type machine struct {
	name, libraries, note string
}

// machines are the runtimes. Sources: jhsdb(1) of the JDK; learn.microsoft.com, "dotnet-dump" and "SOS debugging extension".
var machines = [...]machine{
	{"Java", "libjvm jvm", "functions of Java have no names: `jhsdb jstack --core FILE --exe java` of the same JDK names those of a core, and hs_err_pid*.log those of the crash"},
	{".NET", "libcoreclr coreclr clr", "functions of .NET have no names: `dotnet-dump analyze FILE` (clrstack), or a debugger with the SOS extension, names them"},
}

// Runtimes are the rows of all such runtimes. They have no tasks.
func Runtimes() (out []runtimes.Runtime) {
	for i := range machines {
		out = append(out, runtimes.Runtime{Name: machines[i].name, Find: machines[i].find})
	}
	return out
}

func (m *machine) find(p *process.Process) *runtimes.Found {
	walked := func(t process.Thread) bool { return t.Registers != nil && len(t.Frames) == 0 }
	if !slices.ContainsFunc(p.Threads, walked) || !slices.ContainsFunc(p.Modules, m.has) {
		return nil
	}
	return &runtimes.Found{Note: m.note}
}

// has reports whether a module is the runtime's library.
func (m *machine) has(mod module.Module) bool {
	name := strings.ToLower(mod.Name())
	for _, suffix := range []string{".so", ".dll", ".dylib"} {
		if base, ok := strings.CutSuffix(name, suffix); ok && slices.Contains(strings.Fields(m.libraries), base) {
			return true
		}
	}
	return false
}
