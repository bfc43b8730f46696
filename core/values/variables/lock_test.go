package variables

import (
	"testing"

	"crashglass/core/values/types"
)

// A lock is named by what leads to it, and as a whole.
func TestLock(t *testing.T) {
	data := structure("__pthread_mutex_s", 40, member("__lock", 0, integer))
	mutex := structure("", 40, member("__data", 0, data))
	mutex.Kind = types.Union
	std := structure("std::mutex", 40, types.Member{Base: true, Type: to(structure("std::__mutex_base", 40, member("_M_mutex", 0, mutex)))})
	account := structure("account", 96, member("id", 0, long), member("lock", 8, mutex), member("mutex_", 48, std), member("state", 88, integer))
	holder := structure("holder", 16, member("n", 0, long), member("to", 8, pointer(account)))
	reference := &types.Type{Kind: types.Reference, Elem: to(account), Size: 8, Sized: true}
	at := func(name string, addr uint64, t *types.Type) Variable {
		return Variable{Name: name, Type: to(t), Rule: fixed{place: Place{Pieces: []Piece{{Kind: InMemory, Addr: addr}}}}}
	}
	m := memory{0x100: words(0x5000), 0x200: words(0x5008), 0x300: words(0x400), 0x400: words(1, 0x5000), 0x500: words(0x5030), 0x600: words(0x4000)}
	for _, tt := range []struct {
		name string
		vars []Variable
		addr uint64
		want string
		weak bool
	}{
		{name: "a member of what a pointer points to", vars: []Variable{at("from", 0x100, pointer(account))}, addr: 0x5008, want: "from->lock"},
		{name: "a lock of the C++ library", vars: []Variable{at("this", 0x100, pointer(account))}, addr: 0x5030, want: "this->mutex_"},
		{name: "a word inside of a lock", vars: []Variable{at("this", 0x100, pointer(account))}, addr: 0x5010, want: "this->lock"},
		{name: "a reference", vars: []Variable{at("other", 0x100, reference)}, addr: 0x5030, want: "other.mutex_"},
		{name: "over one pointer", vars: []Variable{at("h", 0x300, pointer(holder))}, addr: 0x5008, want: "h->to->lock"},
		{name: "a word that is no lock", vars: []Variable{at("a", 0x100, pointer(account))}, addr: 0x5058, want: "a->state"},
		{name: "a word of another size", vars: []Variable{at("a", 0x100, pointer(account))}, addr: 0x5000, want: ""},
		{name: "a variable itself", vars: []Variable{at("l", 0x5000, account)}, addr: 0x5008, want: "l.lock"},
		{name: "only the lock was passed", vars: []Variable{at("m", 0x200, pointer(mutex))}, addr: 0x5008, want: "*m", weak: true},
		{name: "a better name behind it", vars: []Variable{at("m", 0x200, pointer(mutex)), at("a", 0x100, pointer(account))}, addr: 0x5008, want: "a->lock"},
		{name: "the library's own names", vars: []Variable{at("this", 0x500, pointer(std)), at("__m", 0x500, pointer(std))}, addr: 0x5030, want: ""},
		{name: "another object", vars: []Variable{at("a", 0x600, pointer(account))}, addr: 0x5008, want: ""},
		{name: "an element that the program may not have", vars: []Variable{at("a", 0x100, pointer(account))}, addr: 0x5068, want: ""},
		{name: "a pointer that was not captured", vars: []Variable{at("a", 0x700, pointer(account))}, addr: 0x5008, want: ""},
	} {
		name, weak := Lock(frameOf(m, tt.vars...), tt.addr)
		if name != tt.want || weak != tt.weak {
			t.Errorf("%s: %q, weak %v; want %q, %v", tt.name, name, weak, tt.want, tt.weak)
		}
	}
	guess := frameOf(m, at("from", 0x100, pointer(account)))
	guess.Guess = true
	if name, _ := Lock(guess, 0x5008); name != "" {
		t.Errorf("the registers of a guess name %q", name)
	}
}
