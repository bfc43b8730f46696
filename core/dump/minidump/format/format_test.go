package format

import (
	"strings"
	"testing"
)

// The structures are as long as in dumps of Windows 10: streams 21 and 22 have 492 and 152 bytes, of
// which four are the revision and the flags. The first revision of stream 22 has 80.
func TestCounterSizes(t *testing.T) {
	for _, tt := range []struct {
		name  string
		table []Field
		size  int
	}{
		{"MINIDUMP_SYSTEM_MEMORY_INFO_1", SystemMemory, 492},
		{"MINIDUMP_PROCESS_VM_COUNTERS_1", VMCounters1, 80},
		{"MINIDUMP_PROCESS_VM_COUNTERS_2", VMCounters2, 152},
	} {
		size := 4
		names := map[string]bool{}
		for _, f := range tt.table {
			if names[f.Name] || f.Name == "" {
				t.Errorf("%s has two fields %q", tt.name, f.Name)
			}
			names[f.Name] = true
			size += f.Width
		}
		if size != tt.size {
			t.Errorf("%s has %d bytes, want %d", tt.name, size, tt.size)
		}
	}
}

// The revisions differ behind the ninth counter, by which the writer tells them apart.
func TestCounterRevisions(t *testing.T) {
	for i, f := range VMCounters {
		if VMCounters1[i] != f || VMCounters2[i] != f {
			t.Errorf("counter %d is %v, %v and %v", i, f, VMCounters1[i], VMCounters2[i])
		}
	}
	first, second := VMCounters1[len(VMCounters)].Name, VMCounters2[len(VMCounters)].Name
	if first != "PrivateUsage" || second != "PeakVirtualSize" {
		t.Errorf("the revisions go on with %s and %s", first, second)
	}
}

// A path has two or three tags of one digit: the reader opens no message deeper than "4.1.1".
func TestProtoPaths(t *testing.T) {
	for _, table := range []map[ProtoPath]string{StabilitySystem, StabilityCounters} {
		names := map[string]bool{}
		for path, name := range table {
			if names[name] {
				t.Errorf("%s has two paths", name)
			}
			names[name] = true
			if tags := strings.Split(string(path), "."); len(path) > len("4.1.1") || len(path) != 2*len(tags)-1 {
				t.Errorf("%s has the path %q", name, path)
			}
		}
	}
}

// The signatures are the bytes that files begin with.
func TestSignatures(t *testing.T) {
	for text, word := range map[string]uint32{"MDMP": Signature, "PMDM": SignatureSwapped, "RSDS": CodeViewPDB70, "NB10": CodeViewPDB20, "LEpB": CodeViewELF} {
		if got := uint32(text[0]) | uint32(text[1])<<8 | uint32(text[2])<<16 | uint32(text[3])<<24; got != word {
			t.Errorf("%q is %#x, want %#x", text, got, word)
		}
	}
}
