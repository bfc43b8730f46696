package elf

import "encoding/binary"

// descriptors is .opd of the first ABI for 64-bit PowerPC: symbols of
// functions point there, to the address of the code and two words more.
//
// Source: 64-bit PowerPC ELF Application Binary Interface Supplement, 3.1.4.
type descriptors struct {
	section *section
	data    []byte
	order   binary.ByteOrder
}

// maxDescriptors bounds .opd. Each function has 24 bytes of it.
const maxDescriptors = 64 << 20

func (f *File) descriptors() *descriptors {
	if f.h.machine != machinePPC64 {
		return nil
	}
	s := f.find(".opd")
	if s == nil {
		return nil
	}
	data, err := f.raw(s).ReadUpTo("elf: .opd", 0, maxDescriptors)
	if err != nil {
		f.note("%v", err)
		return nil
	}
	return &descriptors{s, data, f.h.order}
}

// code is the address of the code of a descriptor, 0 when there is none.
func (d *descriptors) code(addr uint64) uint64 {
	off := addr - d.section.addr
	if off > uint64(len(d.data)) || uint64(len(d.data))-off < 8 {
		return 0
	}
	return d.order.Uint64(d.data[off:])
}
