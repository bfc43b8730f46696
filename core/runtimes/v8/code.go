package v8

import "crashglass/core/runtimes"

// The bounds of a search for the code of an address.
const (
	mostCode  = 1 << 20 // bytes before it
	codeAlign = 32      // of instructions. Source: V8, src/common/globals.h, kCodeAlignment

	mostHeader = 1 << 10 // bytes of an object before its instructions or bytecodes
)

// A code is generated code.
type code struct {
	start     uint64
	baseline  bool
	positions object // its table of source positions
	deopt     object // the data for deoptimization

	bytecodes object // of baseline code
	offsets   object // the table of their offsets
}

// codeAt finds the generated code that has an address: the header of its instructions leads to it, and its own fields say so, too.
//
// Source: V8, src/objects/instruction-stream.h and code.h.
func (f *finder) codeAt(pc uint64) *code {
	if !f.has[codeStart] || !f.has[codeSize] {
		return nil
	}
	if c, known := f.codes[pc]; known {
		return c
	}
	c := f.searchCode(pc)
	if len(f.codes) < mostKnown {
		f.codes[pc] = c
	}
	return c
}

func (f *finder) searchCode(pc uint64) *code {
	header, kind := f.at[codeStart], typeCode // the code and its instructions are one object
	if f.has[streamHeader] {
		header, kind = f.at[streamHeader], typeStream
	}
	if header > mostHeader {
		return nil
	}
	for at := pc &^ (codeAlign - 1); at > header && pc-at < mostCode; at -= codeAlign {
		if f.left--; f.left < 0 {
			return nil
		}
		stream := object(at - header + f.at[heapTag])
		if !f.is(stream, kind) {
			continue
		}
		if !f.has[streamHeader] {
			return f.codeOf(stream, at, pc)
		}
		for i := uint64(1); i*word < header; i++ {
			o, _ := f.field(stream, word*i)
			if start, ok := f.field(o, f.at[codeStart]); ok && uint64(start) == at && f.is(o, typeCode) {
				return f.codeOf(o, at, pc)
			}
		}
		return nil
	}
	return nil
}

// codeOf reads a code whose instructions begin at start, nil if an address is not in it. The tables of positions follow the data for deoptimization,
// which optimized code has.
func (f *finder) codeOf(o object, start, pc uint64) *code {
	size, ok := f.half(o, f.at[codeSize])
	if !ok || pc-start > uint64(size) {
		return nil
	}
	c := &code{start: start}
	if flags, ok := f.half(o, f.at[codeKinds]); ok && f.has[codeKinds] && f.has[kindMask] && f.has[kindBaseline] {
		c.baseline = uint64(flags)&f.at[kindMask] == f.at[kindBaseline]
	}
	for i := uint64(1); i <= 2; i++ {
		data, _ := f.field(o, word*i)
		table, _ := f.field(o, word*(i+1))
		switch {
		case !f.is(table, typeBytes, typeTrustedBytes):
		case c.baseline && f.is(data, typeBytecode):
			c.bytecodes, c.offsets = data, table
			return c
		case !c.baseline && f.is(data, typeArray, typeTrustedArray):
			c.deopt, c.positions = data, table
			return c
		}
	}
	return c
}

// mostInlining bounds how deep functions are inlined.
const mostInlining = 64

// optimized adds the calls of optimized code at an address, the innermost first: those that were inlined into the function of the frame, whose call is
// the last. whole is false if the calls inlined there are not known.
//
// Source: V8, src/codegen/source-position.cc, SourcePosition::InliningStack.
func (f *finder) optimized(c *code, pc uint64, outer *runtimes.Call, fn *function) (calls []runtimes.Call, whole bool) {
	p := f.lastPosition(c.positions, int64(pc-c.start))
	for n := 0; p >= 0 && p.inlining() >= 0; n++ {
		inlined, from, ok := f.inlined(c, p.inlining())
		if !ok || n == mostInlining || inlined.name == "" {
			return []runtimes.Call{f.located(*outer, fn, -1)}, false
		}
		calls = append(calls, f.located(runtimes.Call{Function: inlined.name, Instruction: pc}, inlined, p.position()))
		p = from
	}
	return append(calls, f.located(*outer, fn, p.position())), p >= 0
}

// inlinedSize is the size of an InliningPosition: the position of the call, and the index of the function.
const inlinedSize = 16

// inlined returns the function with that number, and the position where it was inlined.
func (f *finder) inlined(c *code, number int) (*function, position, bool) {
	positions, _ := f.field(c.deopt, f.at[arrayData]+word*f.at[inliningPositions])
	list, _ := f.field(c.deopt, f.at[arrayData]+word*f.at[literals])
	size, ok := f.smiField(positions, f.at[arrayLength])
	count, counted := f.smiField(list, f.at[arrayLength])
	if !ok || !counted || int64(number+1)*inlinedSize > size || !f.is(positions, typeBytes, typeTrustedBytes) {
		return nil, -1, false
	}
	from, _ := f.field(positions, f.at[arrayData]+uint64(number)*inlinedSize)
	index, ok := f.half(positions, f.at[arrayData]+uint64(number)*inlinedSize+word)
	if !ok || int64(int32(index)) < 0 || int64(index) >= count {
		return nil, -1, false
	}
	literal, _ := f.field(list, f.at[arrayData]+word*uint64(index))
	fn := f.function(literal &^ weak)
	return fn, position(from), fn != nil && fn.script != nil
}

// weak marks a weak reference. Source: V8, include/v8-internal.h, kWeakHeapObjectMask.
const weak = 2
