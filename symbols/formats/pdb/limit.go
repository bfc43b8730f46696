package pdb

// Limit says which data an undamaged PDB lacks by design, and what to do, as the end of a sentence
// about the file; "" if none.
func (f *File) Limit() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.info.mini:
		return "was linked with /DEBUG:FASTLINK: functions and lines are in the object files; link with /DEBUG:FULL, or complete it with mspdbcmf"
	case f.managed():
		return "describes .NET code, which has no addresses before it runs: only a .NET debugger can use it"
	}
	return ""
}

// managedModules is how many modules are looked at for .NET code. Compilers of
// .NET write one for each class.
const managedModules = 16

// managed reports whether the PDB is that of an assembly without native code:
// it has functions with tokens instead of addresses (S_GMANPROC), and no list
// of the image's sections.
func (f *File) managed() bool {
	if len(f.addr.image) > 0 {
		return false
	}
	for i := range managedModules {
		if _, ok := f.mod(i); ok && f.unit(i).managed {
			return true
		}
	}
	return false
}
