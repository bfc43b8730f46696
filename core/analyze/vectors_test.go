package analyze

import (
	"bytes"
	"crashglass/core/testkit/symbolsource"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/machine/cpu"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/report/render"
	"crashglass/core/stack/unwind"
	"crashglass/symbols/formats/breakpad"
)

// A vector is a synthetic dump with the stacks of its generator.
type vector struct {
	dir      string
	Name     string
	Hostile  bool
	Writer   *uint32   `json:"dump_thread_id"`
	Intended [][]built // by thread
	Threads  []uint32  `json:"thread_ids"`
}

type built struct{ Instruction string }

func vectors(t *testing.T) []vector {
	t.Helper()
	dirs, _ := filepath.Glob("../../../shared/corpus/vectors/*")
	if len(dirs) == 0 {
		t.Skip("no ../shared/corpus/vectors beside the project")
	}
	var out []vector
	for _, dir := range dirs {
		data, err := os.ReadFile(filepath.Join(dir, "meta.json"))
		if err != nil {
			t.Fatal(err)
		}
		v := vector{dir: dir}
		if err := json.Unmarshal(data, &v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

// A walked thread has its stack, its CPU, and the report's end of the stack.
type walked struct {
	unwind.Stack
	arch *cpu.Arch
	end  report.End
}

// walks walks every thread of a vector but the one that wrote the dump.
func (v vector) walks(t *testing.T, explain bool) map[int]walked {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(v.dir, "dump.dmp"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(bin.NewSource(bytes.NewReader(data), int64(len(data))))
	if err != nil {
		t.Fatalf("%s: %v", v.Name, err)
	}
	a := s.analysis(v.symbols(t), Options{Explain: explain})
	out := map[int]walked{}
	for i := range a.p.Threads {
		if ctx := a.p.Threads[i].Registers; ctx != nil && !a.p.Threads[i].Writer {
			stack := unwind.Walk(a.input(ctx))
			th := report.Thread{End: a.end(&stack.End)}
			th.End.Evidence = nil
			render.ThreadSentences(&th)
			out[i] = walked{stack, ctx.Arch, th.End}
		}
	}
	return out
}

func (v vector) symbols(t *testing.T) Symbols {
	return SymbolsFunc(func(m *module.Module) (Source, report.Symbols) {
		pattern := filepath.Join(v.dir, "symbols", module.Basename(m.DebugFile), m.DebugID, "*.sym")
		files, _ := filepath.Glob(pattern)
		if len(files) == 0 {
			return nil, report.Symbols{}
		}
		data, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		f, err := breakpad.Open(bin.NewSource(bytes.NewReader(data), int64(len(data))), breakpad.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return symbolsource.Bare{Source: f}, report.Symbols{State: "matched"}
	})
}

// The stacks of every undamaged vector are found as built, without further frames.
func TestVectorsAsBuilt(t *testing.T) {
	for _, v := range vectors(t) {
		if v.Hostile {
			continue
		}
		t.Run(v.Name, func(t *testing.T) {
			stacks := v.walks(t, false)
			for i, want := range v.Intended {
				if v.Writer != nil && v.Threads[i] == *v.Writer {
					continue
				}
				var got []built
				for _, f := range stacks[i].Frames {
					got = append(got, built{"0x" + strconv.FormatUint(f.Instruction, 16)})
				}
				if len(got) != len(want) {
					t.Errorf("thread %d: %d frames %v, want %d %v", i, len(got), got, len(want), want)
					continue
				}
				for n := range got {
					if got[n] != want[n] {
						t.Errorf("thread %d, frame %d: %s, want %s", i, n, got[n].Instruction, want[n].Instruction)
					}
				}
			}
		})
	}
}

// The cost bound of a walk of hostile memory, for each frame and for the last attempt: two scans of
// 1 KiB, and the reads of the methods before them.
const (
	readsPerFrame = 2000
	stepsPerFrame = 10
)

func TestVectorsAreBounded(t *testing.T) {
	most := 0
	for _, v := range vectors(t) {
		for i, s := range v.walks(t, false) {
			n := len(s.Frames)
			most = max(most, s.Reads/max(n, 1))
			if s.Reads > readsPerFrame*(n+1) || s.Steps > stepsPerFrame*(n+1) {
				t.Errorf("%s, thread %d: %d reads and %d steps for %d frames", v.Name, i, s.Reads, s.Steps, n)
			}
			if s.end.Reason == "" || s.end.Complete != s.End.Kind.Complete() {
				t.Errorf("%s, thread %d: no word on how the walk ended", v.Name, i)
			}
		}
	}
	t.Logf("at most %d words read for a frame", most)
}

// Evidence is complete: the last step of each frame was accepted, and ends
// with the frame's own pc and sp. It changes nothing about the stack.
func TestVectorsEvidence(t *testing.T) {
	for _, v := range vectors(t) {
		plain := v.walks(t, false)
		for i, s := range v.walks(t, true) {
			if len(s.Frames) != len(plain[i].Frames) || !reflect.DeepEqual(s.end, plain[i].end) {
				t.Errorf("%s, thread %d: %d frames with evidence, %d without", v.Name, i, len(s.Frames), len(plain[i].Frames))
			}
			for n := 1; n < len(s.Frames); n++ {
				f := &s.Frames[n]
				if len(f.Evidence) == 0 {
					t.Errorf("%s, thread %d, frame %d: no evidence", v.Name, i, n)
					continue
				}
				last := f.Evidence[len(f.Evidence)-1]
				want := "pc " + hex(f.ReturnAddress) + ", sp " + hex(f.Regs.Value(s.arch.SP))
				if last.Result != unwind.Accepted || last.Text[len(last.Text)-1] != want {
					t.Errorf("%s, thread %d, frame %d: the last step is %+v, want %s", v.Name, i, n, last, want)
				}
			}
		}
	}
}

func hex(v uint64) string { return "0x" + strconv.FormatUint(v, 16) }
