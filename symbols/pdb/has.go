package pdb

// HasNames implements unwind.Rules: functions and public symbols name all code.
func (f *File) HasNames() bool { return true }

// HasCode implements unwind.Rules: a PDB has none.
func (f *File) HasCode() bool { return false }
