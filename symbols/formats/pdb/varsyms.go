package pdb

import "crashglass/core/base/bin"

// Kinds of symbol records that are about variables.
//
// Source: SYM_ENUM_e of microsoft-pdb's include/cvinfo.h; S_DEFRANGE_REGISTER_REL_INDIR
// is of LLVM's CodeViewSymbols.def.
const (
	symRegisterST    = 0x1001 // S_REGISTER_ST
	symConstantST    = 0x1002 // S_CONSTANT_ST
	symBPRelST       = 0x1006 // S_BPREL32_ST
	symLocalDataST   = 0x1007 // S_LDATA32_ST
	symGlobalDataST  = 0x1008 // S_GDATA32_ST
	symRegRelST      = 0x100d // S_REGREL32_ST
	symLocalTLSST    = 0x100e // S_LTHREAD32_ST
	symGlobalTLSST   = 0x100f // S_GTHREAD32_ST
	symFrameProc     = 0x1012 // S_FRAMEPROC
	symRegister      = 0x1106 // S_REGISTER
	symConstant      = 0x1107 // S_CONSTANT
	symManyReg       = 0x110a // S_MANYREG
	symBPRel         = 0x110b // S_BPREL32
	symLocalData     = 0x110c // S_LDATA32
	symGlobalData    = 0x110d // S_GDATA32
	symRegRel        = 0x1111 // S_REGREL32
	symLocalTLS      = 0x1112 // S_LTHREAD32
	symGlobalTLS     = 0x1113 // S_GTHREAD32
	symCompile2      = 0x1116 // S_COMPILE2
	symManyReg2      = 0x1117 // S_MANYREG2
	symCompile3      = 0x113c // S_COMPILE3
	symLocal         = 0x113e // S_LOCAL
	symRange         = 0x113f // S_DEFRANGE
	symRangePart     = 0x1140 // S_DEFRANGE_SUBFIELD
	symRangeReg      = 0x1141 // S_DEFRANGE_REGISTER
	symRangeFrame    = 0x1142 // S_DEFRANGE_FRAMEPOINTER_REL
	symRangePartReg  = 0x1143 // S_DEFRANGE_SUBFIELD_REGISTER
	symRangeAllFrame = 0x1144 // S_DEFRANGE_FRAMEPOINTER_REL_FULL_SCOPE
	symRangeRegRel   = 0x1145 // S_DEFRANGE_REGISTER_REL
	symFileStatic    = 0x1153 // S_FILESTATIC
	symRangeIndirect = 0x1177 // S_DEFRANGE_REGISTER_REL_INDIR
)

// oldVariables are the kinds with a length in front of the name, and what they
// are otherwise.
var oldVariables = map[uint16]uint16{
	symRegisterST: symRegister, symConstantST: symConstant, symBPRelST: symBPRel, symLocalDataST: symLocalData,
	symGlobalDataST: symGlobalData, symRegRelST: symRegRel, symLocalTLSST: symLocalTLS, symGlobalTLSST: symGlobalTLS,
}

// Flags of S_LOCAL: CV_LVARFLAGS of cvinfo.h.
const (
	localIsParam   = 1 << 0
	localGenerated = 1 << 2 // the compiler's own
	localIsResult  = 1 << 7
	localOptimized = 1 << 8 // the compiler did not keep it
)

// A varSym is the content of a variable's record.
type varSym struct {
	name     string
	typ      uint32
	flags    uint16
	ranged   bool // S_DEFRANGE records say where it is
	constant bool
	at       place
}

// parseVariable reads the record of a variable. It reports false for other
// records: REGSYM, CONSTSYM, BPRELSYM32, DATASYM32, REGREL32, THREADSYM32,
// LOCALSYM and FILESTATICSYM of cvinfo.h.
func parseVariable(r record) (v varSym, ok bool, err error) {
	kind, old := oldVariables[r.kind]
	if !old {
		kind = r.kind
	}
	c := r.cursor("variable record")
	switch kind {
	case symRegister:
		v.typ = c.U32()
		v.at = place{kind: inRegister, reg: c.U16()}
	case symConstant:
		v.typ, v.constant = c.U32(), true
		v.at = place{kind: constantValue, off: int64(numeric(c))}
	case symBPRel:
		v.at = place{kind: atFramePointer, off: int64(int32(c.U32()))}
		v.typ = c.U32()
	case symRegRel:
		off := int64(int32(c.U32()))
		v.typ = c.U32()
		v.at = place{kind: atRegister, reg: c.U16(), off: off}
	case symLocalData, symGlobalData, symLocalTLS, symGlobalTLS:
		v.typ = c.U32()
		v.at = place{kind: atAddress, off: int64(c.U32()), sect: c.U16()}
		if kind == symLocalTLS || kind == symGlobalTLS {
			v.at.kind = inThread
		}
	case symLocal:
		v.typ, v.flags, v.ranged = c.U32(), c.U16(), true
	case symFileStatic:
		v.typ, v.ranged = c.U32(), true
		c.Skip(4) // name of the module
		v.flags = c.U16()
	case symManyReg, symManyReg2:
		v.typ = c.U32()
		v.at = place{kind: unsupported}
		skipRegisters(c, kind)
	default:
		return v, false, nil
	}
	v.at.rule = r.kind
	v.name = name(c, old)
	return v, true, c.Err()
}

// skipRegisters skips the registers of MANYREGSYM and MANYREGSYM2.
func skipRegisters(c *bin.Cursor, kind uint16) {
	if kind == symManyReg {
		c.Skip(int(c.U8()))
		return
	}
	c.Skip(2 * int(c.U16()))
}
