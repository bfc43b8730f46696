package sanitize

import (
	"bytes"
	"slices"
	"testing"

	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
)

// TestNamesOfModules has a machine whose name is part of the name of a library.
// Symbols are found by that name, and the maps must have it as the list has.
func TestNamesOfModules(t *testing.T) {
	b := crash(t, stack(nil, nil))
	b.Module(dump.Module{Base: 0x50_0000, Size: 0x1000, Name: "/opt/android/libandroid_runtime.so", CodeView: dump.BuildID(4, 5, 6)})
	b.Stream(0x47670007, asm.At(0).Text("HOSTNAME=android\x00"))
	b.Stream(0x47670009, asm.At(0).Text("500000-501000 r-xp 0 00:00 0 /opt/android/libandroid_runtime.so\n"))
	r, f := clean(t, b.Build(t), Options{})
	if len(r.Changed) > 0 {
		t.Errorf("changed: %q", r.Changed)
	}
	mods, err := f.Modules()
	if err != nil || len(mods) != 2 {
		t.Fatalf("%d modules: %v", len(mods), err)
	}
	const want = "/opt/user/libandroid_runtime.so"
	if got := mods[1].CodeFile; got != want {
		t.Errorf("the module is %s, want %s", got, want)
	}
	if maps, _ := f.LinuxMaps(); len(maps) != 1 || maps[0].Name != want {
		t.Errorf("the maps are %+v, want %s", maps, want)
	}
}

// TestCodeAround keeps captured code around where a thread is: walks with
// symbols that are found later look for the beginning and the end of the
// function there, and listings show it. Behind it also what the walk read stays, up to a return.
func TestCodeAround(t *testing.T) {
	for _, tt := range []struct {
		name   string
		ret    int // offset of a return instruction from pc
		behind uint64
	}{
		{"the return is near", 0x10, listedBehind},
		{"the walk reads up to a return", 0x80, 0x80 + 16}, // 16: the longest instruction, in whole words
	} {
		code := bytes.Repeat([]byte{0x90}, 4096)
		code[0x800+tt.ret] = 0xc3
		codeAround(t, tt.name, code, tt.behind)
	}
}

func codeAround(t *testing.T, name string, code []byte, behind uint64) {
	t.Helper()
	b := crash(t, stack(nil, nil)) // its rip is appBase + 0x10
	b.Stream(0x47670009, asm.At(0).Text("500000-501000 r-xp 0 00:00 0 /lib/x.so\n"))
	ctx := dump.New().Context(t, dump.AMD64, map[string]uint64{"rip": 0x50_0800, "rsp": stackBase + 0x1000})
	b.Thread(dump.Thread{ID: 2, Context: ctx})
	b.Module(dump.Module{Base: 0x50_0000, Size: 0x1000, Name: "/lib/x.so"}).Memory(0x50_0000, code)
	_, f := clean(t, b.Build(t), Options{})
	m, _ := f.Memory()
	if base, size, _ := m.Range(0x50_0800); base != 0x50_0800-codeBefore || size > codeBefore+behind || size < codeBefore+behind-15 {
		t.Errorf("%s: %d bytes from %#x on are there", name, size, base)
	}
	if got := make([]byte, 4096); m.Read(0x50_0700, got) == 0 || !bytes.HasPrefix(got, code[0x700:0x820]) {
		t.Error("the code is not what it was")
	}
}

// Names of several dumps come in the order of the dumps. A name that another one
// begins with must not leave the rest of it.
func TestNamesOfSeveralDumps(t *testing.T) {
	people := []string{"anna", "annabelle", "anna"}
	m := NewMasker(people)
	if got, want := m.Path("/srv/annabelle/x.c"), "/srv/user/x.c"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if !slices.Equal(people, []string{"anna", "annabelle", "anna"}) {
		t.Errorf("the caller's list is %q", people)
	}
}
