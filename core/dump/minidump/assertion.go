package minidump

import (
	"fmt"
	"strings"
)

// AssertionInfoStream is the number of the stream that this file reads.
const AssertionInfoStream StreamType = 0x4767_0002

// An Assertion is MDRawAssertionInfo: a failed check of the C run-time library
// that Breakpad's Windows client caught.
type Assertion struct {
	Expression, Function, File string // often "": release builds do not have these texts
	Line                       uint32
	Type                       uint32
}

// The values of Assertion.Type: MD_ASSERTION_INFO_TYPE_INVALID_PARAMETER and
// MD_ASSERTION_INFO_TYPE_PURE_VIRTUAL_CALL.
const (
	InvalidParameter uint32 = 1
	PureVirtualCall  uint32 = 2
)

// Assertion reads stream 0x47670002, AssertionInfoStream.
//
// Source: Breakpad's minidump_format.h.
func (f *File) Assertion() (*Assertion, error) {
	s, err := f.section(AssertionInfoStream)
	if err != nil {
		return nil, err
	}
	text := func() string { return fixedUTF16(s.Bytes(2*128), f.order) }
	s.Names("expression function file line type")
	a := &Assertion{Expression: text(), Function: text(), File: text(), Line: s.U32(), Type: s.U32()}
	return a, s.err()
}

// text makes Breakpad's sentence from the known parts of an assertion.
func (a *Assertion) text() string {
	var b strings.Builder
	switch a.Type {
	case InvalidParameter:
		b.WriteString("Invalid parameter passed to library function")
	case PureVirtualCall:
		b.WriteString("Pure virtual function called")
	default:
		fmt.Fprintf(&b, "Assertion of type %d failed", a.Type)
	}
	if a.Expression != "" {
		fmt.Fprintf(&b, " %s", a.Expression)
	}
	if a.Function != "" {
		fmt.Fprintf(&b, " in function %s", a.Function)
	}
	if a.File != "" {
		fmt.Fprintf(&b, ", in file %s", a.File)
	}
	if a.Line != 0 {
		fmt.Fprintf(&b, " at line %d", a.Line)
	}
	return b.String()
}
