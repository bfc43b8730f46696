package wer

import (
	"strings"
	"testing"

	"crashglass/core/testkit/textreport"
)

const (
	event = `Faulting application name: game.exe, version: 1.2.0.0, time stamp: 0x64f0a1b2
Faulting module name: engine.dll, version: 1.2.0.0, time stamp: 0x64f0a1b3
Exception code: 0xc0000005
Fault offset: 0x0000000000018551
Faulting process id: 0x4f58
Faulting application path: C:\\games\\game.exe
Faulting module path: C:\\games\\engine.dll
Report Id: 0e4bc20a-9467-467a-b09c-83a1666a4ac0
`
	report64 = `EventType=APPCRASH
Sig[0].Name=Application Name
Sig[0].Value=game.exe
Sig[3].Value=engine.dll
Sig[6].Value=c0000005
Sig[7].Value=0000000000018551
AppPath=C:\\games\\game.exe
`
)

func TestReports(t *testing.T) {

	for log, path := range map[string]string{
		event: `C:\\games\\engine.dll`, "Version=1\n" + report64: "engine.dll", "x\n" + event + "a line\n": `C:\\games\\engine.dll`,
		strings.NewReplacer("APPCRASH", "BEX64", "[6]", "[7]", "[7]", "[6]").Replace(report64): "engine.dll",
	} {
		all := textreport.Open(Family, log)
		if len(all) != 1 || all[0].Subject != 0 || all[0].Event.Code != 0xc0000005 {
			t.Errorf("%s: %+v", log, all)
			continue
		}
		f := all[0].Threads[0].Frames[0]
		if m := all[0].Modules; f.Instruction != m[len(m)-1].Base+0x18551 || m[len(m)-1].CodeFile != path || !m[len(m)-1].Floating {
			t.Errorf("%s: %+v, %+v", log, f, m)
		}
	}
	if all := textreport.Open(Family, event+event); len(all) != 2 || *all[1].PID != 0x4f58 {
		t.Errorf("%+v", all)
	}
	second := strings.ReplaceAll(strings.Replace(report64, "AppPath=", "Path=", 1), "c0000005", "c0000094")
	if all := textreport.Open(Family, report64+second); len(all) != 2 || all[0].Event.Code != 0xc0000005 || all[1].Event.Code != 0xc0000094 || len(all[1].Modules) != 1 {
		t.Errorf("%+v", all)
	}
	for _, log := range []string{event[:20], "EventType=APPCRASH\nSig[6].Value=x\n", "Faulting application name: a\nother\n"} {
		if all := textreport.Open(Family, log); len(all) > 0 {
			t.Errorf("%q: %+v", log, all[0])
		}
	}
}

func FuzzRead(f *testing.F) { textreport.Fuzz(f, Family, event, report64) }
