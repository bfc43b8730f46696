package symbols

import (
	"crashglass/core/base/bin"
	"crashglass/core/stack/symbolize"
	"crashglass/symbols/formats/r8"
	"crashglass/symbols/formats/sniff"
)

// mappings are where a folder may have a mapping: in itself, and where Gradle writes it if the folder is the output of a build, a module or a project.
var mappings = [...]string{"mapping.txt", "outputs/mapping/release/mapping.txt", "build/outputs/mapping/release/mapping.txt", "app/build/outputs/mapping/release/mapping.txt"}

// findJava keeps the mappings of a folder, once.
func (s *Store) findJava(d *folder) {
	if d.java {
		return
	}
	d.java = true
	for _, at := range mappings {
		if p, ok := d.resolve(at); ok && !d.isDir(p) {
			if src, err := d.source(p); err == nil {
				s.keepJava(sniff.Text, src)
			}
		}
	}
}

// keepJava keeps a mapping of R8 or ProGuard, and reports whether the file is one.
func (s *Store) keepJava(k sniff.Kind, src bin.Source) bool {
	head, err := src.ReadUpTo("mapping", 0, memberHead)
	if err != nil || !isJava(k, head) {
		return false
	}
	data, err := src.ReadUpTo("mapping", 0, r8.MaxFile)
	if err == nil {
		s.java = append([]*r8.Map{r8.Parse(string(data))}, s.java...)
	}
	return err == nil
}

// isJava reports whether a file is a mapping, by its kind and its beginning. An Android App Bundle has it as proguard.map.
func isJava(k sniff.Kind, head []byte) bool { return k == sniff.Text && r8.IsMapping(head) }

// Retrace returns the calls that a frame of shortened Java is, the innermost first, or nil.
func (s *Store) Retrace(function string, line uint32) []symbolize.Inline {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, d := range s.folders {
		s.findJava(d)
	}
	for _, m := range s.java {
		if calls := m.Retrace(function, line); calls != nil {
			return calls
		}
	}
	return nil
}
