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
