package minidump

import (
	"errors"
	"testing"

	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
)

// Every stream that has a reader is in the dump that the tests with damaged
// files are made of: a new row of the table has to be there, too.
func TestKindsAreTested(t *testing.T) {
	f := build(t, everything(t))
	for _, k := range kinds() {
		if k.read == nil || k.number>>16 == 0xface || k.number == ThreadExListStream { // text, and the same list again
			continue
		}
		if !f.Has(k.number) {
			t.Errorf("no %s among everything", k.name)
		}
		if v, err := f.Decode(k.number); v == nil || err != nil {
			t.Errorf("%s: %v, %v", k.name, v, err)
		}
	}
}

// No number and no name stands for two streams.
func TestKindsAreDistinct(t *testing.T) {
	numbers, names := map[StreamType]string{}, map[string]bool{}
	for _, k := range kinds() {
		if numbers[k.number] != "" || names[k.name] || k.name == "" {
			t.Errorf("%#x is %q and %q", uint32(k.number), numbers[k.number], k.name)
		}
		numbers[k.number], names[k.name] = k.name, true
	}
}

func TestDecode(t *testing.T) {
	b := dump.New().System(dump.AMD64, dump.Linux, "x")
	b.Stream(0x47670005, asm.At(0).Text("ID=x\n")).Stream(23, asm.At(0).U32(1)).Stream(0xbeef, asm.At(0).U32(1))
	b.Thread(dump.Thread{ID: 1, Context: b.Context(t, dump.AMD64, map[string]uint64{"rip": 0x1234})})
	f := build(t, b)
	if v, err := f.Decode(LinuxLSBReleaseStream); v != Text("ID=x\n") || err != nil {
		t.Errorf("text: %v, %v", v, err)
	}
	for _, kind := range []StreamType{23, 0xbeef} {
		if v, err := f.Decode(kind); v != nil || !errors.Is(err, ErrNoReader) {
			t.Errorf("%s: %v, %v", kind, v, err)
		}
	}
	if _, err := f.Decode(TokenStream); !errors.Is(err, ErrNoStream) {
		t.Errorf("a stream that is not there: %v", err)
	}
	v, err := f.Decode(ThreadListStream)
	threads, ok := v.([]ThreadDetail)
	if err != nil || !ok || len(threads) != 1 {
		t.Fatalf("threads: %#v, %v", v, err)
	}
	found := map[string]uint64{}
	for _, r := range append(threads[0].Registers.Registers, threads[0].State...) {
		found[r.Name] = r.Value
	}
	if found["rip"] != 0x1234 || found["context_flags"]&0x10_0000 == 0 {
		t.Errorf("registers %#v", found)
	}
}

// The other fields of a context lie inside its structure, and overlap no register.
func TestPartsFit(t *testing.T) {
	for layout, list := range parts {
		taken := make([]string, layout.Size)
		take := func(name string, at, width int) {
			for i := at; i < at+width; i++ {
				if i >= len(taken) || taken[i] != "" {
					t.Errorf("%s: %s at %d is not free", layout.Name, name, i)
					return
				}
				taken[i] = name
			}
		}
		for _, s := range layout.Slots {
			take(layout.Arch.RegName(s.Reg), s.At, s.Width)
		}
		for _, p := range list {
			take(p.name, p.at, p.width)
		}
	}
}

func TestMeanings(t *testing.T) {
	tests := map[string]interface{ String() string }{
		"":                                UnixTime(0),
		"2007-02-14 19:13:55 UTC":         UnixTime(0x45d35f73),
		"1601-01-01 00:00:00.0000001 UTC": FileTime(1),
		"2020-09-14 08:42:28.1234567 UTC": FileTime(132445465481234567),
		"WithDataSegs | WithHandleData":   DumpType(5),
		"workstation":                     ProductType(1),
		"process id | 0x8000":             MiscFlags(0x8001),
		"medium":                          Integrity(0x2000),
		"AVX":                             Feature(2),
		"exited":                          ThreadFlags(ThreadExited),
		"READWRITE | GUARD":               PageProtection(0x104),
		"COMMIT":                          MemoryState(0x1000),
		"IMAGE":                           MemoryType(0x100_0000),
		"bad reference":                   HandleAction(3),
		"string":                          AnnotationString,
		"ELF build id":                    ELFBuildID,
		"unknown":                         CodeViewKind(99),
		"0000-10-05 (0) 03:00:00.000":     SystemTime{Month: 10, Day: 5, Hour: 3},
	}
	for want, v := range tests {
		if v.String() != want {
			t.Errorf("%T is %q, want %q", v, v.String(), want)
		}
	}
	if text := PageProtection(0x8000_0000).String(); text != "" {
		t.Errorf("bits without a name are %q", text)
	}
}
