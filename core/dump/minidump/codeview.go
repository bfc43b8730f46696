package minidump

import (
	"encoding/binary"
	"fmt"
	"strconv"

	"crashglass/core/base/bin"
	"crashglass/core/dump/minidump/format"
)

// A CodeView is a module's debug record: the name of the file with its debug information, and the
// identity of its build. The zero value is no record.
type CodeView struct {
	Kind      CodeViewKind
	Signature uint32 // the value that determined Kind
	GUID      GUID   // of PDB70; of an ELF: the start of its build id
	Stamp     uint32 // of PDB20: seconds since 1970
	Age       uint32 // of both
	File      string // of both: path of the PDB
	BuildID   []byte // of an ELF: the contents of its build id note
	Raw       []byte // of an unknown record
}

// CodeViewKind is the format of a debug record.
type CodeViewKind uint8

// Formats of debug records.
const (
	NoCodeView CodeViewKind = iota
	PDB70
	PDB20
	ELFBuildID
	UnknownCodeView
)

// String names the format.
func (k CodeViewKind) String() string {
	return [...]string{"none", "PDB 7.0", "PDB 2.0", "ELF build id", "unknown"}[min(k, UnknownCodeView)]
}

func (s *section) codeView(loc Location) (CodeView, error) {
	if loc.Size == 0 {
		return CodeView{}, nil
	}
	data, err := s.text.bytes("debug record", loc)
	if err != nil {
		return CodeView{}, err
	}
	return parseCodeView(s.f.cursor("debug record", offset(loc.RVA), data), data)
}

// ReadCodeView reads a record of an image in memory.
func ReadCodeView(data []byte) (CodeView, error) {
	return parseCodeView(bin.NewCursor("debug record", 0, data), data)
}

func parseCodeView(c *bin.Cursor, data []byte) (CodeView, error) {
	c.Names("CvSignature")
	var cv CodeView
	sig := c.U32()
	switch sig {
	case format.CodeViewPDB70:
		c.Names("Signature.Data1 Signature.Data2 Signature.Data3 Signature.Data4 Age PdbFileName")
		cv = CodeView{Kind: PDB70, GUID: ReadGUID(c), Age: c.U32()}
		cv.File = cstring(c.Bytes(c.Len()))
	case format.CodeViewPDB20:
		c.Names("CvOffset Signature Age PdbFileName")
		c.Skip(4) // offset, always 0
		cv = CodeView{Kind: PDB20, Stamp: c.U32(), Age: c.U32()}
		cv.File = cstring(c.Bytes(c.Len()))
	case format.CodeViewELF:
		c.Names("BuildId")
		cv = CodeView{Kind: ELFBuildID, BuildID: c.Bytes(c.Len())}
		cv.GUID = elfGUID(cv.BuildID, c.Order())
	default:
		cv = CodeView{Kind: UnknownCodeView, Raw: data}
	}
	if c.Err() != nil {
		return CodeView{Kind: UnknownCodeView, Signature: sig, Raw: data}, c.Err()
	}
	cv.Signature = sig
	return cv, nil
}

// DebugID returns the record's debug ID as Breakpad writes it: the GUID and the age, or the time
// stamp and the age, in hex. The age has no leading zeros and lower case letters. An ELF has the
// first 16 bytes of its build ID, in the order of a GUID, and age 0. DebugID is "" if there is no
// identity.
func (cv *CodeView) DebugID() string {
	switch cv.Kind {
	case PDB70:
		if cv.GUID != (GUID{}) {
			return fmt.Sprintf("%s%x", cv.GUID, cv.Age)
		}
	case PDB20:
		return fmt.Sprintf("%08X%x", cv.Stamp, cv.Age)
	case ELFBuildID:
		// Mapped fonts and .jar files have build IDs of zeros, or empty ones.
		if !zero(cv.BuildID) {
			return cv.GUID.String() + "0"
		}
	}
	return ""
}

// ParseDebugID returns the record of a debug ID that is a GUID and an age.
func ParseDebugID(text string) (CodeView, bool) {
	const guid = 32
	cv := CodeView{Kind: PDB70}
	if len(text) <= guid || len(text) > guid+8 {
		return cv, false
	}
	var part []uint64
	for _, s := range []string{text[:8], text[8:12], text[12:16], text[16:guid], text[guid:]} {
		v, err := strconv.ParseUint(s, 16, 64)
		if err != nil {
			return cv, false
		}
		part = append(part, v)
	}
	cv.GUID = GUID{Data1: uint32(part[0]), Data2: uint16(part[1]), Data3: uint16(part[2])}
	binary.BigEndian.PutUint64(cv.GUID.Data4[:], part[3])
	cv.Age = uint32(part[4])
	return cv, true
}

func zero(b []byte) bool {
	for _, v := range b {
		if v != 0 {
			return false
		}
	}
	return true
}

// A GUID is 16 bytes. The first eight are three numbers in the file's byte order.
type GUID struct {
	Data1 uint32
	Data2 uint16
	Data3 uint16
	Data4 [8]byte
}

// ReadGUID reads a GUID.
func ReadGUID(c *bin.Cursor) GUID {
	g := GUID{Data1: c.U32(), Data2: c.U16(), Data3: c.U16()}
	copy(g.Data4[:], c.Bytes(8))
	return g
}

// Append appends the bytes that [ReadGUID] reads.
func (g GUID) Append(to []byte, order binary.AppendByteOrder) []byte {
	to = order.AppendUint16(order.AppendUint16(order.AppendUint32(to, g.Data1), g.Data2), g.Data3)
	return append(to, g.Data4[:]...)
}

// String returns the GUID as 32 upper case hex digits.
func (g GUID) String() string {
	return fmt.Sprintf("%08X%04X%04X%X", g.Data1, g.Data2, g.Data3, g.Data4)
}

// Dashed returns the GUID with dashes: 8-4-4-4-12 lower case hex digits.
func (g GUID) Dashed() string {
	return fmt.Sprintf("%08x-%04x-%04x-%x-%x", g.Data1, g.Data2, g.Data3, g.Data4[:2], g.Data4[2:])
}

// elfGUID makes a GUID of a build ID's beginning, as Breakpad did before it had records for build
// IDs. It pads short ones with zeros.
func elfGUID(id []byte, order binary.ByteOrder) GUID {
	var b [16]byte
	copy(b[:], id)
	return ReadGUID(bin.NewOrderedCursor("build id", 0, b[:], order))
}
