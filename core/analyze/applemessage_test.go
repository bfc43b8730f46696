package analyze

import (
	"testing"

	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
)

// image writes a 64-bit Mach-O image, loaded 0x4000 beyond the address that it is linked for, with the section __crash_info.
func image(t *testing.T, version uint64, section string) []byte {
	const linked, annotations, texts = 0x1_0000_0000, 0x400, 0x500
	name := func(text string) []byte { return append([]byte(text), make([]byte, 16-len(text))...) }
	a := asm.At(0).U32(machMagic64, 0x0100_0007, 3, 6, 2, 72+152, 0, 0)
	a.U32(segmentCommand, 72).Bytes(name("__TEXT")).U64(linked, 0x1000, 0, 0x1000).U32(5, 5, 0, 0)
	a.U32(segmentCommand, 152).Bytes(name("__DATA")).U64(linked+annotations, 0x1000, 0, 0x1000).U32(3, 3, 1, 0)
	a.Bytes(name(section)).Bytes(name("__DATA")).U64(linked+annotations, 64).U32(0, 0, 0, 0, 0, 0, 0, 0)
	head := a.Build(t)
	out := append(head, make([]byte, 0x600-len(head))...)
	copy(out[annotations:], asm.At(0).U64(version, macImage+texts, 0, 0, macImage+texts+0x20, 0, 0, 0).Build(t))
	copy(out[texts:], " abort() called\n")
	copy(out[texts+0x20:], "Fatal error: Index out of range")
	return out
}

const macImage = 0x1_0000_4000

// A library's messages are read from its section in captured memory, and from Crashpad's list of texts.
func TestCrashInfo(t *testing.T) {
	listed := []report.Annotation{{Name: "", Value: "abort() called", Module: ptr("libsystem_c.dylib")}, {Name: "", Value: "no route", Module: ptr("libc++abi.dylib")}}
	for _, tt := range []struct {
		name   string
		system uint32
		data   []byte
		list   []report.Annotation
		want   string
	}{
		{"in memory", dump.Mac, image(t, 5, "__crash_info"), nil, "Fatal error: Index out of range"},
		{"an old version", dump.Mac, image(t, 3, "__crash_info"), nil, ""},
		{"another section", dump.Mac, image(t, 5, "__crash_inf"), nil, ""},
		{"another system", dump.Linux, image(t, 5, "__crash_info"), nil, ""},
		{"a short header", dump.Mac, image(t, 5, "__crash_info")[:0x80], nil, ""},
		{"Crashpad", dump.Mac, nil, listed, "no route"},
		{"Crashpad, of the system", dump.Mac, nil, []report.Annotation{{Value: "dyld2 mode", Module: ptr("dyld")}, {Value: "CoreSimulator 857.14", Module: ptr("dyld_sim")}}, ""},
		{"Crashpad, abort's alone", dump.Mac, nil, listed[:1], ""},
		{"Crashpad elsewhere", dump.Linux, nil, listed, ""},
	} {
		b := dump.New().System(dump.AMD64, tt.system, "")
		if tt.data != nil {
			b.Memory(macImage, asm.At(macImage).Bytes(tt.data).Build(t))
		}
		s, err := Open(source(b.Build(t)))
		if err != nil {
			t.Fatal(err)
		}
		s.modules = module.NewMap([]module.Module{{Base: macImage, Size: 0x1000, CodeFile: "/usr/lib/swift/libswiftCore.dylib"}})
		if got := s.crashInfoOf(&report.Report{Annotations: tt.list}); got != tt.want {
			t.Errorf("%s: %q", tt.name, got)
		}
	}
}
