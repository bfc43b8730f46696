package swift

import "testing"

// What a type has for its values: ValueWitnessMangling.def.
func TestValueWitnesses(t *testing.T) {
	checkNames(t, []demangled{
		{"$s4main1SVwal", "allocateBuffer for S"},
		{"$s4main1SVwca", "assignWithCopy for S"},
		{"$s4main1SVwta", "assignWithTake for S"},
		{"$s4main1SVwde", "deallocateBuffer for S"},
		{"$s4main1SVwxx", "destroy for S"},
		{"$s4main1SVwXX", "destroyBuffer for S"},
		{"$s4main1SVwXx", "destroyArray for S"},
		{"$s4main1SVwCP", "initializeBufferWithCopyOfBuffer for S"},
		{"$s4main1SVwCp", "initializeBufferWithCopy for S"},
		{"$s4main1SVwcp", "initializeWithCopy for S"},
		{"$s4main1SVwTk", "initializeBufferWithTake for S"},
		{"$s4main1SVwtk", "initializeWithTake for S"},
		{"$s4main1SVwpr", "projectBuffer for S"},
		{"$s4main1SVwTK", "initializeBufferWithTakeOfBuffer for S"},
		{"$s4main1SVwCc", "initializeArrayWithCopy for S"},
		{"$s4main1SVwTt", "initializeArrayWithTakeFrontToBack for S"},
		{"$s4main1SVwtT", "initializeArrayWithTakeBackToFront for S"},
		{"$s4main1SVwxs", "storeExtraInhabitant for S"},
		{"$s4main1SVwxg", "getExtraInhabitantIndex for S"},
		{"$s4main1SVwug", "getEnumTag for S"},
		{"$s4main1SVwup", "destructiveProjectEnumData for S"},
		{"$s4main1SVwui", "destructiveInjectEnumTag for S"},
		{"$s4main1SVwet", "getEnumTagSinglePayload for S"},
		{"$s4main1SVwst", "storeEnumTagSinglePayload for S"},
	})
}

// What the compiler and the runtime keep of types, behind an M.
func TestMetadata(t *testing.T) {
	checkNames(t, []demangled{
		{"$s4main1SVMa", "type metadata accessor for S"},
		{"$s4main1SVMb", "canonical specialized generic type metadata accessor for S"},
		{"$s4main1SVMB", "reflection metadata builtin descriptor S"},
		{"$s4main1SVMC", "reflection metadata superclass descriptor S"},
		{"$s4main1SVMD", "demangling cache variable for type metadata for S"},
		{"$s4main1SVMf", "full type metadata for S"},
		{"$s4main1SVMF", "reflection metadata field descriptor S"},
		{"$s4main1SVMi", "type metadata instantiation function for S"},
		{"$s4main1SVMI", "type metadata instantiation cache for S"},
		{"$s4main1SVMl", "type metadata singleton initialization cache for S"},
		{"$s4main1SVML", "lazy cache variable for type metadata for S"},
		{"$s4main1SVMm", "metaclass for S"},
		{"$s4main1SVMM", "specialized generic metaclass for S"},
		{"$s4main1SVMn", "nominal type descriptor for S"},
		{"$s4main1SVMN", "noncanonical specialized generic type metadata for S"},
		{"$s4main1SVMo", "class metadata base offset for S"},
		{"$s4main1SVMP", "generic type metadata pattern for S"},
		{"$s4main1SVMr", "type metadata completion function for S"},
		{"$s4main1SVMs", "ObjC resilient class stub for S"},
		{"$s4main1SVMt", "full ObjC resilient class stub for S"},
		{"$s4main1SVMu", "method lookup function for S"},
		{"$s4main1SVMU", "ObjC metadata update function for S"},
		{"$s4main1SVMz", "flag for loading of canonical specialized generic type metadata for S"},
		{"$s4main1fQryFQOMg", "opaque type descriptor accessor for <<opaque return type of f()>>"},
		{"$s4main1fQryFQOMh", "opaque type descriptor accessor impl for <<opaque return type of f()>>"},
		{"$s4main1fQryFQOMj", "opaque type descriptor accessor key for <<opaque return type of f()>>"},
		{"$s4main1fQryFQOMk", "opaque type descriptor accessor var for <<opaque return type of f()>>"},
		{"$s4main1fQryFQOMQ", "opaque type descriptor for <<opaque return type of f()>>"},
		{"$s4main1SVAA1PAAMc", "protocol conformance descriptor for S"},
		{"$s4main1SVAA1PAAMA", "reflection metadata associated type descriptor S"},
		{"$s4main1PMp", "protocol descriptor for P"},
		{"$s4main1PMS", "protocol self-conformance descriptor for P"},
		{"$s4main1SV1xSivpMV", "property descriptor for S.x"},
		{"$s4mainMXM", "module descriptor "},
		{"$s4main1SVAAEMXE", "extension descriptor S"},
		{"$s4main1SVN", "type metadata for S"},
		{"$s4main1SVMJ", "cache variable for noncanonical specialized generic type metadata for S"},
		{"$s4main1SVMK", "metadata instantiation cache for S"},
		{"$s4main1SVMq", "uniquable S"},
		{"$s4main1fyyFMXX", "anonymous descriptor f()"},
	})
}

// Records for the runtime, behind an H.
func TestRecords(t *testing.T) {
	checkNames(t, []demangled{
		{"$s4main1SVHn", "nominal type descriptor runtime record for S"},
		{"$s4main1fQryFQOHo", "opaque type descriptor runtime record for <<opaque return type of f()>>"},
		{"$s4main1PHr", "protocol descriptor runtime record for P"},
		{"$s4main1SVAA1PAAHc", "protocol conformance descriptor runtime record for S"},
	})
}

// Tables of what a type has for a protocol, and of its fields, behind a W.
func TestWitnessTables(t *testing.T) {
	checkNames(t, []demangled{
		{"$s4main1SVAA1PAAWP", "protocol witness table for S"},
		{"$s4main1SVAA1PAAWp", "protocol witness table pattern for S"},
		{"$s4main1SVAA1PAAWG", "generic protocol witness table for S"},
		{"$s4main1SVAA1PAAWr", "resilient protocol witness table for S"},
		{"$s4main1SVAA1PAAWI", "instantiation function for generic protocol witness table for S"},
		{"$s4main1SVAA1PAAWa", "protocol witness table accessor for S"},
		{"$s4main1PWS", "protocol self-conformance witness table for P"},
		{"$s4main1SVACAA1PAAWl", "lazy protocol witness table accessor for type S and conformance S"},
		{"$s4main1SVACAA1PAAWL", "lazy protocol witness table cache variable for type S and conformance S"},
		{"$s4main1SVAA1PAA1AWt", "associated type metadata accessor for A in S"},
		{"$s4main1SVWV", "value witness table for S"},
		{"$s4main1SV1xSivpWvd", "direct field offset for S.x"},
		{"$s4main1SV1xSivpWvi", "indirect field offset for S.x"},
		{"$s4main1EO1ayA2CmFWC", "enum case for E.a(E.Type)"},
		{"$s4main1CC1xSivpWvd", "direct field offset for C.x"},
	})
}

// Code that the optimizer made one function of, for values of a type.
func TestOutlined(t *testing.T) {
	checkNames(t, []demangled{
		{"$s4main1SVWOB", "outlined init with take of S"},
		{"$s4main1SVWOC", "outlined init with copy of S"},
		{"$s4main1SVWOD", "outlined assign with take of S"},
		{"$s4main1SVWOF", "outlined assign with copy of S"},
		{"$s4main1SVWOH", "outlined destroy of S"},
		{"$s4main1SVWOb", "outlined init with take of S"},
		{"$s4main1SVWOc", "outlined init with copy of S"},
		{"$s4main1SVWOd", "outlined assign with take of S"},
		{"$s4main1SVWOf", "outlined assign with copy of S"},
		{"$s4main1SVWOh", "outlined destroy of S"},
		{"$s4main1SVWOy", "outlined copy of S"},
		{"$s4main1SVWOe", "outlined consume of S"},
		{"$s4main1SVWOr", "outlined retain of S"},
		{"$s4main1SVWOs", "outlined release of S"},
		{"$s4main1SVWOg", "outlined enum get tag of S"},
		{"$s4main1EOWOi0_", "outlined enum tag store of E"},
		{"$s4main1EOWOj0_", "outlined enum project data for load of E"},
		{"$s4main1EOWOi_", "outlined enum tag store of E"},
		{"$s4main1SVSgWOe", "outlined consume of S?"},
		{"$sSSSgWOe", "outlined consume of String?"},
		{"$sypWOb", "outlined init with take of Any"},
		{"$sypSgWOf", "outlined assign with copy of Any?"},
		{"$s4main1fyyFTv0_", "outlined variable #1 of f()"},
		{"$s4main1fyyFTv_", "outlined variable #0 of f()"},
		{"$s4main1fyyFTv0_r", "outlined read-only object #1 of f()"},
		{"$s4main1CC1fyyFToTembnn_", "outlined bridged method (mbnn) of @objc C.f()"},
		{"$s4main1CC1fyyFToTepb_", "outlined bridged method (pb) of @objc C.f()"},
	})
}
