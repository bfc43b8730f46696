package pdb

import (
	"encoding/binary"
	"slices"
)

// sums are the algorithms of checksums by their numbers: CV_SourceChksum_t of cvinfo.h.
var sums = [...]string{1: "MD5", 2: "SHA1", 3: "SHA256"}

// SourceSum returns the checksum of a source file of the module with the code at an address, by the name that [File.Locate] has.
//
// Spec: https://llvm.org/docs/PDB/ModiStream.html, DEBUG_S_FILECHKSMS.
func (f *File) SourceSum(rel uint64, file string) (algorithm string, sum []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	h, ok := f.find(rel)
	if !ok || h.unit == nil {
		return "", nil
	}
	const head = 6 // where the name is, the size, and the algorithm
	for list := h.unit.lines.files; len(list) >= head; {
		size, kind := int(list[4]), int(list[5])
		if head+size > len(list) {
			break
		}
		name, err := f.names.at(binary.LittleEndian.Uint32(list))
		if err == nil && name == file && kind < len(sums) && sums[kind] != "" {
			return sums[kind], slices.Clone(list[head : head+size])
		}
		list = list[min((head+size+3)&^3, len(list)):]
	}
	return "", nil
}
