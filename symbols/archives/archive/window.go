package archive

import "encoding/binary"

// windowHead is how many bytes of a file window needs.
const windowHead = 64

// window is how far back a file may refer. Reading its first byte allocates as much memory. It is 0
// if small or unknown.
func window(format Format, head []byte) int64 {
	switch format {
	case Zstd:
		return zstdWindow(head)
	case Xz:
		return xzWindow(head)
	}
	return 0
}

// zstdWindow reads Frame_Header_Descriptor and Window_Descriptor: RFC 8878,
// 3.1.1.1. A frame in one segment has its content for a window.
func zstdWindow(head []byte) int64 {
	if len(head) < 17 {
		return 0
	}
	if flags := head[4]; flags&0x20 != 0 {
		switch at := 5 + []int{0, 1, 2, 4}[flags&3]; flags >> 6 {
		case 2:
			return int64(binary.LittleEndian.Uint32(head[at:]))
		case 3:
			return int64(min(binary.LittleEndian.Uint64(head[at:]), 1<<40))
		}
		return 0
	}
	base := int64(1) << (10 + head[5]>>3)
	return base + base/8*int64(head[5]&7)
}

// xzWindow reads the size of the dictionary of LZMA2 in the first block's
// header: https://tukaani.org/xz/xz-file-format.txt, 3.1 and 5.3.1.
func xzWindow(head []byte) int64 {
	const streamHeader, lzma2 = 12, 0x21
	if len(head) < streamHeader+2 {
		return 0
	}
	flags, rest := head[streamHeader+1], head[streamHeader+2:]
	for _, sized := range []byte{0x40, 0x80} { // of the block, compressed and not
		if flags&sized != 0 {
			_, n := binary.Uvarint(rest)
			rest = rest[max(n, 0):]
		}
	}
	for len(rest) >= 3 {
		id, size, bits := rest[0], int(rest[1]), rest[2]
		if id == lzma2 && bits < 40 {
			return int64(2|bits&1) << (bits/2 + 11)
		}
		rest = rest[min(2+size, len(rest)):]
	}
	return 0
}
