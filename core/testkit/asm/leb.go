package asm

// ULEB returns numbers as unsigned LEB128 of the least length, as DWARF and Mach-O have them (DWARF 5,
// section 7.6 and appendix C).
func ULEB(values ...uint64) (out []byte) {
	for _, v := range values {
		for ; v >= 0x80; v >>= 7 {
			out = append(out, byte(v)|0x80)
		}
		out = append(out, byte(v))
	}
	return out
}

// SLEB returns numbers as signed LEB128 of the least length. The second highest bit of the last byte is the sign.
func SLEB(values ...int64) (out []byte) {
	for _, v := range values {
		for ; v < -0x40 || v >= 0x40; v >>= 7 {
			out = append(out, byte(v)|0x80)
		}
		out = append(out, byte(v)&0x7f)
	}
	return out
}
