package managed

import (
	"strings"
	"testing"

	"crashglass/core/process"
	"crashglass/core/process/module"
)

// A runtime is recognized by its library, in a process whose stacks are walked.
func TestFind(t *testing.T) {
	walked, stated := process.Thread{Registers: &process.Registers{}}, process.Thread{Frames: make([]process.Frame, 1), Registers: &process.Registers{}}
	for _, tt := range []struct {
		file   string
		thread process.Thread
		want   string // the tool
	}{
		{"/usr/lib/jvm/java-17/lib/server/libjvm.so", walked, "jhsdb"}, {`C:\jdk\bin\server\JVM.dll`, walked, "jhsdb"}, {"/usr/share/dotnet/libcoreclr.so", walked, "dotnet-dump"},
		{`C:\Windows\Microsoft.NET\Framework64\v4.0.30319\clr.dll`, walked, "dotnet-dump"}, {"/lib/libjvmcfg.so", walked, ""}, {"/lib/libjvm.so", stated, ""},
	} {
		p := &process.Process{Threads: []process.Thread{tt.thread}, Modules: []module.Module{{CodeFile: "/bin/app"}, {CodeFile: tt.file}}}
		got := ""
		for _, r := range Runtimes() {
			if found := r.Find(p); found != nil {
				got += found.Note
			}
		}
		if (got != "") != (tt.want != "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %s", tt.file, got, tt.want)
		}
	}
}
