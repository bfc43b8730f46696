package dwarf

// Tags that matter here (DW_TAG, section 7.5.3).
const (
	tagCompileUnit  = 0x11
	tagInlined      = 0x1d
	tagSubprogram   = 0x2e
	tagPartialUnit  = 0x3c
	tagSkeletonUnit = 0x4a
)

// Attributes that matter here (DW_AT, section 7.5.4).
const (
	atName           = 0x03
	atStmtList       = 0x10
	atLowPC          = 0x11
	atHighPC         = 0x12
	atCompDir        = 0x1b
	atAbstractOrigin = 0x31
	atSpecification  = 0x47
	atRanges         = 0x55
	atCallFile       = 0x58
	atCallLine       = 0x59
	atLinkageName    = 0x6e
	atStrOffsetsBase = 0x72
	atAddrBase       = 0x73
	atRnglistsBase   = 0x74
	atDwoName        = 0x76

	atMIPSLinkageName = 0x2007
	atGNUDwoName      = 0x2130
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
	tagString        = 0x12
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
	tagCatch         = 0x25
	tagConst         = 0x26
	tagEnumerator    = 0x28
	tagPacked        = 0x2d
	tagTypeArg       = 0x2f
	tagValueArg      = 0x30
	tagTry           = 0x32
	tagVariantPart   = 0x33
	tagVariable      = 0x34
	tagVolatile      = 0x35
	tagRestrict      = 0x37
	tagInterface     = 0x38
	tagNamespace     = 0x39
	tagUnspecified   = 0x3b
	tagShared        = 0x40
	tagTypeUnit      = 0x41
	tagRValue        = 0x42
	tagTemplateAlias = 0x43
	tagAtomic        = 0x47
	tagCallSite      = 0x48
	tagCallValue     = 0x49
	tagImmutable     = 0x4b

	tagGNUPack      = 0x4107
	tagGNUCallSite  = 0x4109
	tagGNUCallValue = 0x410a

	atSibling      = 0x01
	atLocation     = 0x02
	atByteSize     = 0x0b
	atBitOffset    = 0x0c
	atBitSize      = 0x0d
	atLanguage     = 0x13
	atDiscr        = 0x15
	atDiscrValue   = 0x16
	atConstValue   = 0x1c
	atContaining   = 0x1d
	atLowerBound   = 0x22
	atUpperBound   = 0x2f
	atArtificial   = 0x34
	atCount        = 0x37
	atMemberAt     = 0x38
	atDeclLine     = 0x3b
	atDeclaration  = 0x3c
	atDiscrList    = 0x3d
	atEncoding     = 0x3e
	atExternal     = 0x3f
	atFrameBase    = 0x40
	atType         = 0x49
	atVirtuality   = 0x4c
	atSignature    = 0x69
	atDataBits     = 0x6b
	atAllCalls     = 0x7a
	atAllTailCalls = 0x7c
	atCallReturn   = 0x7d
	atCallValue    = 0x7e
	atCallOrigin   = 0x7f
	atCallTarget   = 0x83
	atTailCall     = 0x82
	atLoclistsBase = 0x8c

	atGNUVector       = 0x2107
	atGNUCallValue    = 0x2111
	atGNUCallTarget   = 0x2113
	atGNUTailCall     = 0x2115
	atGNUAllTailCalls = 0x2116
	atGNUAllCalls     = 0x2117
)

// Forms (DW_FORM, section 7.5.6).
const (
	formAddr          = 0x01
	formBlock2        = 0x03
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
	formIndirect      = 0x16
	formSecOffset     = 0x17
	formExprloc       = 0x18
	formFlagPresent   = 0x19
	formStrx          = 0x1a
	formAddrx         = 0x1b
	formRefSup4       = 0x1c
	formStrpSup       = 0x1d
	formData16        = 0x1e
	formLineStrp      = 0x1f
	formRefSig8       = 0x20
	formImplicitConst = 0x21
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

	formGNUAddrIndex = 0x1f01
	formGNUStrIndex  = 0x1f02
	formGNURefAlt    = 0x1f20
	formGNUStrpAlt   = 0x1f21
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
	rangeBasex        = 1
	rangeStartxEndx   = 2
	rangeStartxLength = 3
	rangeOffsetPair   = 4
	rangeBase         = 5
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
	lineConstAddPC     = 8
	lineFixedAdvancePC = 9

	lineEndSequence = 1
	lineSetAddress  = 2
	lineDefineFile  = 3
)

// What the entries of a file table are made of (DW_LNCT, section 7.22).
const (
	contentPath      = 1
	contentDirectory = 2
)
