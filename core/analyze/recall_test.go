package analyze

import (
	"bytes"
	"testing"

	"crashglass/core/process/module"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
)

// countedRules count the queries for functions and rules.
type countedRules struct {
	unwind.Rules
	asked int
	start uint64
}

func (c *countedRules) Function(uint64) (unwind.Function, bool) {
	c.asked++
	return unwind.Function{Start: c.start}, true
}

func (c *countedRules) CallFrame(uint64) (unwind.CallFrame, bool) {
	c.asked++
	return unwind.CallFrame{Start: c.start}, true
}

// Answers are kept, a bounded number of them, but not while a query is open: they are provisional.
func TestRecall(t *testing.T) {
	if recall(nil, nil) != nil {
		t.Error("no rules became rules")
	}
	open := 1
	rules := &countedRules{}
	known := recall(rules, func() int { return open })
	query := func(rel uint64) (a, b uint64) {
		f, _ := known.Function(rel)
		c, _ := known.CallFrame(rel)
		return f.Start, c.Start
	}
	query(7)
	open, rules.start = 0, 5
	for range 3 {
		if a, b := query(7); a != 5 || b != 5 {
			t.Fatalf("functions at %d and %d, want those of the later answer", a, b)
		}
	}
	if rules.asked != 4 {
		t.Errorf("%d queries, want 2 provisional ones and 2 more", rules.asked)
	}
	for rel := range uint64(3 * maxRecalled) {
		query(rel)
	}
	if r := known.(*recalled); len(r.functions) > maxRecalled || len(r.frames) > maxRecalled {
		t.Errorf("%d and %d answers are kept", len(r.functions), len(r.frames))
	}
}

// A codeImage is the code of a file that arrives in parts.
type codeImage struct {
	symbolize.Image
	code []byte
	have int
}

func (c *codeImage) ReadImage(rel uint64, p []byte) int {
	if rel >= uint64(c.have) {
		return 0
	}
	return copy(p, c.code[rel:c.have])
}

// Every run of code is what the file has: across blocks, in front of the module's first one and behind its last one, and when more of the file arrives.
func TestCodeCache(t *testing.T) {
	image := &codeImage{}
	for i := range 1000 {
		image.code = append(image.code, byte(i), byte(i>>8))
	}
	const before = 32 // of the module's first block
	mod := &module.Module{Base: 0x10000 + before, Size: uint64(len(image.code))}
	cache := codeCache{}
	for _, have := range []int{100, len(image.code)} {
		image.have = have
		for rel := uint64(0); rel < mod.Size; rel++ {
			for _, size := range []int{1, 4, 8, 100} {
				got, want := make([]byte, size), make([]byte, size)
				n := cache.read(image, mod, mod.Base+rel, got)
				if m := image.ReadImage(rel, want[:min(uint64(size), mod.Size-rel)]); n != m || !bytes.Equal(got, want) {
					t.Fatalf("%d bytes at %d: %d bytes %x, want %d bytes %x", size, rel, n, got, m, want)
				}
			}
		}
	}
	if len(cache) != (len(image.code)-before)/blockSize {
		t.Errorf("%d blocks of %d bytes of code are kept", len(cache), len(image.code))
	}
}
