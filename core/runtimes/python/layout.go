package python

import (
	_ "embed"
	"strconv"
	"strings"
)

// layoutText has the offsets of each release, in lines of a structure's name and its fields. A field is an offset by itself,
// or "=" and an offset. The former are the words of _Py_DebugOffsets in their order.
//
//go:embed layouts.txt
var layoutText string

// A layout has the offsets in the structures of one release.
type layout struct {
	at     [numFields]uint64
	has    [numFields]bool
	minor  int
	shared bool // free threading: threads may run their own copies of the code
}

type field uint8

// The fields.
const (
	interpHead field = iota
	runtimeGIL
	interpNext
	interpThreads
	interpGIL
	gilStart
	gilHolder
	gilLocked
	gilEnabled
	threadNext
	threadInterp
	threadFrame
	threadCFrame
	threadNative
	threadRaised
	threadHandled
	cframeFrame
	framePrevious
	frameCode
	frameInstr
	frameOwner
	frameEntry
	frameCopy
	codeCopies
	codeFile
	codeName
	codeQualname
	codeLines
	codeFirstLine
	codeStart
	objectType
	typeName
	typeFlags
	tupleSize
	tupleItems
	bytesSize
	bytesData
	textLength
	textState
	textASCII
	textCompact
	frameGlobals
	frameNames
	frameSlots
	codeFlags
	codeArgs
	codeSlots
	codeKinds
	typeDict
	typeKeys
	listSize
	listItems
	dictKeys
	dictValues
	floatValue
	intTag
	intDigits
	numFields
)

// names are those of the fields in layouts.txt, which are those of _Py_DebugOffsets. gilStart is the place of the lock
// from which gilHolder and gilLocked are counted; gilEnabled is counted from the lock itself.
var names = [numFields]string{
	interpHead: "runtime_state.interpreters_head", runtimeGIL: "runtime_state.gil",
	interpNext: "interpreter_state.next", interpThreads: "interpreter_state.threads_head", interpGIL: "interpreter_state.ceval_gil",
	gilStart: "interpreter_state.gil_runtime_state", gilHolder: "interpreter_state.gil_runtime_state_holder", gilLocked: "interpreter_state.gil_runtime_state_locked",
	gilEnabled: "interpreter_state.gil_runtime_state_enabled",
	threadNext: "thread_state.next", threadInterp: "thread_state.interp", threadFrame: "thread_state.current_frame", threadCFrame: "thread_state.cframe",
	threadNative: "thread_state.native_thread_id", threadRaised: "thread_state.current_exception", threadHandled: "thread_state.exc_info",
	cframeFrame: "cframe.current_frame", framePrevious: "interpreter_frame.previous", frameCode: "interpreter_frame.executable",
	frameInstr: "interpreter_frame.instr_ptr", frameOwner: "interpreter_frame.owner", frameEntry: "interpreter_frame.is_entry",
	frameCopy: "interpreter_frame.tlbc_index", codeCopies: "code_object.co_tlbc",
	codeFile: "code_object.filename", codeName: "code_object.name", codeQualname: "code_object.qualname", codeLines: "code_object.linetable",
	codeFirstLine: "code_object.firstlineno", codeStart: "code_object.co_code_adaptive", objectType: "pyobject.ob_type",
	typeName: "type_object.tp_name", typeFlags: "type_object.tp_flags", tupleSize: "tuple_object.ob_size", tupleItems: "tuple_object.ob_item",
	bytesSize: "bytes_object.ob_size", bytesData: "bytes_object.ob_sval", textLength: "unicode_object.length", textState: "unicode_object.state",
	textASCII: "unicode_object.asciiobject_size", textCompact: "unicode_object.compact_size",
	frameGlobals: "interpreter_frame.globals", frameNames: "interpreter_frame.locals", frameSlots: "interpreter_frame.localsplus",
	codeFlags: "code_object.flags", codeArgs: "code_object.argcount", codeSlots: "code_object.localsplusnames", codeKinds: "code_object.localspluskinds",
	typeDict: "type_object.tp_dictoffset", typeKeys: "type_object.ht_cached_keys", listSize: "list_object.ob_size", listItems: "list_object.ob_item",
	dictKeys: "dict_object.ma_keys", dictValues: "dict_object.ma_values", floatValue: "float_object.ob_fval",
	intTag: "long_object.lv_tag", intDigits: "long_object.ob_digit",
}

// maxOffset is more than any offset: the states of runtime and interpreter have some 100 KiB.
const maxOffset = 1 << 20

// layoutOf returns the layout of a release, nil if it is not in the table or an offset is impossible. word returns words of
// _Py_DebugOffsets; it is not called for releases without it.
func layoutOf(minor int, word func(n uint64) (uint64, bool)) *layout {
	_, lines, found := strings.Cut(layoutText, "python 3."+strconv.Itoa(minor)+"\n")
	if !found {
		return nil
	}
	lines, _, _ = strings.Cut(lines, "python ")
	known, n := map[string]uint64{}, uint64(0)
	for line := range strings.Lines(lines) {
		structure, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if structure == "sources" {
			continue
		}
		for name := range strings.FieldsSeq(rest) {
			name, number, states := strings.Cut(name, "=")
			v, err := strconv.ParseUint(number, 10, 64)
			if !states {
				var ok bool
				if v, ok = word(n); !ok {
					return nil
				}
				n++
			} else if err != nil {
				return nil
			}
			known[structure+"."+name] = v
		}
	}
	l := &layout{minor: minor, shared: known["offsets.free_threaded"] != 0}
	for f, name := range names {
		l.at[f], l.has[f] = known[name], false
		if _, l.has[f] = known[name]; l.at[f] > maxOffset {
			return nil
		}
	}
	return l
}
