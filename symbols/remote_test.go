package symbols

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/symbols/formats"
	"crashglass/symbols/formats/sniff"
)

// A remote is a file of which grains come when they were asked for.
type remote struct {
	data    []byte
	here    map[int]bool
	missing []int
	all     bool
}

const grain = 1 << 8

func (r *remote) ReadAt(p []byte, off int64) (int, error) {
	before := len(r.missing)
	for n := int(off) / grain; !r.all && n*grain < int(off)+len(p); n++ {
		if !r.here[n] {
			r.missing = append(r.missing, n)
		}
	}
	if len(r.missing) > before {
		return 0, formats.ErrPending
	}
	return bytes.NewReader(r.data).ReadAt(p, off)
}

// fetch has what is missing come, and reports whether anything was.
func (r *remote) fetch() bool {
	for _, n := range r.missing {
		r.here[n] = true
	}
	some := len(r.missing) > 0
	r.missing = nil
	return some
}

func remoteStore(data []byte) (*Store, *remote, *[]string) {
	at := &remote{data: data, here: map[int]bool{}}
	for n := range sniff.Size / grain {
		at.here[n] = true
	}
	var wholes []string
	s := NewStore(Options{Whole: func(name string) { wholes = append(wholes, name) }})
	s.AddRemote("app/ID/app.sym", bin.NewSource(at, int64(len(data))))
	return s, at, &wholes
}

var remoteApp = module.Module{DebugFile: "app", DebugID: "000102030405060708090A0B0C0D0E0F0"}

// ask asks for an address until what that takes has come.
func (r *remote) ask(t *testing.T, s *Store, rel uint64) (name string, rounds int) {
	t.Helper()
	for ; rounds < 200; rounds++ {
		src, state := s.For(&remoteApp)
		if src != nil {
			if loc, ok := src.Locate(rel); ok {
				return loc.Function, rounds
			}
		} else if state.State != report.SymbolsReading {
			t.Fatalf("%+v", state)
		}
		if !r.fetch() {
			return "", rounds
		}
	}
	t.Fatal("it never ends")
	return "", 0
}

// TestRemote finds functions in a file of which less than a hundredth came.
func TestRemote(t *testing.T) {
	s, at, wholes := remoteStore(largeText())
	for _, rel := range []uint64{0x100, 0x12300, 0x345600} {
		if name, rounds := at.ask(t, s, rel+0x20); name != fmt.Sprint("function_", rel) {
			t.Errorf("at %#x %q after %d rounds", rel, name, rounds)
		}
	}
	if got := len(at.here) * grain; got*100 > len(at.data) {
		t.Errorf("%d bytes of %d came", got, len(at.data))
	}
	for len(at.missing) > 0 {
		at.fetch()
	}
	*wholes = nil
	if name, _ := at.ask(t, s, 1<<31); name != "" || !slices.Contains(*wholes, "app/ID/app.sym") {
		t.Errorf("an address of no function has %q, all of %q is wanted", name, *wholes)
	}
	at.all = true
	s.Whole("app/ID/app.sym")
	src, _ := s.For(&remoteApp)
	if _, ok := src.Locate(1 << 31); ok || src.(*union).Unanswered() == 0 {
		t.Error("an address of no function has one")
	}
	if loc, ok := src.Locate(0x20); !ok || loc.Function != "function_0" {
		t.Errorf("%+v", loc)
	}
}

// TestRemoteRefused takes a file out of use, with the reason.
func TestRemoteRefused(t *testing.T) {
	s, at, _ := remoteStore(largeText())
	at.ask(t, s, 0x20)
	s.Refuse("app/ID/app.sym", "the file at the host has changed")
	src, state := s.For(&remoteApp)
	if src != nil || state.State != report.SymbolsDamaged || state.Why == nil || !strings.Contains(*state.Why, "cannot be read: the file at the host has changed") {
		t.Errorf("%v, %+v", src, state)
	}
}

// TestRemoteOfOtherKinds refuses what is read from all over.
func TestRemoteOfOtherKinds(t *testing.T) {
	s := NewStore(Options{})
	for _, data := range []string{"\x7fELF\x02\x01\x01", "text", "PK\x03\x04"} {
		items := s.AddRemote("a", source(data))
		if len(items) != 1 || items[0].Use != Nothing || items[0].Message == "" {
			t.Errorf("%q: %+v", data, items)
		}
	}
}
