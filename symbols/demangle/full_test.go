package demangle

// Full returns everything that a linkage name says: for Microsoft's names
// exactly what LLVM's undname writes, with access, calling convention and
// result; for Itanium's what c++filt writes.
func Full(linkage string) (string, error) {
	return read(linkage, false)
}
