// Package lzx decompresses LZX as cabinets have it: symbol servers keep PDBs and
// images as .pd_ and .dl_ files, which are cabinets.
//
//	var d lzx.Decoder
//	err := d.Reset(21)           // bits of the window, which the folder names
//	err = d.Frame(out[:n], data) // one block of the folder after another
//
// A folder is one stream, cut into frames of up to 32 KiB of output. Frames have to be decompressed
// in order. Damage ends the stream: Frame fails, and later calls fail, too. Memory is the window,
// of at most 2 MiB, and the time is linear in a frame's bytes.
//
// The variants of WIM files (other headers of blocks) and of patches (LZX DELTA,
// larger windows and longer matches) are not read.
//
// Read decoder.go first, then block.go and match.go; bits.go has the bits and Huffman codes.
//
// Sources: Microsoft's "LZX Data Compression Format" of the Cabinet SDK and
// [MS-PATCH] 2, and where these are wrong or silent the remarks of libmspack's
// lzxd.c: sizes of uncompressed blocks, the order of trees, the number of slots.
package lzx
