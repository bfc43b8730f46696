package minidump

import "crashglass/core/dump/minidump/format"

// Numbers of the streams that this file reads.
const (
	FunctionTableStream StreamType = 13
	TokenStream         StreamType = 19
)

// A Token is the access token of the process or of a thread.
type Token struct {
	ID     uint32 // of the process or thread
	Handle uint64
	Data   []byte // the bytes behind the header, whose format is not documented
}

// Tokens reads stream 19, TokenStream.
//
// Source: minidumpapiset.h, MINIDUMP_TOKEN_INFO_LIST.
func (f *File) Tokens() ([]Token, error) {
	s, err := f.section(TokenStream)
	if err != nil {
		return nil, err
	}
	s.Names("TokenListSize TokenListEntries ListHeaderSize ElementHeaderSize newer_fields")
	s.Skip(4) // size of the list, which the directory has too
	at := s.Offset()
	count, head := s.U32(), s.U32()
	s.Skip(4) // size of a token's header
	if skip := int64(head) - 16; skip > 0 {
		s.Skip(int(skip))
	}
	n := s.clip(at, uint64(count), format.TokenHeaderSize)
	tokens := make([]Token, 0, n)
	for range n {
		t, ok := s.token()
		if !ok {
			break
		}
		tokens = append(tokens, t)
	}
	return tokens, s.err()
}

// token reads one token, whose size includes its header.
func (s *section) token() (Token, bool) {
	at := s.Offset()
	s.Record("token", "TokenSize TokenId TokenHandle Data")
	size := s.U32()
	t := Token{ID: s.U32(), Handle: s.U64()}
	if s.Cursor.Err() != nil {
		return t, false
	}
	if size < format.TokenHeaderSize || int64(size-format.TokenHeaderSize) > int64(s.Len()) {
		s.damagef(at, "token size %d is not in 16 to %d", size, s.Len()+format.TokenHeaderSize)
		return t, false
	}
	t.Data = s.Bytes(int(size - format.TokenHeaderSize))
	return t, true
}

// A FunctionTable is unwind information for code that the program generated at run time, registered
// with RtlAddFunctionTable or a similar function.
type FunctionTable struct {
	First, Last, Base uint64 // the addresses of its code, and the base of its entries
	Native            []byte // the system's own descriptor
	EntrySize         int
	Entries           []byte // RUNTIME_FUNCTION, EntrySize bytes each
}

// FunctionTables reads stream 13, FunctionTable.
//
// Spec: https://learn.microsoft.com/windows/win32/api/minidumpapiset/ns-minidumpapiset-minidump_function_table_stream
func (f *File) FunctionTables() ([]FunctionTable, error) {
	s, err := f.section(FunctionTableStream)
	if err != nil {
		return nil, err
	}
	s.Names("SizeOfHeader SizeOfDescriptor SizeOfNativeDescriptor SizeOfFunctionEntry NumberOfDescriptors SizeOfAlignPad padding")
	head, descriptor, native, entry := s.U32(), s.U32(), s.U32(), s.U32()
	at := s.Offset()
	count, pad := s.U32(), s.U32()
	if s.Cursor.Err() != nil {
		return nil, s.err()
	}
	const headSize = 24
	if head < headSize || descriptor < format.FunctionTableSize {
		s.damagef(s.at, "sizes %d of the header and %d of a descriptor are less than %d and %d", head, descriptor, headSize, format.FunctionTableSize)
		return nil, s.err()
	}
	s.skip(uint64(head) - headSize + uint64(pad))
	n := s.clip(at, uint64(count), format.FunctionTableSize)
	tables := make([]FunctionTable, 0, n)
	for range n {
		t := s.functionTable(int64(descriptor), native, entry)
		if s.Cursor.Err() != nil {
			break
		}
		tables = append(tables, t)
	}
	return tables, s.err()
}

func (s *section) functionTable(descriptor int64, native, entry uint32) FunctionTable {
	s.Record("function table", "MinimumAddress MaximumAddress BaseAddress EntryCount SizeOfAlignPad")
	t := FunctionTable{First: s.U64(), Last: s.U64(), Base: s.U64(), EntrySize: int(entry)}
	count, pad := s.U32(), s.U32()
	s.Names("newer_fields")
	s.skip(uint64(descriptor - format.FunctionTableSize))
	s.Names("NativeDescriptor")
	t.Native = s.take(uint64(native))
	s.Names("FunctionEntries")
	t.Entries = s.take(uint64(count) * uint64(entry))
	s.Names("padding")
	s.skip(uint64(pad))
	return t
}

// take is Bytes for a size out of the file.
func (s *section) take(n uint64) []byte {
	if n > uint64(s.Len()) {
		s.Fail("need %d bytes, have %d", n, s.Len())
		return nil
	}
	return s.Bytes(int(n))
}

// skip is Skip for a size out of the file.
func (s *section) skip(n uint64) { s.take(n) }
