package symbols

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"crashglass/core/testkit/sample"
)

// TestCutUnwindSection cuts .eh_frame of a real program at many places. What
// rules are left are those of the whole section, and where some are missing the
// state of the module's symbols names the file and the section.
func TestCutUnwindSection(t *testing.T) {
	const name = "vcall_o2"
	whole, err := os.ReadFile("../../shared/corpus/real/native/" + name)
	if err != nil {
		t.Skip("no ../shared/corpus beside the project")
	}
	f, err := elf.NewFile(bytes.NewReader(whole))
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(f.Sections, func(s *elf.Section) bool { return s.Name == ".eh_frame" })
	frames := f.Sections[i]
	sizeAt := binary.LittleEndian.Uint64(whole[0x28:]) + uint64(64*i) + 0x20 // e_shoff, sh_size
	rules := func(cut uint64) (out []string, why string) {
		data := bytes.Clone(whole)
		binary.LittleEndian.PutUint64(data[sizeAt:], cut)
		s := NewStore(Options{})
		s.Add(name, source(string(data)))
		m := s.Modules()[0]
		src, _ := s.For(&m)
		for rel := range uint64(0x2000) {
			r, ok := src.CallFrame(rel)
			out = append(out, fmt.Sprint(ok, r))
		}
		_, state := s.For(&m)
		if state.Why != nil {
			why = *state.Why
		}
		return out, why
	}
	want, _ := rules(frames.FileSize)
	const none = "false"
	for cut := uint64(1); cut < frames.FileSize; cut += 7 * uint64(sample.Step()) {
		got, why := rules(cut)
		lost := false
		for rel := range got {
			if got[rel] != want[rel] && !strings.HasPrefix(got[rel], none) {
				t.Fatalf("cut at %#x: %#x: %s, was %s", cut, rel, got[rel], want[rel])
			}
			lost = lost || got[rel] != want[rel]
		}
		if lost && !(strings.Contains(why, name) && strings.Contains(why, ".eh_frame")) {
			t.Errorf("cut at %#x: rules are lost, and all that is said is %q", cut, why)
		}
	}
}
