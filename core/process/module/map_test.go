package module

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

func TestMap(t *testing.T) {
	const top = ^uint64(0)
	tests := []struct {
		name    string
		modules []Module
		at      map[uint64]int // address to index
		cuts    []Cut
		highest uint64
	}{
		{name: "none", at: map[uint64]int{0: -1, top: -1}},
		{
			name:    "two with a gap",
			modules: []Module{{Base: 0x3000, Size: 0x1000}, {Base: 0x1000, Size: 0x1000}},
			at:      map[uint64]int{0xfff: -1, 0x1000: 1, 0x1fff: 1, 0x2000: -1, 0x3000: 0, 0x3fff: 0, 0x4000: -1},
			highest: 0x3fff,
		},
		{
			name:    "size zero owns nothing",
			modules: []Module{{Base: 0x1000}, {Base: 0x1000, Size: 1}},
			at:      map[uint64]int{0x1000: 1, 0x1001: -1},
			highest: 0x1000,
		},
		{
			name:    "the lower one is cut",
			modules: []Module{{Base: 0x1000, Size: 0x2000}, {Base: 0x2000, Size: 0x2000}},
			at:      map[uint64]int{0x1fff: 0, 0x2000: 1, 0x2fff: 1, 0x3fff: 1},
			cuts:    []Cut{{Index: 0, By: 1, At: 0x2000, Last: 0x2fff}},
			highest: 0x3fff,
		},
		{
			name:    "one inside another takes its own range and no more",
			modules: []Module{{Base: 0x1000, Size: 0x8000}, {Base: 0x3000, Size: 0x1000}, {Base: 0x6000, Size: 0x1000}},
			at: map[uint64]int{
				0x2fff: 0, 0x3000: 1, 0x3fff: 1, 0x4000: 0, 0x5fff: 0, 0x6000: 2, 0x6fff: 2, 0x7000: 0, 0x8fff: 0, 0x9000: -1,
			},
			cuts:    []Cut{{Index: 0, By: 1, At: 0x3000, Last: 0x3fff}, {Index: 0, By: 2, At: 0x6000, Last: 0x6fff}},
			highest: 0x8fff,
		},
		{
			name:    "one inside another that is inside a third",
			modules: []Module{{Base: 0x1000, Size: 0x8000}, {Base: 0x2000, Size: 0x3000}, {Base: 0x3000, Size: 0x1000}},
			at:      map[uint64]int{0x1000: 0, 0x2000: 1, 0x3000: 2, 0x4000: 1, 0x5000: 0},
			cuts:    []Cut{{Index: 0, By: 1, At: 0x2000, Last: 0x4fff}, {Index: 1, By: 2, At: 0x3000, Last: 0x3fff}},
			highest: 0x8fff,
		},
		{
			name:    "one that ends with the one around it",
			modules: []Module{{Base: 0x1000, Size: 0x2000}, {Base: 0x2000, Size: 0x1000}},
			at:      map[uint64]int{0x1fff: 0, 0x2000: 1, 0x2fff: 1, 0x3000: -1},
			cuts:    []Cut{{Index: 0, By: 1, At: 0x2000, Last: 0x2fff}},
			highest: 0x2fff,
		},
		{
			name:    "the same base twice: the larger stays",
			modules: []Module{{Base: 0x1000, Size: 0x1000}, {Base: 0x1000, Size: 0x2000}},
			at:      map[uint64]int{0x1000: 1, 0x2fff: 1},
			cuts:    []Cut{{Index: 0, By: 1, At: 0x1000, Last: 0x1fff}},
			highest: 0x2fff,
		},
		{
			name:    "one that wraps ends with the address space",
			modules: []Module{{Base: top - 0xfff, Size: 0x5000}},
			at:      map[uint64]int{top - 0x1000: -1, top - 0xfff: 0, top: 0, 0: -1},
			highest: top,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := NewMap(tt.modules)
			for addr, want := range tt.at {
				if got := m.IndexAt(addr); got != want {
					t.Errorf("%#x is in module %d, want %d", addr, got, want)
				}
				if mod := m.At(addr); (mod == nil) != (want < 0) || mod != nil && mod != &m.Modules()[want] {
					t.Errorf("%#x is in module %v", addr, mod)
				}
			}
			if !reflect.DeepEqual(m.Cuts(), tt.cuts) || m.Highest() != tt.highest {
				t.Errorf("cuts %+v, highest %#x", m.Cuts(), m.Highest())
			}
		})
	}
}

// The nil map has no modules.
func TestNilMap(t *testing.T) {
	var m *Map
	if m.At(0) != nil || m.IndexAt(0) != -1 || m.Modules() != nil || m.Highest() != 0 || m.Cuts() != nil {
		t.Error("the nil map has modules")
	}
}

// TestMapProperties places modules at random: of those that contain an address the one with the
// highest base gets it, and of equal bases the largest.
func TestMapProperties(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		modules := make([]Module, rnd.IntN(10))
		for i := range modules {
			modules[i] = Module{Base: rnd.Uint64N(64), Size: rnd.Uint64N(20)}
		}
		m := NewMap(modules)
		for addr := range uint64(90) {
			i := m.IndexAt(addr)
			want := -1
			for k, mod := range modules {
				if !mod.Contains(addr) {
					continue
				}
				if want < 0 || mod.Base > modules[want].Base || mod.Base == modules[want].Base && mod.Size > modules[want].Size {
					want = k
				}
			}
			if i != want {
				t.Fatalf("%v: %#x is in module %d, want %d", modules, addr, i, want)
			}
		}
	}
}

func TestContains(t *testing.T) {
	m := Module{Base: 0x1000, Size: 0x1000}
	for addr, want := range map[uint64]bool{0xfff: false, 0x1000: true, 0x1fff: true, 0x2000: false, 0: false} {
		if m.Contains(addr) != want {
			t.Errorf("%#x: %v", addr, !want)
		}
	}
}

func TestBasename(t *testing.T) {
	for path, want := range map[string]string{
		"": "", "app": "app", "/usr/bin/app": "app", `C:\x\app.exe`: "app.exe", `C:\x/y.dll`: "y.dll", "/usr/": "", "/": "",
		"[vdso]": "[vdso]",
	} {
		if got := Basename(path); got != want {
			t.Errorf("%q is %q, want %q", path, got, want)
		}
	}
	if m := (Module{CodeFile: "/lib/x.so"}); m.Name() != "x.so" {
		t.Errorf("name %q", m.Name())
	}
}
