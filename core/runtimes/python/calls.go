package python

import (
	"strings"

	"crashglass/core/runtimes"
)

// ownedByC is the lowest owner of a frame that runs no code of Python: of one at the beginning of each native call of the interpreter.
// Source: Include/internal/pycore_frame.h, enum _frameowner, from 3.12 on: FRAME_OWNED_BY_CSTACK and FRAME_OWNED_BY_INTERPRETER.
const ownedByC = 3

// calls reads a chain of frames. Each run of calls stands for one native call of the interpreter: in 3.11 the last call of a run says
// so, later a frame behind it, which that native call has on the thread's stack (Python/ceval.c, entry_frame). whole reports whether the chain ends as it should.
func (f *finder) calls(frame uint64) (runs [][]runtimes.Call, entries []uint64, whole bool) {
	var run []runtimes.Call
	end := func(entry uint64) {
		if len(run) > 0 {
			runs, entries = append(runs, run), append(entries, entry)
		}
		run = nil
	}
	seen := map[uint64]bool{}
	for ; frame != 0; frame, whole = f.word(frame + f.at[framePrevious]) {
		if len(seen) >= mostDepth || f.left <= 0 || seen[frame] || frame%8 != 0 {
			end(0)
			return runs, entries, false
		}
		f.left--
		seen[frame] = true
		owner, ok := f.p.Memory.Word(frame+f.at[frameOwner], 1)
		if ok && owner >= ownedByC && f.minor > 11 {
			end(frame)
			continue
		}
		call, known := f.call(frame)
		if !ok || !known {
			end(0)
			return runs, entries, false
		}
		run = append(run, call)
		if f.has[frameEntry] {
			if entry, _ := f.p.Memory.Word(frame+f.at[frameEntry], 1); entry != 0 {
				end(0)
			}
		}
	}
	whole = whole || len(seen) == 0
	end(0)
	return runs, entries, whole
}

func (f *finder) call(frame uint64) (runtimes.Call, bool) {
	object, _ := f.word(frame + f.at[frameCode])
	object &^= 7 // tags of _PyStackRef
	instr, ok := f.word(frame + f.at[frameInstr])
	if !ok {
		return runtimes.Call{}, false
	}
	c, known := f.codes[object]
	if !known {
		c = f.code(object)
		if len(f.codes) < mostCodes {
			f.codes[object] = c
		}
	}
	if c == nil {
		return runtimes.Call{}, false
	}
	call := runtimes.Call{Function: c.name, File: c.file, Instruction: instr, Frame: frame}
	switch at := int64(instr - f.start(frame, object)); {
	case at >= 0 && at < int64(c.units*unit) || at == -unit && f.minor < 13: // before the first instruction
		call.Line = lineAt(c.lines, c.first, at/unit)
	case !f.shared:
		return call, false
	}
	return call, true
}

// start returns where the code begins that a frame executes. In builds for free threading, a thread may have a copy of its own, whose index is in the frame.
// Source: Include/internal/pycore_code.h, _PyCodeArray, which begins with its size.
func (f *finder) start(frame, object uint64) uint64 {
	own := object + f.at[codeStart]
	if !f.shared || !f.has[frameCopy] {
		return own
	}
	index, _ := f.p.Memory.Word(frame+f.at[frameCopy], 4)
	list, _ := f.word(object + f.at[codeCopies])
	if size, ok := f.word(list); !ok || index == 0 || index >= size {
		return own
	}
	if at, ok := f.word(list + 8 + 8*index); ok {
		return at
	}
	return own
}

type code struct {
	name, file string
	first      uint32
	units      uint64 // the number of code units
	lines      []byte // the table of lines
}

// The bounds of one code.
const (
	mostUnits = 1 << 22
	mostName  = 1 << 10
	mostPath  = 1 << 12
)

// code reads a code object, nil if it is none.
func (f *finder) code(addr uint64) *code {
	c := &code{}
	var ok bool
	if c.units, ok = f.word(addr + f.at[bytesSize]); !ok || c.units == 0 || c.units > mostUnits || !f.is("code", addr) {
		return nil
	}
	if c.lines = f.table(addr+f.at[codeLines], c.units); c.lines == nil {
		return nil
	}
	first, ok := f.p.Memory.Word(addr+f.at[codeFirstLine], 4)
	if file, named := f.text(addr+f.at[codeFile], mostPath); ok && named && first < 1<<31 {
		c.file, c.first = file, uint32(first)
	} else {
		return nil
	}
	name, ok := f.text(addr+f.at[codeName], mostName)
	qualified, named := f.text(addr+f.at[codeQualname], mostName)
	if !ok || !named || qualified != name && !strings.HasSuffix(qualified, "."+name) {
		f.nameless++
		return c
	}
	c.name = qualified
	return c
}
