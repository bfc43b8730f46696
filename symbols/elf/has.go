package elf

// HasNames implements unwind.Rules: symbol tables name all code.
func (f *File) HasNames() bool { return true }

// HasCode implements unwind.Rules: a file that has the beginning of the image
// has its code.
func (f *File) HasCode() bool { return f.ReadImage(0, make([]byte, 1)) > 0 }
