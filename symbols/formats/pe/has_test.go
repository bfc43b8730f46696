package pe

// HasFrames reports, for tests, whether there are rules for unwinding.
func (f *File) HasFrames() bool { return len(f.functions().entries) > 0 || f.frames() != nil }
