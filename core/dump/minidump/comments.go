package minidump

import "errors"

// Numbers of the streams that this file reads.
const (
	CommentAStream StreamType = 10
	CommentWStream StreamType = 11
)

// Comments returns the text that a user or a program attached, the wide one first. Windows Error
// Reporting and ProcDump write their command line and the reason there.
func (f *File) Comments() ([]string, error) {
	var texts []string
	var d damage
	for _, read := range []func() (string, error){f.CommentW, f.CommentA} {
		text, err := read()
		if errors.Is(err, ErrNoStream) {
			continue
		}
		d.merge(err)
		texts = append(texts, text)
	}
	if texts == nil {
		_, err := f.section(CommentWStream)
		return nil, err
	}
	return texts, d.err()
}

// CommentA reads stream 10, CommentStreamA.
func (f *File) CommentA() (string, error) {
	data, err := f.Stream(CommentAStream)
	return cstring(data), err
}

// CommentW reads stream 11, CommentStreamW.
func (f *File) CommentW() (string, error) {
	data, err := f.Stream(CommentWStream)
	return fixedUTF16(data, f.order), err
}
