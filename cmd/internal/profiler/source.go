package profiler

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

type sourceRequest struct {
	library
	ModuleOffset offset `json:"moduleOffset"`
	File         string `json:"file"` // as the answer to a query for symbols named it
}

type sourceResponse struct {
	SymbolsLastModified *string `json:"symbolsLastModified"` // unknown
	SourceLastModified  *string `json:"sourceLastModified"`  // unknown
	File                string  `json:"file"`
	Source              string  `json:"source"`
}

const largestSource = 16 << 20

// source returns a file that the symbols name at an offset. The author of the symbols may have named any file, so only files of
// the folders of sources are read.
func (s *Server) source(q *sourceRequest) (*sourceResponse, error) {
	b, err := s.open(q.library)
	if err != nil {
		return nil, err
	}
	loc, _ := b.locate(uint64(q.ModuleOffset))
	if q.File == "" || !slices.Contains(filesOf(&loc), q.File) {
		return nil, fmt.Errorf("the symbols name no file %q at %s", q.File, hex(uint64(q.ModuleOffset)))
	}
	text, err := s.read(q.File)
	if err != nil {
		return nil, err
	}
	return &sourceResponse{File: q.File, Source: strings.ToValidUTF8(text, "\uFFFD")}, nil
}

func (s *Server) read(file string) (string, error) {
	name := path.Clean(strings.ReplaceAll(file, `\`, "/"))
	for _, folder := range s.Sources {
		below, ok := strings.CutPrefix(name, strings.TrimSuffix(folder.Path, "/")+"/")
		if !ok || !fs.ValidPath(below) {
			continue
		}
		f, err := folder.Files.Open(below)
		if err != nil {
			continue
		}
		defer f.Close()
		if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
			return "", fmt.Errorf("%s is no regular file", file)
		}
		data, err := io.ReadAll(io.LimitReader(f, largestSource+1))
		if err == nil && len(data) > largestSource {
			err = fmt.Errorf("%s is larger than %d bytes", file, largestSource)
		}
		return string(data), err
	}
	return "", errors.New(file + " is in no folder of --source")
}
