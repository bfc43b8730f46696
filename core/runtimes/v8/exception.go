package v8

import (
	"strings"

	"crashglass/core/runtimes"
)

// The functions of C++ on a stack that throws. Sources: V8, src/execution/isolate.cc; Node, src/node_errors.cc.
const (
	throws  = "v8::internal::Runtime_Throw("                 // by a statement: the value is the only argument
	message = "v8::internal::Isolate::CreateMessageOrAbort(" // it aborts if nothing catches the value
	unwatch = "node::errors::TriggerUncaughtException("      // the first argument of the function of JavaScript
	ends    = "v8::base::OS::Abort("
)

// mostAncestors bounds a chain of maps.
const mostAncestors = 64

// thrown returns the exception that a stack throws, nil if it throws none.
func (f *finder) thrown(s *runtimes.Stack) *runtimes.Exception {
	for i := range s.Frames {
		next := func(n int) *runtimes.Native {
			if i+n < len(s.Frames) {
				return &s.Frames[i+n]
			}
			return &runtimes.Native{}
		}
		fatal := false
		var value object
		var ok bool
		switch name := s.Frames[i].Function; {
		case strings.HasPrefix(name, message):
			fatal = i > 0 && strings.HasPrefix(s.Frames[i-1].Function, ends)
			if value, ok = f.messaged(s.Frames[i].Stack, next(2).Stack); !ok {
				if strings.HasPrefix(next(2).Function, throws) {
					value, ok = f.argument(next(3))
				}
			}
		case strings.HasPrefix(name, throws):
			value, ok = f.argument(next(1))
		case strings.HasPrefix(name, unwatch):
			fatal = true
			value, ok = f.passed(s.Frames[i+1:])
		default:
			continue
		}
		if !ok {
			return nil
		}
		e := f.exception(value)
		if e != nil {
			e.Fatal = fatal
		}
		return e
	}
	return nil
}

// argument returns the only argument of a function of V8 that JavaScript calls. It is in the frame of the builtin that calls C++.
func (f *finder) argument(n *runtimes.Native) (object, bool) {
	if n.Pointer == 0 {
		return 0, false
	}
	return f.slot(n.Pointer, frameArguments)
}

// The bounds of a search on the stack.
const (
	mostWords   = 1 << 10
	mostHandles = 32 // that one throw makes
	passedWords = 12 // of the frame of a builtin that calls C++: what it adds, the receiver and the arguments
)

// messaged returns the value for which V8 made a message, in the frames between two places on the stack. A handle of it is there, and one of the message,
// which has the value, is among the next ones.
func (f *finder) messaged(low, high uint64) (found object, ok bool) {
	if low == 0 || !f.has[messageType] {
		return 0, false
	}
	for at := low; at < high && at-low < word*mostWords; at += word {
		handle, _ := f.t.Memory.Word(at, word)
		first, captured := f.t.Memory.Word(handle, word)
		if handle%word != 0 || !captured {
			continue
		}
		for i := range uint64(mostHandles) {
			v, _ := f.t.Memory.Word(handle+word*(i+1), word)
			if !f.is(object(v), typeMessage) {
				continue
			}
			if value, _ := f.field(object(v), f.at[messageType]+word); value != object(first) { // the argument follows the type
				continue
			}
			if ok && found != object(first) {
				return 0, false
			}
			found, ok = object(first), true
		}
	}
	return found, ok
}

// passed returns the error among the arguments of a function of JavaScript that C++ implements, if there is one only.
func (f *finder) passed(frames []runtimes.Native) (found object, ok bool) {
	for i := range frames {
		n := &frames[i]
		if n.Function != "" && !strings.HasPrefix(n.Function, builtin) {
			continue
		}
		for w := uint64(2); w < 2+passedWords && n.Pointer != 0; w++ {
			v, _ := f.t.Memory.Word(n.Pointer+word*w, word)
			if !f.is(object(v), typeError) || ok && found == object(v) {
				continue
			}
			if ok {
				return 0, false
			}
			found, ok = object(v), true
		}
		return found, ok
	}
	return 0, false
}

// exception describes a thrown value, nil if it is not known.
func (f *finder) exception(value object) *runtimes.Exception {
	if k, ok := f.kind(value); ok && k < f.at[firstNonstring] {
		text, _ := f.text(value, mostPath)
		return &runtimes.Exception{Name: "string", Message: text}
	}
	e := &runtimes.Exception{Name: f.class(value)}
	if e.Name == "" {
		return nil
	}
	if o, ok := f.property(value, "message"); ok && f.is(value, typeError) {
		e.Message, _ = f.text(o, mostPath)
	}
	return e
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

// property returns an own property of an object whose properties have descriptors.
func (f *finder) property(o object, name string) (found object, ok bool) {
	f.properties(o, func(key, value object, _ bool) bool {
		text, named := f.text(key, mostName)
		if !named || text != name {
			return true
		}
		found, ok = value, true
		return false
	})
	return found, ok
}

// capacityIndex is the index of the number of entries in a table, in which the prefix and the entries follow. Source: V8, src/objects/hash-table.h.
const capacityIndex = 2

// dictionary calls each for the properties in the dictionary of an object, until it returns false: a key, a value and details for each entry. Source:
// V8, src/objects/dictionary.h, NameDictionary.
func (f *finder) dictionary(o object, each func(key, value object, computed bool) bool) {
	table, _ := f.field(o, f.at[objectProperties])
	size, ok := f.smiField(table, f.at[arrayLength])
	count, counted := f.smiField(table, f.at[arrayData]+word*capacityIndex)
	first := int64(f.at[dictionaryStart] + f.at[dictionaryPrefix])
	if !ok || !counted || !f.has[dictionaryStart] || !f.has[dictionaryPrefix] || count <= 0 || count > mostEntries || count&(count-1) != 0 || size != first+count*entrySize {
		return
	}
	for i := range uint64(count) {
		at := f.at[arrayData] + word*(uint64(first)+entrySize*i)
		key, _ := f.field(table, at)
		if !f.isText(key) {
			continue // free, or a symbol
		}
		value, ok := f.field(table, at+word)
		details, placed := f.smiField(table, at+2*word)
		if ok && placed && !each(key, value, uint64(details)&f.at[detailsKind] != 0) {
			return
		}
	}
}

// The bounds of a dictionary.
const (
	entrySize   = 3
	mostEntries = 1 << 12
)

// properties calls each for the own properties of an object, which have descriptors or are in a dictionary, until it returns false. Computed ones have
// an accessor as their value. Source: V8, src/objects/descriptor-array.tq, property-details.h.
func (f *finder) properties(o object, each func(key, value object, computed bool) bool) {
	m, _ := f.field(o, f.at[objectMap])
	list, _ := f.field(m, f.at[mapDescriptors])
	bits, ok := f.half(m, f.at[mapBits])
	size, sized := f.byte(m, f.at[mapSize])
	start, placed := f.byte(m, f.at[mapInside])
	_, isObject := f.kind(o)
	if !ok || !sized || !placed || start > size || !isObject {
		return
	}
	if f.has[dictionaryShift] && bits>>f.at[dictionaryShift]&1 != 0 {
		f.dictionary(o, each)
		return
	}
	count := uint64(bits) & f.at[ownMask] >> f.at[ownShift]
	for i := range min(count, mostProperties) {
		at := f.at[descriptorsStart] + word*f.at[descriptorSize]*i
		key, _ := f.field(list, at+word*f.at[descriptorKey])
		details, ok := f.smiField(list, at+word*f.at[descriptorDetails])
		if !ok {
			continue
		}
		value, ok := f.field(list, at+word*f.at[descriptorValue])
		if uint64(details)&f.at[locationMask]>>f.at[locationShift] == f.at[locationField] {
			index := uint64(details) & f.at[indexMask] >> f.at[indexShift]
			if inside := size - start; index >= inside {
				more, _ := f.field(o, f.at[objectProperties])
				value, ok = f.field(more, f.at[arrayData]+word*(index-inside))
			} else {
				value, ok = f.field(o, word*(start+index))
			}
		}
		if ok && !each(key, value, uint64(details)&f.at[detailsKind] != 0) {
			return
		}
	}
}
