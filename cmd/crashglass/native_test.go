package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"crashglass/core/report"
)

// programs are the dumps whose programs, with debug information, are available.
var programs = map[string]string{
	"arm64_abort": "arm64_abort", "arm64_static_fp": "arm64_static_fp", "arm_arm": "arm_arm", "mipsel_leaf": "mipsel_leaf",
	"riscv64_leaf": "riscv64_leaf", "core_sighandler_o2": "sighandler_o2", "core_threads_o2": "threads_o2",
	"trap_o2": "trap_o2", "core_vcall_o2": "vcall_o2", "x86_q_leaf": "x86_q_leaf",
}

// TestNativeWalks walks with a program instead of its symbol file. Up to the first guess, the
// frames of the crashing thread are the same or better: dump_syms drops inlined calls with code in
// several places, and the program's code proves a leaf that is otherwise a guess.
func TestNativeWalks(t *testing.T) {
	real := filepath.Join(corpus, "real")
	if _, err := os.Stat(real); err != nil {
		t.Skip("the corpus is not at " + corpus)
	}
	for dump, program := range programs {
		t.Run(dump, func(t *testing.T) {
			path := filepath.Join(real, "dumps", dump+".dmp")
			withSym := crashingFrames(t, path, filepath.Join(real, "symbols"))
			withFile := crashingFrames(t, path, othersSymbols(t, real, program), filepath.Join(real, "native", program))
			for i := range withSym {
				s := &withSym[i]
				if i > 0 && guessed(s) {
					break
				}
				if i >= len(withFile) {
					t.Fatalf("%d frames, with the symbol file %d", len(withFile), len(withSym))
				}
				compareFrames(t, i, s, &withFile[i])
			}
		})
	}
}

func guessed(f *report.Frame) bool { return f.Trust.Scanned() }

func compareFrames(t *testing.T, i int, s, f *report.Frame) {
	t.Helper()
	text := func(p *string) string {
		if p == nil {
			return ""
		}
		return *p
	}
	if s.Offset != f.Offset || text(s.Module) != text(f.Module) || text(s.Function) != text(f.Function) || s.Trust != f.Trust {
		t.Errorf("frame %d is %s %s %s (%s), with the symbol file %s %s %s (%s)", i,
			f.Offset, text(f.Module), text(f.Function), f.Trust, s.Offset, text(s.Module), text(s.Function), s.Trust)
	}
	if len(f.Inlines) < len(s.Inlines) {
		t.Errorf("frame %d has %d inlined calls, with the symbol file %d", i, len(f.Inlines), len(s.Inlines))
	}
	if len(f.Inlines) == len(s.Inlines) && (text(s.File) != text(f.File) || s.Line != nil && (f.Line == nil || *s.Line != *f.Line)) {
		t.Errorf("frame %d is elsewhere in the source", i)
	}
}

// othersSymbols returns a folder of symbols without those of one program.
func othersSymbols(t *testing.T, real, program string) string {
	t.Helper()
	dir := t.TempDir()
	all, err := os.ReadDir(filepath.Join(real, "symbols"))
	if err != nil {
		t.Fatal(err)
	}
	from, err := filepath.Abs(filepath.Join(real, "symbols"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		if e.Name() == program {
			continue
		}
		if err := os.Symlink(filepath.Join(from, e.Name()), filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func crashingFrames(t *testing.T, dump string, symbols ...string) []report.Frame {
	t.Helper()
	args := []string{"walk", "-format", "json", "-thread", "crashing"}
	for _, s := range symbols {
		args = append(args, "-symbols", s)
	}
	out, errs, status := crashglass(append(args, dump)...)
	if status != exitOK {
		t.Fatal(errs)
	}
	var r struct {
		Crash struct {
			Thread *int `json:"crashing_thread"`
		} `json:"crash_info"`
		Threads []struct {
			Frames []json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	i := 0
	if r.Crash.Thread != nil {
		i = *r.Crash.Thread
	}
	var frames []report.Frame
	for _, raw := range r.Threads[i].Frames {
		var f struct {
			report.Frame
			Registers any `json:"registers"`
		}
		if err := json.Unmarshal(raw, &f); err != nil {
			t.Fatal(err)
		}
		frames = append(frames, f.Frame)
	}
	return frames
}
