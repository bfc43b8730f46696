package v8

import (
	"strings"

	"crashglass/core/runtimes"
)

// prefix begins the names of the constants that V8 exports for debuggers. Source: V8, tools/gen-postmortem-metadata.py.
const prefix = "v8dbg_"

type field uint8

// The constants.
const (
	smiShift field = iota
	smiValue
	heapTag
	taggedSize
	objectMap
	mapType
	functionShared
	sharedName
	sharedScript
	scriptSource
	scriptName
	scriptEnds
	bytecodeData
	bytecodeLength
	arrayLength
	arrayData
	stringLength
	oneByteChars
	twoByteChars
	consFirst
	consSecond
	slicedParent
	slicedOffset
	thinActual
	externalResource
	formMask
	formSequential
	formCons
	formSliced
	formExternal
	formThin
	widthMask
	widthOne
	firstNonstring
	typeMap
	typeFunction
	lastFunction
	typeShared
	typeScript
	typeScope
	typeBytecode
	typeArray
	typeTrustedArray
	typeBytes
	typeTrustedBytes
	typeStream
	typeCode
	typeError
	typeOddball
	firstContext
	lastContext
	frameMarker
	frameFunction
	frameBytecodes
	frameOffset
	frameArguments
	scopeLocals
	scopeFirst
	codeStart
	codeSize
	codeKinds
	codePositions
	kindMask
	kindBaseline
	streamHeader
	inliningPositions
	literals
	mapDescriptors
	mapPrototype
	mapConstructor
	mapBits
	mapSize
	mapInside
	ownMask
	ownShift
	descriptorsStart
	descriptorKey
	descriptorDetails
	descriptorValue
	descriptorSize
	locationMask
	locationShift
	locationField
	indexMask
	indexShift
	objectProperties
	symbolName
	typeSymbol
	typeNumber
	numberValue
	oddballKind
	oddFalse
	oddTrue
	oddNull
	oddUndefined
	typeHole
	typePlain
	typeGlobal
	dictionaryShift
	dictionaryStart
	dictionaryPrefix
	typeMessage
	messageType
	typeList
	objectElements
	detailsKind
	numFields
)

// optional marks a constant that not all releases have, other separates the names that a constant has had.
const (
	optional = "?"
	other    = "|"
)

// names are those of the constants. The name of a field may be followed by its type.
var names = [numFields]string{
	smiShift: "SmiShiftSize", smiValue: "SmiValueShift", heapTag: "HeapObjectTag", taggedSize: "TaggedSize",
	objectMap: "class_HeapObject__map", mapType: "class_Map__instance_type", functionShared: "class_JSFunction__shared",
	sharedName: "class_SharedFunctionInfo__name_or_scope_info", sharedScript: "class_SharedFunctionInfo__script_or_debug_info|class_SharedFunctionInfo__script",
	scriptSource: "class_Script__source", scriptName: "class_Script__name", scriptEnds: "class_Script__line_ends",
	bytecodeData: "class_BytecodeArray__data", bytecodeLength: "class_BytecodeArray__length?",
	arrayLength: "class_FixedArrayBase__length", arrayData: "class_FixedArray__data", stringLength: "class_String__length",
	oneByteChars: "class_SeqOneByteString__chars", twoByteChars: "class_SeqTwoByteString__chars",
	consFirst: "class_ConsString__first", consSecond: "class_ConsString__second",
	slicedParent: "class_SlicedString__parent", slicedOffset: "class_SlicedString__offset",
	thinActual: "class_ThinString__actual", externalResource: "class_ExternalString__resource",
	formMask: "StringRepresentationMask", formSequential: "SeqStringTag", formCons: "ConsStringTag", formSliced: "SlicedStringTag",
	formExternal: "ExternalStringTag", formThin: "ThinStringTag", widthMask: "StringEncodingMask", widthOne: "OneByteStringTag",
	firstNonstring: "FirstNonstringType", typeMap: "type_Map__MAP_TYPE", typeFunction: "type_JSFunction__JS_FUNCTION_TYPE", lastFunction: "LastJSFunctionType?",
	typeShared: "type_SharedFunctionInfo__SHARED_FUNCTION_INFO_TYPE", typeScript: "type_Script__SCRIPT_TYPE", typeScope: "type_ScopeInfo__SCOPE_INFO_TYPE",
	typeBytecode: "type_BytecodeArray__BYTECODE_ARRAY_TYPE", typeArray: "type_FixedArray__FIXED_ARRAY_TYPE",
	typeTrustedArray: "type_TrustedFixedArray__TRUSTED_FIXED_ARRAY_TYPE?", typeBytes: "type_ByteArray__BYTE_ARRAY_TYPE",
	typeTrustedBytes: "type_TrustedByteArray__TRUSTED_BYTE_ARRAY_TYPE?", typeStream: "type_InstructionStream__INSTRUCTION_STREAM_TYPE?",
	typeCode: "type_Code__CODE_TYPE", typeError: "type_JSError__JS_ERROR_TYPE", typeOddball: "type_Oddball__ODDBALL_TYPE",
	firstContext: "FirstContextType", lastContext: "LastContextType",
	frameMarker: "off_fp_context_or_frame_type", frameFunction: "off_fp_function", frameBytecodes: "off_fp_bytecode_array", frameOffset: "off_fp_bytecode_offset",
	frameArguments: "off_fp_args", scopeLocals: "scopeinfo_idx_ncontextlocals", scopeFirst: "scopeinfo_idx_first_vars",
	codeStart: "class_Code__instruction_start?", codeSize: "class_Code__instruction_size?", codeKinds: "class_Code__flags?",
	codePositions: "class_Code__source_position_table?",
	kindMask:      "CodeKindFieldMask?", kindBaseline: "CodeKindBaseline?", streamHeader: "class_InstructionStream__instruction_start?",
	inliningPositions: "DeoptimizationDataInliningPositionsIndex?", literals: "DeoptimizationDataLiteralArrayIndex?", symbolName: "class_Symbol__name",
	typeSymbol:     "type_Symbol__SYMBOL_TYPE",
	mapDescriptors: "class_Map__instance_descriptors", mapPrototype: "class_Map__prototype",
	mapConstructor: "class_Map__constructor_or_back_pointer", mapBits: "class_Map__bit_field3",
	mapSize: "class_Map__instance_size_in_words", mapInside: "class_Map__inobject_properties_start_or_constructor_function_index",
	ownMask: "bit_field3_number_of_own_descriptors_mask", ownShift: "bit_field3_number_of_own_descriptors_shift",
	descriptorsStart: "class_DescriptorArray__header_size", descriptorKey: "prop_desc_key",
	descriptorDetails: "prop_desc_details", descriptorValue: "prop_desc_value",
	descriptorSize: "prop_desc_size", locationMask: "prop_location_mask",
	locationShift: "prop_location_shift", locationField: "prop_location_Field",
	indexMask: "prop_index_mask", indexShift: "prop_index_shift",
	objectProperties: "class_JSReceiver__raw_properties_or_hash",
	typeNumber:       "type_HeapNumber__HEAP_NUMBER_TYPE?", numberValue: "class_HeapNumber__value?",
	oddballKind: "class_Oddball__kind_offset|class_Oddball__kind?",
	oddFalse:    "OddballFalse?", oddTrue: "OddballTrue?", oddNull: "OddballNull?", oddUndefined: "OddballUndefined?",
	typeList: "type_JSArray__JS_ARRAY_TYPE?", typeHole: "type_Hole__HOLE_TYPE?",
	typePlain: "type_JSObject__JS_OBJECT_TYPE?", typeGlobal: "type_JSGlobalProxy__JS_GLOBAL_PROXY_TYPE?",
	dictionaryShift: "bit_field3_is_dictionary_map_shift?",
	dictionaryStart: "namedictionary_prefix_start_index?", dictionaryPrefix: "namedictionaryshape_prefix_size?",
	typeMessage: "type_JSMessageObject__JS_MESSAGE_OBJECT_TYPE?", messageType: "class_JSMessageObject__raw_type?",
	objectElements: "class_JSObject__elements?", detailsKind: "prop_kind_mask?",
}

// A layout has the constants of a process.
type layout struct {
	at  [numFields]uint64 // negative ones as their complement
	has [numFields]bool
}

// layoutOf reads the constants of the module at an address, and reports whether it has any. It returns nil if some are missing.
func layoutOf(t *runtimes.Target, addr uint64) (l *layout, any bool) {
	l = &layout{}
	t.Data(addr, prefix, func(name string, at uint64) {
		any = true
		name = name[len(prefix):]
		for f, wanted := range names {
			for alias := range strings.SplitSeq(strings.TrimSuffix(wanted, optional), other) {
				if rest, ok := strings.CutPrefix(name, alias); ok && (rest == "" || strings.HasPrefix(rest, "__")) {
					v, captured := t.Memory.Word(at, 4)
					l.at[f], l.has[f] = uint64(int64(int32(v))), captured
				}
			}
		}
	})
	for f, wanted := range names {
		if !l.has[f] && !strings.HasSuffix(wanted, optional) {
			return nil, any
		}
	}
	if !l.has[literals] { // Source: V8 10.2, src/objects/code.h, DeoptimizationData
		l.at[literals], l.at[inliningPositions] = 2, 7
	}
	if !l.has[codeStart] && l.has[codePositions] { // Source: V8 11.3, src/objects/code.h, CODE_DATA_FIELDS
		at := l.at[codePositions]
		l.at[codeStart], l.at[codeKinds], l.at[codeSize] = at+16, at+24, at+32
		l.has[codeStart], l.has[codeKinds], l.has[codeSize] = true, true, true
	}
	if !l.has[bytecodeLength] {
		l.at[bytecodeLength] = l.at[arrayLength]
	}
	return l, any
}

// word is the size of tagged values without pointer compression, which this package does not read.
const word = 8

func (l *layout) compressed() bool { return l.at[taggedSize] != word }
