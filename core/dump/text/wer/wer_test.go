package wer

import (
	"strings"
	"testing"

	"crashglass/core/process"
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

// The event has the same values in one line, as Windows Vista wrote it, and as XML.
func TestEvents(t *testing.T) {
	xml := `<Event xmlns='http://schemas.microsoft.com/win/2004/08/events/event'><System><Provider Name='Application Error'/></System><EventData>` +
		`<Data Name="AppName">game.exe</Data><Data>1</Data><Data>64f0a1b2</Data><Data>engine.dll</Data><Data>1</Data><Data>64f0a1b3</Data><Data>c0000005</Data>` +
		`<Data>0000000000018551</Data><Data>0x4f58</Data><Data>1d9</Data><Data>C:\\games\\game.exe</Data><Data>C:\\a &amp; b\\engine.dll</Data></EventData></Event>`
	for log, path := range map[string]string{
		"Description: " + strings.ReplaceAll(event, "\n", " ") + "\nmore\n": `C:\\games\\engine.dll`,
		"Faulting application game.exe, version 1.2.0.0, time stamp 0x64f0a1b2, faulting module engine.dll, version 1.2.0.0, time stamp 0x64f0a1b3, " +
			"exception code 0xc0000005, fault offset 0x00018551, process id 0x4f58, application start time 0x01c8f5c6b2a6d9a0.\n": "engine.dll",
		xml + "\n": `C:\\a & b\\engine.dll`, strings.ReplaceAll(xml, "><", ">\n  <"): `C:\\a & b\\engine.dll`,
	} {
		all := textreport.Open(Family, log)
		if len(all) != 1 || all[0].Event == nil || all[0].Event.Code != 0xc0000005 || *all[0].PID != 0x4f58 {
			t.Errorf("%s: %+v", log, all)
			continue
		}
		f := all[0].Threads[0].Frames[0]
		if m := all[0].Modules; f.Instruction != m[len(m)-1].Base+0x18551 || m[len(m)-1].CodeFile != path {
			t.Errorf("%s: %+v, %+v", log, f, m)
		}
	}
	if all := textreport.Open(Family, "<Provider Name='Service'/><EventData><Data>a</Data></EventData>\n"); len(all) > 0 {
		t.Errorf("%+v", all[0])
	}
}

// A program that hung, and an exception of .NET, have no place. DynamicSig is no value of the signature.
func TestSignatures(t *testing.T) {
	for log, want := range map[string]process.Problem{
		"EventType=AppHangB1\nSig[0].Value=game.exe\nSig[3].Value=8ad2\n":                                                 {Kind: process.Hang, Text: "game.exe"},
		"EventType=CLR20r3\nSig[0].Value=game.exe\nSig[8].Value=System.IO.FileNotFoundException\nDynamicSig[8].Value=x\n": {Kind: process.Uncaught, Text: "System.IO.FileNotFoundException"},
	} {
		if all := textreport.Open(Family, log); len(all) != 1 || all[0].Problem == nil || *all[0].Problem != want {
			t.Errorf("%s: %+v", log, all)
		}
	}
}

const fatalEvent = "Application: game.exe\nCoreCLR Version: 8.0.324.11423\n.NET Version: 8.0.3\n" +
	"Description: The process was terminated due to an internal error in the .NET Runtime at IP 0x00007FFCFDE9C5E4 (0x00007FFCFDD10000) with exit code 0x80131506.\n"

// .NET Framework and older .NET write numbers without 0x, and .NET 6 a full stop before them.
func TestFatal(t *testing.T) {
	for _, log := range []string{fatalEvent, strings.ReplaceAll(fatalEvent, "0x", ""), strings.Replace(fatalEvent, "Runtime at", "Runtime.at", 1)} {
		all := textreport.Open(Family, log)
		if len(all) != 1 || all[0].Problem == nil || *all[0].Problem != (process.Problem{Kind: process.Panic, Text: "internal error in the .NET Runtime, exit code 0x80131506"}) {
			t.Errorf("%s: %+v", log, all)
			continue
		}
		if f := all[0].Threads[0].Frames; len(f) != 1 || f[0].Instruction != 0x7ffcfde9c5e4 || all[0].Annotations[0].Value != "game.exe" || len(all[0].Modules) > 0 {
			t.Errorf("%s: %+v", log, f)
		}
	}
	if all := textreport.Open(Family, "an internal error in the .NET Runtime at IP XXX with exit code YYY\n"); len(all) > 0 {
		t.Errorf("%+v", all[0])
	}
}

func FuzzRead(f *testing.F) { textreport.Fuzz(f, Family, event, report64, fatalEvent) }
