package dwarf

// Supplement adds the sections of the file that .gnu_debugaltlink or
// .debug_sup names: what dwz found in several files (section 7.3.6). It must
// come before the first question.
func (f *File) Supplement(sections Sections) {
	f.main.extra = f.newGroup(sections)
}

// AddSplit adds the sections of a .dwo file, or of a .dwp file with many of
// them (section 7.3.5). Their names are those of other sections, without
// ".dwo". It must come before the first question.
func (f *File) AddSplit(sections Sections) {
	f.parts = append(f.parts, f.newGroup(sections))
}

// readSupplementary reads the headers of units in supplementary and split files.
func (f *File) readSupplementary() error {
	if extra := f.main.extra; extra != nil {
		if err := extra.readUnits(f.progress); err != nil {
			return err
		}
	}
	f.split = map[uint64]*unit{}
	for _, g := range f.parts {
		if err := g.readPackage(); err != nil {
			f.note("%v", err)
		}
		if err := g.readUnits(f.progress); err != nil {
			return err
		}
		for _, u := range g.units {
			if f.split[u.id] == nil && u.id != 0 {
				f.split[u.id] = u
			}
		}
	}
	return nil
}
