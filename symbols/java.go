package symbols

import (
	"path"

	"crashglass/core/base/bin"
	"crashglass/core/stack/symbolize"
	"crashglass/symbols/formats/r8"
	"crashglass/symbols/formats/sniff"
)

// outputs are the folders that Gradle writes the mappings of all builds to, if a folder is the output of a build, a module or a project. That of a
// build is in mapping/release, or mapping/freeRelease.
var outputs = [...]string{"mapping", "outputs/mapping", "build/outputs/mapping", "app/build/outputs/mapping"}

// findJava keeps the mappings of a folder, once.
func (s *Store) findJava(d *folder) {
	if d.java {
		return
	}
	d.java = true
	s.findMapping(d, ".")
	for _, at := range outputs {
		if p, ok := d.resolve(at); ok && d.isDir(p) && !s.findMapping(d, path.Join(p, "release")) {
			if builds := d.withMapping(p); len(builds) == 1 { // of several, none says whether a report is its own, and all use the same short names
				s.findMapping(d, builds[0])
			}
		}
	}
}

// findMapping keeps the mapping in a folder of a folder, and reports whether there is one.
func (s *Store) findMapping(d *folder, in string) bool {
	p, ok := d.resolve(path.Join(in, mapping))
	if !ok || d.isDir(p) {
		return false
	}
	src, err := d.source(p)
	return err == nil && s.keepJava(sniff.Text, src)
}

const mapping = "mapping.txt"

// withMapping returns up to two of the folders in a folder that have a mapping.
func (d *folder) withMapping(in string) (out []string) {
	for _, build := range d.list(in).dirs {
		if p, ok := d.resolve(path.Join(in, build, mapping)); ok && !d.isDir(p) && len(out) < 2 {
			out = append(out, path.Dir(p))
		}
	}
	return out
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
