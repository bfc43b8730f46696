package container_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"crashglass/core/analyze"
	"crashglass/core/base/bin"
	"crashglass/core/dump/container"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/report/render"
	"crashglass/core/report/triage"
	"crashglass/core/sanitize"
)

// A kind of file with stated frames and no memory is a reader and a row. Each line of it has a word and
// values: "signal", "thread", "module" or "frame".
const toy = `TOY
signal 11 1 8
module 0x400000 0x10000 /home/frida/game
module 0x7f0000000000 0x20000 /usr/lib/libc.so.6
thread 7 main
frame 0x7f0000000150 memcpy 0x10
frame 0x401234 update 0x34 /home/frida/game/main.c 12
frame 0x402000 - 0x0
frame 0x5 nowhere 0x5
thread 8 worker
frame 0x7f0000000250 poll 0x50
`

func openToy(src bin.Source) ([]*process.Process, bool, error) {
	data, err := src.Read("toy", 0, uint64(min(src.Size(), 1<<20)))
	if err != nil || !bytes.HasPrefix(data, []byte("TOY\n")) {
		return nil, false, err
	}
	p := &process.Process{
		Origin: process.Origin{Kind: "toy", Size: src.Size()}, Lacks: process.Copy | process.CPUModel | process.Places,
		System: &process.System{OS: process.Linux, Name: "Linux"}, Arch: &cpu.AMD64, Subject: -1,
	}
	var modules []module.Module
	for line := range strings.Lines(string(data)) {
		var m module.Module
		var e process.Event
		var t process.Thread
		var f process.Frame
		var names process.Names
		switch last := len(p.Threads) - 1; {
		case scan(line, "module %v %v %v", &m.Base, &m.Size, &m.CodeFile) == 3:
			m.DebugFile = m.CodeFile
			modules = append(modules, m)
		case scan(line, "signal %v %v %v", &e.Code, &e.Flags, &e.Address) == 3:
			p.Event, p.Subject = &e, 0
		case scan(line, "thread %v %v", &t.ID, &t.Name) == 2:
			p.Threads = append(p.Threads, t)
		case last >= 0 && scan(line, "frame %v %v %v %v %v", &f.Instruction, &names.Function, &names.Offset, &names.File, &names.Line) >= 3:
			names.Function = strings.Trim(names.Function, "-")
			f.Stated = &names
			p.Threads[last].Frames = append(p.Threads[last].Frames, f)
		}
	}
	p.SetModules(modules)
	return []*process.Process{p}, true, nil
}

func scan(line, form string, values ...any) int {
	n, _ := fmt.Sscanf(line, form, values...)
	return n
}

func toyReport(t *testing.T) (*analyze.Session, *report.Report) {
	t.Helper()
	container.AddReader(t, openToy)
	all, err := analyze.OpenAll(bin.NewSource(strings.NewReader(toy), int64(len(toy))))
	if err != nil || len(all) != 1 {
		t.Fatalf("%d dumps, %v", len(all), err)
	}
	r, err := all[0].Report(nil, analyze.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return all[0], r
}

// The frames are the file's. A name with a source line is certain, and any other one is not.
func TestStatedFrames(t *testing.T) {
	_, r := toyReport(t)
	want := []struct {
		module, function string
		certainty        report.Certainty
	}{{"libc.so.6", "memcpy", report.NameNearest}, {"game", "update", report.NameInside}, {"game", "", report.NameNone}, {"", "nowhere", report.NameNearest}}
	frames := r.Threads[0].Frames
	if len(frames) != len(want) || r.Threads[0].End.Kind != report.FileStates || len(r.Threads[1].Frames) != 1 {
		t.Fatalf("%d frames, %+v", len(frames), r.Threads[0].End)
	}
	for i, w := range want {
		f := &frames[i]
		if value(f.Module) != w.module || value(f.Function) != w.function || f.Certainty != w.certainty || f.Trust != report.TrustPrewalked || f.FoundBy != report.ByFile {
			t.Errorf("frame %d: %s %s, %s, %s by %q; want %+v", i, value(f.Module), value(f.Function), f.Certainty, f.Trust, f.FoundBy, w)
		}
	}
	if !r.Threads[0].Crashed || r.Verdict.What == "" || len(r.Notes) > 0 {
		t.Errorf("crashed %t, verdict %q, notes %+v", r.Threads[0].Crashed, r.Verdict.What, r.Notes)
	}
}

// Every output has the frames, and marks names in the same way.
func TestStatedOutputs(t *testing.T) {
	s, r := toyReport(t)
	for _, write := range []func(io.Writer, *report.Report, render.Options) error{render.Text, render.Markdown, render.HTML} {
		var out bytes.Buffer
		if err := write(&out, r, render.Options{}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			names, marked := strings.Contains(line, "memcpy") && strings.Contains(line, "0x150"), strings.Contains(line, "~")
			if names && !marked || strings.Contains(line, "update") && marked && !strings.Contains(line, "memcpy") {
				t.Errorf("%s", line)
			}
		}
		if !strings.Contains(out.String(), "memcpy") || !strings.Contains(out.String(), "main.c") {
			t.Errorf("%s", out.String())
		}
	}
	var out bytes.Buffer
	if err := render.JSON(&out, r); err != nil || !json.Valid(out.Bytes()) || !strings.Contains(out.String(), `"stated by the file"`) {
		t.Errorf("JSON: %v\n%s", err, out.String())
	}
	if g := triage.Of("toy", r, triage.Own); g.Kind != triage.Crash || !strings.Contains(g.Signature, "update") {
		t.Errorf("triage: %+v", g)
	}
	out.Reset()
	if err := render.JSON(&out, sanitize.Mask(r, sanitize.People(s))); err != nil || strings.Contains(out.String(), "frida") {
		t.Errorf("masked: %v\n%s", err, out.String())
	}
	if list := sanitize.Inspect(s); len(list.Items) > 0 {
		t.Errorf("%+v", list.Items)
	}
	if _, err := sanitize.Clean(s, nil, sanitize.Options{}); err == nil {
		t.Error("a file without streams was written as a dump")
	}
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
