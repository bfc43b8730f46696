package pdb

import (
	"bytes"
	"fmt"
	"math/bits"

	"crashglass/core/base/bin"
)

// Streams with fixed numbers.
// Spec: https://llvm.org/docs/PDB/index.html#streams
const (
	streamInfo = 1
	streamTPI  = 2
	streamDBI  = 3
	streamIPI  = 4
)

// oldestInfo is the version of Visual C++ 7.0's info stream, the first that
// has a GUID: VC70 of microsoft-pdb's PDBImpv.
const oldestInfo = 20000404

// An info is the PDB info stream: the identity of the file, and the named streams.
type info struct {
	guid  [16]byte // as it is in the file: three little-endian numbers and eight bytes
	age   uint32   // how often this file was written; images have the age of the DBI stream instead
	named map[string]int
	mini  bool // functions and lines are in the object files
	ids   bool // stream 4 has ids; before Visual Studio 2012 it was any stream
}

// Feature codes, which follow the named streams.
// Spec: PdbRaw_FeatureSig of https://llvm.org/docs/PDB/PdbStream.html
const (
	featureIDs   = 20091201 // VC110
	featureIDs14 = 20140508 // VC140
	// "MINI": the program was linked with /DEBUG:FASTLINK, and its PDB only
	// says which object files there are.
	featureMini = 0x494e494d
)

// parseInfo reads stream 1.
//
// Spec: https://llvm.org/docs/PDB/PdbStream.html
func parseInfo(c *bin.Cursor) (in info, err error) {
	version := c.U32()
	c.Skip(4) // time of writing
	in.age = c.U32()
	copy(in.guid[:], c.Bytes(16))
	if c.Err() == nil && version < oldestInfo {
		return in, &bin.Error{What: "PDB info stream", Why: fmt.Sprintf("version %d, the first with a GUID is %d", version, oldestInfo)}
	}
	if c.Err() != nil {
		return in, c.Err()
	}
	in.named, err = parseNamed(c)
	for c.Err() == nil && c.Len() >= 4 {
		switch c.U32() {
		case featureMini:
			in.mini = true
		case featureIDs, featureIDs14:
			in.ids = true
		}
	}
	return in, err
}

// parseNamed reads a hash table from offsets in a buffer of strings to numbers
// of streams. Which bucket an entry is in does not matter here.
func parseNamed(c *bin.Cursor) (map[string]int, error) {
	named := map[string]int{}
	text := c.Bytes(int(c.U32()))
	count := c.U32()
	c.Skip(4) // capacity
	present := 0
	for range c.Count(4) {
		present += bits.OnesCount32(c.U32())
	}
	c.Skip(4 * c.Count(4)) // which buckets had an entry once
	if c.Err() == nil && int(count) != present {
		c.Fail("%d named streams, %d of them in the table", count, present)
	}
	for range present {
		key, value := c.U32(), c.U32()
		if c.Err() != nil {
			return named, c.Err()
		}
		if name, ok := textAt(text[:min(uint64(key)+maxStreamName, uint64(len(text)))], uint64(key)); ok {
			named[name] = int(value)
		}
	}
	return named, c.Err()
}

// Thousands of entries may point into one long text.
const maxStreamName = 1 << 10

// textAt is the string that begins at off and ends with a zero byte.
func textAt(b []byte, off uint64) (string, bool) {
	if off > uint64(len(b)) {
		return "", false
	}
	n := bytes.IndexByte(b[off:], 0)
	if n < 0 {
		return "", false
	}
	return string(b[off : off+uint64(n)]), true
}

// debugID is the identity as Breakpad writes it: the GUID with its numbers in
// reading order, and the age in lower case without leading zeros.
func debugID(guid [16]byte, age uint32) string {
	g := guid
	return fmt.Sprintf("%02X%02X%02X%02X%02X%02X%02X%02X%X%x",
		g[3], g[2], g[1], g[0], g[5], g[4], g[7], g[6], g[8:], age)
}
