package elf

import (
	"path/filepath"
	"testing"

	"crashglass/core/stack/unwind"
)

// TestFramesAsSym asks for rules where .sym files have some. What the rules say
// is compared where they are made; here it is that the right tables are found.
func TestFramesAsSym(t *testing.T) {
	asked, found := 0, 0
	for _, p := range pairs() {
		f, sym, addrs := p.open(t)
		if !f.HasFrames() && filepath.Base(p.file) == "basic.dbg" {
			continue // it has debug information alone
		}
		for _, rel := range addrs {
			if want, ok := sym.CallFrame(rel); ok {
				asked++
				if got, ok := f.CallFrame(rel); ok && got.Start == want.Start && got.Size == want.Size {
					found++
				}
			}
		}
		listed := 0
		if err := f.EachCallFrame(func(*unwind.CallFrameTable) error { listed++; return nil }); err != nil {
			t.Error(err)
		}
		if f.HasFrames() != (listed > 0) {
			t.Errorf("%s: %d tables of rules", p.file, listed)
		}
	}
	t.Logf("%d of %d", found, asked)
	if asked < 3000 && asked > 0 || 100*found < 98*asked {
		t.Errorf("rules at %d of %d addresses", found, asked)
	}
}

// TestFramesOfARM finds rules in the index where a debugger's table has none.
func TestFramesOfARM(t *testing.T) {
	f := openCorpus(t, "real/native/arm_arm")
	if frame, ok := f.CallFrame(0x600); !ok || frame.From != ".debug_frame" {
		t.Errorf("%+v, %v", frame, ok)
	}
}
