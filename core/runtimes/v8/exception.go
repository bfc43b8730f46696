package v8

import (
	"strings"

	"crashglass/core/runtimes"
)

// throws begins the name of the function of V8 that throws for a statement, with the value as its only argument. Its caller is the builtin that calls C++, in
// whose frame the arguments are.
const throws = "v8::internal::Runtime_Throw("

// mostAncestors bounds a chain of maps.
const mostAncestors = 64

// thrown returns the exception that a stack throws, nil if it throws none. Errors that V8 itself throws are not found.
func (f *finder) thrown(s *runtimes.Stack) *runtimes.Exception {
	for i := range s.Frames {
		if !strings.HasPrefix(s.Frames[i].Function, throws) || i+1 == len(s.Frames) || s.Frames[i+1].Pointer == 0 {
			continue
		}
		value, ok := f.slot(s.Frames[i+1].Pointer, frameArguments)
		if !ok || !f.is(value, typeError) {
			return nil
		}
		e := &runtimes.Exception{Name: f.class(value)}
		if o, ok := f.property(value, "message"); ok {
			e.Message, _ = f.text(o, mostPath)
		}
		if e.Name == "" {
			return nil
		}
		return e
	}
	return nil
}

// class returns the name of an object's class: the constructor that its prototype has or, failing that, the one that its map leads to.
func (f *finder) class(o object) string {
	m, _ := f.field(o, f.at[objectMap])
	prototype, _ := f.field(m, f.at[mapPrototype])
	if c, ok := f.property(prototype, "constructor"); ok {
		if fn := f.callee(c); fn != nil && fn.name != anonymous {
			return fn.name
		}
	}
	for range mostAncestors {
		next, ok := f.field(m, f.at[mapConstructor])
		if fn := f.callee(next); fn != nil && fn.name != anonymous {
			return fn.name
		}
		if !ok || !f.is(next, typeMap) {
			break
		}
		m = next
	}
	return ""
}

// mostProperties bounds the properties of one object.
const mostProperties = 1 << 10

// property returns an own property of an object whose properties have descriptors. Source: V8, src/objects/descriptor-array.tq, property-details.h.
func (f *finder) property(o object, name string) (object, bool) {
	m, _ := f.field(o, f.at[objectMap])
	list, _ := f.field(m, f.at[mapDescriptors])
	bits, ok := f.half(m, f.at[mapBits])
	size, sized := f.byte(m, f.at[mapSize])
	start, placed := f.byte(m, f.at[mapInside])
	_, isObject := f.kind(o)
	if !ok || !sized || !placed || start > size || !isObject {
		return 0, false
	}
	count := uint64(bits) & f.at[ownMask] >> f.at[ownShift]
	for i := range min(count, mostProperties) {
		at := f.at[descriptorsStart] + word*f.at[descriptorSize]*i
		key, _ := f.field(list, at+word*f.at[descriptorKey])
		details, ok := f.smiField(list, at+word*f.at[descriptorDetails])
		if text, named := f.text(key, mostName); !ok || !named || text != name {
			continue
		}
		if uint64(details)&f.at[locationMask]>>f.at[locationShift] != f.at[locationField] {
			return f.field(list, at+word*f.at[descriptorValue])
		}
		index := uint64(details) & f.at[indexMask] >> f.at[indexShift]
		if inside := size - start; index >= inside {
			more, _ := f.field(o, f.at[objectProperties])
			return f.field(more, f.at[arrayData]+word*(index-inside))
		}
		return f.field(o, word*(start+index))
	}
	return 0, false
}
