package analyze

import (
	"cmp"
	"fmt"

	"crashglass/core/crash"
	"crashglass/core/report"
)

// fileState describes how much of the dump exists. The verdict uses it for a dump without a cause.
func (s *Session) fileState() crash.File {
	f := crash.File{Size: s.file.Origin.Size, Need: s.file.Origin.Need, Threads: len(s.threads), System: s.sys != nil}
	if f.Need > 0 {
		return f
	}
	known, beyond, need := s.directory()
	switch total := len(s.base.Streams); {
	case beyond > 0 && 2*known > total && need/truncatedAtMost < f.Size:
		f.Need = need
	case beyond > 0:
		f.Defect = fmt.Sprintf("%d of %d streams lie beyond the end of the file", beyond, total)
	default:
		f.Defect = s.firstDefect()
	}
	return f
}

// truncatedAtMost bounds the original size of a truncated file, as a multiple of the present size.
// An entry that points further is damaged.
const truncatedAtMost = 4096

// noteTruncated records how much of the file is missing.
func (s *Session) noteTruncated() {
	if f := s.fileState(); f.Need > f.Size {
		s.notes.odd("dump", fmt.Sprintf("is truncated, or an entry of its %s is damaged: %d of at least %d bytes", cmp.Or(s.file.Origin.Table, "directory"), f.Size, f.Need))
	}
}

// directory counts the streams of known types, and those that reach beyond the end of the file. It
// also returns how far the streams of known types reach.
func (s *Session) directory() (known, beyond int, need int64) {
	for _, d := range s.base.Streams {
		if d.Error != nil {
			beyond++
		}
		if d.Name == "" {
			continue
		}
		known++
		need = max(need, d.Offset+int64(d.Size))
	}
	return known, beyond, need
}

// firstDefect returns the first note with an offset. Notes without one are about information that
// the writer left out.
func (s *Session) firstDefect() string {
	for _, n := range s.notes.all() {
		if n.Offset != nil {
			return fmt.Sprintf("%s at %#x: %s", n.Where, *n.Offset, n.Text)
		}
	}
	return ""
}

// crashAnnotations are the annotations in package crash's form.
func crashAnnotations(list []report.Annotation) []crash.Annotation {
	out := make([]crash.Annotation, 0, len(list))
	for _, a := range list {
		out = append(out, crash.Annotation{Name: a.Name, Value: a.Value})
	}
	return out
}
