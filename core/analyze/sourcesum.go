package analyze

// A Summer is the symbols of a module that have checksums of source files: "MD5", "SHA1" or "SHA256" and the bytes, "" for none.
type Summer interface {
	SourceSum(rel uint64, file string) (algorithm string, sum []byte)
}

// SourceSum returns the checksum that matching symbols of a module have of a source file, by the name that frames have of it. The code at an offset
// of the module is compiled from it.
func SourceSum(s *Session, syms Symbols, module int, rel uint64, file string) (algorithm string, sum []byte) {
	modules := s.modules.Modules()
	if module < 0 || module >= len(modules) {
		return "", nil
	}
	known := newLookup(syms).of(&modules[module])
	if of, ok := known.source.(Summer); ok && known.matches() {
		return of.SourceSum(rel, file)
	}
	return "", nil
}
