package dwarf

// A value is an attribute as it is written.
type value struct {
	form uint16 // 0 when the entry has no such attribute
	v    uint64 // number, offset or index; of a string or block where it lies in the buffer
}

// set reports whether the entry has the attribute. No form has number 0.
func (v value) set() bool { return v.form != 0 }

// sizes are those that the forms of a unit depend on.
type sizes struct {
	version uint16
	addr    uint8
	offset  uint8
}

// refAddr is the size of DW_FORM_ref_addr: that of an address in version 2.
func (s sizes) refAddr() uint8 {
	if s.version <= 2 {
		return s.addr
	}
	return s.offset
}

// variable marks forms whose size is in the value.
const variable = -1

// fixedSize is the size of a form in bytes, or variable.
func (s sizes) fixedSize(form uint16) int {
	switch form {
	case formFlagPresent, formImplicitConst:
		return 0
	case formData1, formRef1, formFlag, formStrx1, formAddrx1:
		return 1
	case formData2, formRef2, formStrx2, formAddrx2:
		return 2
	case formStrx3, formAddrx3:
		return 3
	case formData4, formRef4, formRefSup4, formStrx4, formAddrx4:
		return 4
	case formData8, formRef8, formRefSig8, formRefSup8:
		return 8
	case formData16:
		return 16
	case formAddr:
		return int(s.addr)
	case formRefAddr:
		return int(s.refAddr())
	case formStrp, formSecOffset, formStrpSup, formLineStrp, formGNURefAlt, formGNUStrpAlt:
		return int(s.offset)
	}
	return variable
}

// skip skips a value of a form whose size is variable.
func (s sizes) skip(r *buffer, form uint16) {
	switch form {
	case formUdata, formSdata, formRefUdata, formStrx, formAddrx, formLoclistx, formRnglistx, formGNUAddrIndex, formGNUStrIndex:
		r.skipLEB()
	case formString:
		r.skipText()
	case formBlock1:
		r.skip(uint64(r.u8()))
	case formBlock2:
		r.skip(uint64(r.u16()))
	case formBlock4:
		r.skip(uint64(r.u32()))
	case formBlock, formExprloc:
		r.skip(r.uleb())
	case formIndirect:
		form := r.uleb()
		if n := s.fixedSize(uint16(form)); form == formIndirect || form > 0xffff {
			r.fail()
		} else if n != variable {
			r.skip(uint64(n))
		} else {
			s.skip(r, uint16(form))
		}
	default:
		r.fail() // the length of an unknown form is unknown
	}
}

// read reads a value. A block is skipped: nothing here evaluates expressions.
func (s sizes) read(r *buffer, form uint16, implicit int64) value {
	switch form {
	case formSdata:
		return value{form, uint64(r.sleb())}
	case formUdata, formRefUdata, formStrx, formAddrx, formLoclistx, formRnglistx, formGNUAddrIndex, formGNUStrIndex:
		return value{form, r.uleb()}
	case formFlagPresent:
		return value{form, 1}
	case formImplicitConst:
		return value{form, uint64(implicit)}
	}
	if n := s.fixedSize(form); 0 < n && n <= 8 {
		return value{form, r.fixed(n)}
	}
	return s.readLong(r, form)
}

// readLong reads a value of the rare forms.
func (s sizes) readLong(r *buffer, form uint16) value {
	at := uint64(r.at)
	switch form {
	case formData16:
		r.skip(16)
		return value{form, at}
	case formIndirect:
		form := r.uleb()
		if form == formIndirect || form == formImplicitConst || form > 0xffff {
			r.fail()
			return value{}
		}
		return s.read(r, uint16(form), 0)
	}
	s.skip(r, form)
	return value{form, at}
}

func isAddress(form uint16) bool {
	switch form {
	case formAddr, formAddrx, formAddrx1, formAddrx2, formAddrx3, formAddrx4, formGNUAddrIndex:
		return true
	}
	return false
}

// isReference reports whether a form refers to an entry of the unit or, of DW_FORM_ref_addr, of the file.
func isReference(form uint16) bool {
	switch form {
	case formRef1, formRef2, formRef4, formRef8, formRefUdata, formRefAddr:
		return true
	}
	return false
}
