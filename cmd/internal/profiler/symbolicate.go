package profiler

import (
	"fmt"

	"crashglass/core/stack/symbolize"
)

// A symbolicateRequest has jobs, or is the only one.
type symbolicateRequest struct {
	Jobs []job `json:"jobs"`
	job
}

// A job has stacks of frames, each with the index of a module and an offset in it.
type job struct {
	MemoryMap [][2]string  `json:"memoryMap"` // debug name and debug ID
	Stacks    [][][2]int64 `json:"stacks"`
}

type symbolicateResponse struct {
	Results []result `json:"results"`
}

type result struct {
	Stacks [][]frame `json:"stacks"`
	// FoundModules says by NAME/ID whether there are symbols; null for a module without a frame.
	FoundModules map[string]*bool         `json:"found_modules"`
	ModuleErrors map[string][]moduleError `json:"module_errors,omitempty"`
}

type moduleError struct {
	Name    string `json:"name"`
	Message string `json:"message"`
}

type frame struct {
	Frame          int    `json:"frame"`
	Module         string `json:"module"`
	ModuleOffset   string `json:"module_offset"`
	Function       string `json:"function,omitempty"`
	FunctionOffset string `json:"function_offset,omitempty"`
	FunctionSize   string `json:"function_size,omitempty"`
	place
	Inlines []inline `json:"inlines,omitempty"` // innermost first
}

type inline struct {
	Function string `json:"function,omitempty"`
	place
}

type place struct {
	File string `json:"file,omitempty"`
	Line uint32 `json:"line,omitempty"`
}

const mostFrames = 1 << 20

// unknown is the name of a frame's module whose index is negative.
const unknown = "<unknown>"

func (s *Server) symbolicate(q *symbolicateRequest) (*symbolicateResponse, error) {
	if q.Jobs == nil && q.Stacks == nil {
		return nil, fmt.Errorf("%w: it has neither jobs nor stacks", ErrMalformed)
	}
	if q.Jobs == nil {
		q.Jobs = []job{q.job}
	}
	frames := 0
	for _, j := range q.Jobs {
		for _, stack := range j.Stacks {
			frames += len(stack)
		}
	}
	if frames > mostFrames {
		return nil, fmt.Errorf("%w: %d frames, at most %d are allowed", ErrMalformed, frames, mostFrames)
	}
	out := &symbolicateResponse{Results: []result{}}
	for i := range q.Jobs {
		r, err := s.one(&q.Jobs[i])
		if err != nil {
			return nil, err
		}
		out.Results = append(out.Results, r)
	}
	return out, nil
}

// one names the frames of one job. Each module is opened once, when a frame needs it.
func (s *Server) one(j *job) (result, error) {
	out := result{Stacks: [][]frame{}, FoundModules: map[string]*bool{}, ModuleErrors: map[string][]moduleError{}}
	opened := make([]*binary, len(j.MemoryMap))
	for _, m := range j.MemoryMap {
		out.FoundModules[keyOf(m)] = nil
	}
	open := func(i int64) *binary {
		key := keyOf(j.MemoryMap[i])
		if out.FoundModules[key] == nil || opened[i] == nil && *out.FoundModules[key] {
			b, err := s.open(library{DebugName: j.MemoryMap[i][0], DebugID: j.MemoryMap[i][1]})
			found := err == nil
			opened[i], out.FoundModules[key] = b, &found
			if err != nil {
				out.ModuleErrors[key] = []moduleError{{"NoSymbols", err.Error()}}
			}
		}
		return opened[i]
	}
	for _, stack := range j.Stacks {
		frames := make([]frame, len(stack))
		for i, at := range stack {
			f := frame{Frame: i, Module: unknown, ModuleOffset: hex(uint64(at[1]))}
			switch {
			case at[0] >= int64(len(j.MemoryMap)):
				return out, fmt.Errorf("%w: module %d of %d", ErrMalformed, at[0], len(j.MemoryMap))
			case at[1] < 0:
				return out, fmt.Errorf("%w: offset %d", ErrMalformed, at[1])
			case at[0] >= 0:
				f.Module = j.MemoryMap[at[0]][0]
				if b := open(at[0]); b != nil {
					b.name(&f, uint64(at[1]))
				}
			}
			frames[i] = f
		}
		out.Stacks = append(out.Stacks, frames)
	}
	return out, nil
}

func keyOf(m [2]string) string { return m[0] + "/" + m[1] }

func (b *binary) name(f *frame, rel uint64) {
	loc, name := b.locate(rel)
	if name == "" {
		return
	}
	f.Function, f.FunctionOffset = name, hex(rel-loc.Start)
	if loc.Size > 0 && !loc.Public {
		f.FunctionSize = hex(loc.Size)
	}
	f.place = place{loc.File, loc.Line}
	for _, in := range loc.Inlines {
		f.Inlines = append(f.Inlines, inline{in.Function, place{in.File, in.Line}})
	}
}

func filesOf(loc *symbolize.Location) []string {
	out := []string{loc.File}
	for _, in := range loc.Inlines {
		out = append(out, in.File)
	}
	return out
}
