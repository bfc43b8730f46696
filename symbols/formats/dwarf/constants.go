package dwarf

// Tags that matter here (DW_TAG, section 7.5.3).
const (
	tagCompileUnit  = 0x11
	tagInlined      = 0x1d
	tagSubprogram   = 0x2e
	tagPartialUnit  = 0x3c // what dwz, or LTO, moved out of several units
	tagSkeletonUnit = 0x4a // its entries are in a .dwo file
)

// Attributes that matter here (DW_AT, section 7.5.4).
const (
	atName           = 0x03
	atStmtList       = 0x10 // the line program of the unit
	atLowPC          = 0x11
	atHighPC         = 0x12 // an address, or since version 4 a size
	atCompDir        = 0x1b
	atAbstractOrigin = 0x31 // the function of which this is an instance
	atSpecification  = 0x47 // the declaration that this completes
	atRanges         = 0x55
	atCallFile       = 0x58 // of an inlined call, as atCallLine
	atCallLine       = 0x59
	atLinkageName    = 0x6e // the mangled name
	atStrOffsetsBase = 0x72
	atAddrBase       = 0x73
	atRnglistsBase   = 0x74
	atDwoName        = 0x76 // the file of a skeleton's entries

	atMIPSLinkageName = 0x2007 // atLinkageName before version 4
	atGNUDwoName      = 0x2130 // of DebugFission, as the next three
	atGNUDwoID        = 0x2131
	atGNURangesBase   = 0x2132
	atGNUAddrBase     = 0x2133
)

// Tags and attributes that only variables and their types have.
const (
	tagArray         = 0x01
	tagClass         = 0x02
	tagEnum          = 0x04
	tagParameter     = 0x05
	tagBlock         = 0x0b
	tagMember        = 0x0d
	tagPointer       = 0x0f
	tagReference     = 0x10
	tagString        = 0x12 // of Fortran
	tagStruct        = 0x13
	tagFunctionType  = 0x15
	tagTypedef       = 0x16
	tagUnion         = 0x17
	tagVariant       = 0x19
	tagInheritance   = 0x1c
	tagModule        = 0x1e
	tagMemberPointer = 0x1f
	tagSubrange      = 0x21
	tagBase          = 0x24
	tagCatch         = 0x25 // a block, as tagTry and tagBlock
	tagConst         = 0x26
	tagEnumerator    = 0x28
	tagPacked        = 0x2d
	tagTypeArg       = 0x2f
	tagValueArg      = 0x30
	tagTry           = 0x32
	tagVariantPart   = 0x33 // the alternatives of a Rust enum
	tagVariable      = 0x34
	tagVolatile      = 0x35
	tagRestrict      = 0x37
	tagInterface     = 0x38
	tagNamespace     = 0x39
	tagUnspecified   = 0x3b // void, std::nullptr_t
	tagShared        = 0x40
	tagTypeUnit      = 0x41 // a unit with one type
	tagRValue        = 0x42
	tagTemplateAlias = 0x43
	tagAtomic        = 0x47
	tagCallSite      = 0x48 // a call, and what it passes
	tagCallValue     = 0x49 // an argument of a call
	tagImmutable     = 0x4b

	tagGNUPack      = 0x4107 // a parameter pack of a template
	tagGNUCallSite  = 0x4109
	tagGNUCallValue = 0x410a

	atSibling      = 0x01 // the next entry of the same parent
	atLocation     = 0x02
	atOrdering     = 0x09 // of the dimensions of an array
	atByteSize     = 0x0b
	atBitOffset    = 0x0c // up to version 3, from the most significant bit
	atBitSize      = 0x0d
	atLanguage     = 0x13
	atDiscr        = 0x15 // the member that says which variant is valid
	atDiscrValue   = 0x16 // the value that it has for a variant
	atStringLength = 0x19 // of a string whose length is known at run time
	atConstValue   = 0x1c
	atContaining   = 0x1d // the class of a pointer to a member
	atLowerBound   = 0x22
	atUpperBound   = 0x2f
	atArtificial   = 0x34 // made by the compiler
	atCount        = 0x37
	atMemberAt     = 0x38 // the offset of a member
	atDeclLine     = 0x3b
	atDeclaration  = 0x3c
	atDiscrList    = 0x3d // as atDiscrValue, for several values
	atEncoding     = 0x3e
	atExternal     = 0x3f
	atFrameBase    = 0x40 // what DW_OP_fbreg counts from
	atType         = 0x49
	atVirtuality   = 0x4c // of a base class
	atSignature    = 0x69 // the unit of the type
	atDataBits     = 0x6b // since version 4, from the start of the structure
	atAllCalls     = 0x7a // all calls have entries
	atAllTailCalls = 0x7c // all tail calls have entries
	atCallReturn   = 0x7d // the address behind a call
	atCallValue    = 0x7e // what an argument was
	atCallOrigin   = 0x7f // the called function
	atCallTarget   = 0x83 // the called address, as an expression
	atTailCall     = 0x82
	atLoclistsBase = 0x8c
	atLanguageName = 0x90 // of version 6, which later compilers write in version 5 as well

	atGNUCallValue    = 0x2111
	atGNUCallTarget   = 0x2113
	atGNUTailCall     = 0x2115
	atGNUAllTailCalls = 0x2116
	atGNUAllCalls     = 0x2117
)

// Forms (DW_FORM, section 7.5.6).
const (
	formAddr          = 0x01
	formBlock2        = 0x03 // the number is that of bytes of its length
	formBlock4        = 0x04
	formData2         = 0x05
	formData4         = 0x06
	formData8         = 0x07
	formString        = 0x08
	formBlock         = 0x09
	formBlock1        = 0x0a
	formData1         = 0x0b
	formFlag          = 0x0c
	formSdata         = 0x0d
	formStrp          = 0x0e
	formUdata         = 0x0f
	formRefAddr       = 0x10
	formRef1          = 0x11
	formRef2          = 0x12
	formRef4          = 0x13
	formRef8          = 0x14
	formRefUdata      = 0x15
	formIndirect      = 0x16 // the form is in the entry
	formSecOffset     = 0x17 // an offset of another section
	formExprloc       = 0x18
	formFlagPresent   = 0x19 // no bytes: it is there
	formStrx          = 0x1a // an index into .debug_str_offsets, as formStrx1 to 4
	formAddrx         = 0x1b // an index into .debug_addr, as formAddrx1 to 4
	formRefSup4       = 0x1c // into the supplementary file, as formRefSup8
	formStrpSup       = 0x1d // of .debug_str of the supplementary file
	formData16        = 0x1e
	formLineStrp      = 0x1f // of .debug_line_str
	formRefSig8       = 0x20 // a type by its signature
	formImplicitConst = 0x21 // the value is in the abbreviation
	formLoclistx      = 0x22
	formRnglistx      = 0x23
	formRefSup8       = 0x24
	formStrx1         = 0x25
	formStrx2         = 0x26
	formStrx3         = 0x27
	formStrx4         = 0x28
	formAddrx1        = 0x29
	formAddrx2        = 0x2a
	formAddrx3        = 0x2b
	formAddrx4        = 0x2c

	formGNUAddrIndex = 0x1f01 // formAddrx of DebugFission
	formGNUStrIndex  = 0x1f02 // formStrx of DebugFission
	formGNURefAlt    = 0x1f20 // formRefSup4 of dwz before version 5
	formGNUStrpAlt   = 0x1f21 // formStrpSup of dwz before version 5
)

// Kinds of units (DW_UT, section 7.5.1).
const (
	unitCompile      = 1
	unitType         = 2
	unitPartial      = 3
	unitSkeleton     = 4
	unitSplitCompile = 5
	unitSplitType    = 6
)

// Kinds of entries of a range list (DW_RLE, section 7.25).
const (
	rangeEnd          = 0
	rangeBasex        = 1 // an index of the address that rangeOffsetPair counts from
	rangeStartxEndx   = 2 // two indexes
	rangeStartxLength = 3 // an index and a size
	rangeOffsetPair   = 4 // two offsets from the base
	rangeBase         = 5 // as rangeBasex, by its address
	rangeStartEnd     = 6
	rangeStartLength  = 7
)

// Opcodes of line programs (DW_LNS and DW_LNE, section 7.22).
const (
	lineCopy           = 1
	lineAdvancePC      = 2
	lineAdvanceLine    = 3
	lineSetFile        = 4
	lineSetColumn      = 5
	lineConstAddPC     = 8 // advances as special operation 255 does
	lineFixedAdvancePC = 9 // by two bytes, which assemblers can fill in

	lineEndSequence = 1
	lineSetAddress  = 2
	lineDefineFile  = 3 // up to version 4
)

// What the entries of a file table are made of (DW_LNCT, section 7.22).
const (
	contentPath      = 1
	contentDirectory = 2
	contentMD5       = 5
)
