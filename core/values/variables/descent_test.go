package variables

import (
	"testing"
	"time"

	"crashglass/core/values/natvis"
	"crashglass/core/values/types"
)

// A class is its own base, hundreds of times: each search in it ends soon.
func TestBasesInThemselves(t *testing.T) {
	class := structure("C", 8)
	base := types.Member{Type: to(class), Base: true}
	for range 300 {
		class.Members = append(class.Members, base)
	}
	f := frameOf(memory{0x100: words(7)}, at("v", 0x100, class))
	f.Views = &natvis.Set{}
	o := &object{r: &reader{frame: f}, t: class, v: view{memory: true, addr: 0x100}}
	for what, search := range map[string]func(){
		"a field":      func() { o.one("none", into(12)) },
		"a type":       func() { o.find(into(12), func(*types.Type) bool { return false }) },
		"an alignment": func() { o.align(class, into(8)) },
		"emptiness":    func() { empty(class, into(16)) },
		"a vtable":     func() { polymorphic(class, into(8)) },
		"a simple one": func() { simpleVtable(class, into(8)) },
		"a base":       func() { baseOffset(class, "none", into(8)) },
		"a view":       func() { o.r.viewed(&Value{}, o.v, class, 8) },
		"a value":      func() { Read(f, Limits{}) },
	} {
		begin := time.Now()
		search()
		if took := time.Since(begin); took > 10*time.Second {
			t.Errorf("searching %s took %v", what, took)
		}
	}
}
