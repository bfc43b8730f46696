package minidump

import "errors"

// Comments reads streams 10 and 11, CommentStreamA and CommentStreamW: text
// that a person or a program attached, the wide one first. Windows Error
// Reporting and ProcDump put their command line and the reason there.
func (f *File) Comments() ([]string, error) {
	var texts []string
	var d damage
	for _, t := range []StreamType{CommentWStream, CommentAStream} {
		data, err := f.Stream(t)
		if errors.Is(err, ErrNoStream) {
			continue
		}
		d.merge(err)
		text := cstring(data)
		if t == CommentWStream {
			text = fixedUTF16(data, f.order)
		}
		texts = append(texts, text)
	}
	if texts == nil {
		_, err := f.section(CommentWStream)
		return nil, err
	}
	return texts, d.err()
}
