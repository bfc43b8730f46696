// Package profiler answers the queries of profilers, such as the Firefox Profiler, for symbols, source files and machine code: Tecken's
// interface for symbols (https://tecken.readthedocs.io/en/latest/symbolication.html) with the fields that samply adds to it, and samply's
// interfaces for sources and code (its crate samply-api).
//
// It has no network: a server passes it paths and JSON. Read this file first, then symbolicate.go, source.go and code.go.
package profiler

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"crashglass/core/process"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/stack/symbolize"
	"crashglass/symbols"
)

// A Server answers queries.
type Server struct {
	Symbols *symbols.Store
	Sources []Folder // the folders whose files may be read
}

// A Folder is a folder of source files.
type Folder struct {
	Path  string // absolute, with slashes
	Files fs.FS
}

// ErrMalformed is the error for a request that is not of the interface.
var ErrMalformed = errors.New("malformed request")

// queries are the interfaces by their paths. Version 6 of the first is version 5 with the fields that samply adds.
var queries = map[string]func(s *Server, body []byte) (any, error){
	"/symbolicate/v5": query((*Server).symbolicate),
	"/symbolicate/v6": query((*Server).symbolicate),
	"/source/v1":      query((*Server).source),
	"/asm/v1":         query((*Server).code),
}

// Answers reports whether a path is that of an interface.
func Answers(path string) bool { return queries[path] != nil }

// Answer answers a request for a path that Answers knows. Errors are for the JSON that profilers show.
func (s *Server) Answer(path string, body []byte) (any, error) { return queries[path](s, body) }

func query[Q, R any](answer func(*Server, *Q) (R, error)) func(*Server, []byte) (any, error) {
	return func(s *Server, body []byte) (any, error) {
		var q Q
		if err := json.Unmarshal(body, &q); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrMalformed, err)
		}
		return answer(s, &q)
	}
}

// A library names a module, as far as a profile knows it.
type library struct {
	Name      string `json:"name"` // of the file with the code
	CodeID    string `json:"codeId"`
	DebugName string `json:"debugName"`
	DebugID   string `json:"debugId"`
}

type binary struct {
	symbols.Source
	os   process.OS
	arch string
}

func (s *Server) open(l library) (*binary, error) {
	m := module.Module{CodeFile: l.Name, CodeID: strings.ToLower(l.CodeID), DebugFile: l.DebugName, DebugID: strings.ToUpper(l.DebugID)}
	if m.CodeFile == "" {
		m.CodeFile = m.DebugFile
	}
	source, state := s.Symbols.For(&m)
	switch {
	case source != nil && state.State != report.SymbolsWrongBuild:
	case state.Why != nil:
		return nil, errors.New(*state.Why)
	default:
		return nil, fmt.Errorf("there are no symbols of %s %s", l.DebugName, l.DebugID)
	}
	b := &binary{Source: source, arch: s.Symbols.Arch(&m)}
	if strings.HasSuffix(strings.ToLower(l.DebugName), ".pdb") {
		b.os = process.Windows
	}
	return b, nil
}

// locate finds the symbol at an offset, and its name, which has a mark if it may be that of another function; it is "" for none.
func (b *binary) locate(rel uint64) (loc symbolize.Location, name string) {
	loc, ok := b.Locate(rel)
	if !ok {
		return loc, ""
	}
	setting := symbolize.Setting{OS: b.os}
	if frame, ok := b.CallFrame(rel); ok && loc.Public {
		setting.Rules = &symbolize.Extent{Start: frame.Start, Size: frame.Size}
	}
	switch certainty := loc.Certainty(rel, setting); {
	case certainty.Certain():
		return loc, loc.Function
	case certainty.Named():
		return loc, symbolize.Mark + loc.Function
	}
	return loc, ""
}

func hex(v uint64) string { return fmt.Sprintf("%#x", v) }

// An offset is a number that JSON has in hex, with the prefix 0x.
type offset uint64

// UnmarshalText implements encoding.TextUnmarshaler.
func (o *offset) UnmarshalText(text []byte) error {
	digits, ok := strings.CutPrefix(string(text), "0x")
	v, err := strconv.ParseUint(digits, 16, 64)
	if !ok || err != nil {
		return fmt.Errorf("%q is no number in hex", text)
	}
	*o = offset(v)
	return nil
}
