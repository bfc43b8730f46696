package variables

import (
	"fmt"
	"strings"

	"crashglass/core/values/types"
)

// push adds an element in memory. It reports false at the limit.
func (o *object) push(addr uint64, t *types.Type) bool {
	if len(o.out.Children) >= o.r.limits.Elements || o.r.values <= 0 {
		return false
	}
	if o.depth <= 0 { // a container within containers: its size is shown, but no elements
		return false
	}
	child := o.r.element(view{memory: true, addr: addr & o.r.frame.Arch.Mask()}, t, o.depth-1)
	child.named(index(uint64(len(o.out.Children))))
	o.out.Children = append(o.out.Children, child)
	return true
}

// values adds the value at an offset of each node, after the alignment of its type.
func (o *object) values(off uint64, t *types.Type) func(uint64) bool {
	off = o.behind(off, t)
	return func(at uint64) bool { return o.push(at+off, t) }
}

// sized sets the number of elements, some of which may be omitted.
func (o *object) sized(n uint64) bool {
	o.out.say("size=" + unsigned(n))
	if n == 0 {
		o.out.Content = Empty
	}
	o.out.More = n - min(n, uint64(len(o.out.Children)))
	return true
}

// run adds count adjacent elements. It reports false if the first was not captured.
func (o *object) run(addr, count uint64, t *types.Type) bool {
	size := sizeOf(t)
	switch {
	case count == 0 && o.nowhere(addr):
		return o.inconsistent(&count, "nothing is mapped at %#x", addr)
	case count == 0:
	case size == 0: // elements of an unknown type
		return false
	case impossible(addr, count, size) != "":
		return o.inconsistent(&count, "%s", impossible(addr, count, size))
	case !o.captured(addr):
		return false
	}
	for i := range count {
		if !o.push(addr+i*size, t) {
			break
		}
	}
	return o.sized(count)
}

// lowest is an address below which pointers to nothing point: null, and the alignment of a type in Rust.
const lowest = 1 << 16

// nowhere reports whether a container without elements points to memory that the process does not have. It may point behind the last
// byte of a mapping.
func (o *object) nowhere(addr uint64) bool {
	mapped := o.r.frame.Mapped
	return mapped != nil && addr >= lowest && !o.captured(addr) && !mapped(addr-1, addr)
}

// impossible says why a number of elements cannot be at an address: memory is smaller, or the address is 0.
func impossible(addr, count, size uint64) string {
	switch {
	case count > maxStride/size:
		return tooMany
	case addr == 0 && count > 0:
		return "its memory is at 0"
	}
	return ""
}

// exceeds notes a number of elements for which there is no room, or a room that memory does not have.
func (o *object) exceeds(n, room uint64) bool {
	if n <= room && room > maxStride {
		return o.inconsistent(nil, "there is room for %d: %s", room, tooMany)
	}
	return n > room && o.inconsistent(&n, "%s", roomFor(room))
}

// roomFor is what contradicts a larger number of elements.
func roomFor(n uint64) string { return fmt.Sprintf("there is room for %d", n) }

// tooMany is what contradicts a number of elements that memory cannot hold.
const tooMany = "so many elements do not fit into memory"

func (o *object) captured(addr uint64) bool {
	var one [1]byte
	return o.r.load(addr, one[:])
}

func (o *object) child(name string, part *object) bool {
	if part == nil || part.t == nil {
		return false
	}
	c := o.r.value(part.v, part.t, o.depth-1)
	c.named(name)
	o.out.Children = append(o.out.Children, c)
	return true
}

// text reads a string of count characters.
func (o *object) text(addr, count uint64, t *types.Type) bool {
	t = types.Strip(t)
	if t == nil || t.Size == 0 || t.Size > 4 {
		return false
	}
	if why := impossible(addr, count, t.Size); why != "" {
		return o.contradicts(&count, why)
	}
	b := make([]byte, min(count*t.Size, maxText))
	if len(b) > 0 && !o.r.load(addr, b) {
		return false
	}
	text := prefixOf(t) + o.r.quote(b, t.Size, false)
	if uint64(len(b)) < count*t.Size { // longer than maxText
		text += "…"
	}
	o.out.say(text)
	return true
}

// textIn is text for a string whose buffer has room for a number of characters.
func (o *object) textIn(addr, n, room uint64, t *types.Type) bool {
	if !o.text(addr, min(n, room), t) {
		return false
	}
	if n <= room && room > maxStride {
		return o.contradicts(&room, tooMany)
	}
	return n <= room || o.contradicts(&n, roomFor(room))
}

// inlineText reads a string in an array within the object, in which a zero follows it.
func (o *object) inlineText(data *object, n uint64) bool {
	t := types.Strip(data.element())
	if t == nil || t.Size == 0 || t.Size > 4 || sizeOf(data.t) > maxText {
		return false
	}
	room := max(sizeOf(data.t)/t.Size, 1) - 1
	b, err := o.r.get(data.v, min(n, room)*t.Size)
	if err != nil {
		return false
	}
	o.out.say(prefixOf(t) + o.r.quote(b, t.Size, false))
	return n <= room || o.contradicts(&n, roomFor(room))
}

// iterator is a pointer to an element, which is shown as "item".
func iterator(path string) func(*object) bool {
	return func(o *object) bool {
		p := o.field(path)
		at, ok := p.uint()
		to := p.pointee()
		if !ok || to == nil || !o.captured(at) {
			return false
		}
		return o.child("item", to)
	}
}

// names returns the name of an address: a function, a vtable. It reports false if it is unknown.
func (o *object) names(addr uint64) bool {
	if o.r.frame.Describe == nil {
		return false
	}
	what := o.r.frame.Describe(addr)
	if what == "" {
		return false
	}
	o.out.say(what)
	return true
}

// holding is a std::any. The function at path is a member of a template whose argument is the type of the content. One
// template is for content in the object, the other one for content behind a pointer.
func holding(path, inside, room, outside, pointer string) func(*object) bool {
	return func(o *object) bool {
		at, ok := o.number(path)
		if ok && at == 0 {
			o.out.say("empty")
			return true
		}
		if !ok || !o.names(at) {
			return false
		}
		content := o.part(room)
		_, of, found := strings.Cut(o.out.Text, inside)
		if !found {
			_, of, found = strings.Cut(o.out.Text, outside)
			content = nil
			if to, ok := o.number(pointer); ok {
				content = o.in(to, nil)
			}
		}
		end := strings.LastIndex(of, ">::") // _Manager_internal<int>::_S_manage holds int
		if !found || end < 0 {
			return false
		}
		name := strings.TrimSpace(of[:end])
		o.out.say("holds " + name)
		if t, _ := (&evaluator{at: o}).typeNamed(name, ""); content != nil && t != nil {
			o.child("Value", &object{r: o.r, v: content.v, t: types.Strip(t), is: t, out: o.out, depth: o.depth})
		}
		return true
	}
}

// bitset has bits in words within the object: a number, or an array of numbers. The template's argument is their count.
func bitset(path string) func(*object) bool {
	return func(o *object) bool {
		words := o.field(path)
		if words == nil || len(o.t.Args) == 0 || o.t.Args[0].Value == nil || *o.t.Args[0].Value < 0 {
			return false
		}
		n := uint64(*o.t.Args[0].Value)
		b, err := o.r.get(words.v, sizeOf(words.t))
		if err != nil || n > 8*uint64(len(b)) || o.r.frame.BigEndian {
			return false
		}
		for i := range min(n, uint64(o.r.limits.Elements)) {
			o.bit(b[i/8] >> (i % 8) & 1)
		}
		return o.sized(n)
	}
}

func (o *object) bit(b byte) {
	o.r.values--
	bit := &Value{Name: index(uint64(len(o.out.Children))), Type: "bool"}
	bit.say(boolean(uint64(b)))
	o.out.Children = append(o.out.Children, bit)
}

// pair adds an element with a key and a value in separate places. It reports false if they were not
// captured, or at the limit.
func (o *object) pair(key, value uint64, k, v *types.Type) bool {
	if len(o.out.Children) >= o.r.limits.Elements || o.r.values <= 2 || o.depth <= 1 || !o.captured(key) {
		return false
	}
	o.r.values--
	both := &Value{Name: index(uint64(len(o.out.Children))), Type: "pair"}
	for _, part := range []struct {
		name string
		at   uint64
		t    *types.Type
	}{{"key", key, k}, {"value", value, v}} {
		if part.t != nil {
			child := o.r.element(view{memory: true, addr: part.at & o.r.frame.Arch.Mask()}, part.t, o.depth-2)
			child.named(part.name)
			both.Children = append(both.Children, child)
		}
	}
	o.out.Children = append(o.out.Children, both)
	return true
}

// ring adds n elements of a ring with room slots, from an index on.
func (o *object) ring(at, room, from, n uint64, t *types.Type) bool {
	// An empty ring may have no memory: only of others its first element has to be captured.
	size := sizeOf(t)
	switch {
	case size == 0:
		return false
	case o.exceeds(n, room):
		return true
	case n > 0 && impossible(at, room, size) != "":
		return o.inconsistent(&n, "%s", impossible(at, room, size))
	case from >= max(room, 1):
		return o.inconsistent(&n, "it begins at %d of %d", from, room)
	case n > 0 && !o.captured(at+from*size):
		return false
	}
	for i := range n {
		if !o.push(at+(from+i)%room*size, t) {
			break
		}
	}
	return o.sized(n)
}
