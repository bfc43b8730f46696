package profiler

import (
	"fmt"

	"crashglass/core/machine/cpu"
	"crashglass/core/machine/disasm"
)

type codeRequest struct {
	library
	StartAddress             offset `json:"startAddress"`
	Size                     offset `json:"size"`
	ContinueUntilFunctionEnd bool   `json:"continueUntilFunctionEnd"`
}

type codeResponse struct {
	StartAddress string   `json:"startAddress"`
	Size         string   `json:"size"`
	Arch         string   `json:"arch"`
	Syntax       []string `json:"syntax"`
	Instructions [][2]any `json:"instructions"` // the distance from the start, and the text
}

// mostCode bounds the bytes of code in an answer.
const mostCode = 1 << 20

// A dialect is the name of a CPU in samply, and that of the syntax of its instructions here. Code of 32-bit ARM may be Thumb, which symbols
// do not say.
type dialect struct{ arch, syntax string }

var dialects = map[string]dialect{
	cpu.AMD64.Name: {"x86_64", "Intel"}, cpu.X86.Name: {"i686", "Intel"}, cpu.ARM64.Name: {"aarch64", "ARM"},
}

// code decodes the instructions from an offset on, whole ones as in samply: the last may end behind the size.
func (s *Server) code(q *codeRequest) (*codeResponse, error) {
	b, err := s.open(q.library)
	if err != nil {
		return nil, err
	}
	start, size := uint64(q.StartAddress), uint64(q.Size)
	if loc, name := b.locate(start); q.ContinueUntilFunctionEnd && name != "" && start-loc.Start < loc.Size {
		size = max(size, loc.Size-(start-loc.Start))
	}
	arch, as := cpu.ByName(b.arch), dialects[b.arch]
	switch {
	case size > mostCode:
		return nil, fmt.Errorf("%d bytes of code were requested, at most %d are allowed", size, mostCode)
	case arch == nil || as == dialect{}:
		return nil, fmt.Errorf("code of the CPU %q is not decoded", b.arch)
	}
	start -= start % arch.Align
	data := make([]byte, size+disasm.MaxLen)
	data = data[:b.ReadImage(start, data)]
	if len(data) == 0 {
		return nil, fmt.Errorf("no file has the code at %s", hex(start))
	}
	out := &codeResponse{StartAddress: hex(start), Arch: as.arch, Syntax: []string{as.syntax}, Instructions: [][2]any{}}
	at := uint64(0)
	for at < size && at < uint64(len(data)) {
		inst, ok := disasm.Decode(arch, data[at:], start+at)
		text, n := "", uint64(inst.Len)
		if ok {
			text = disasm.Line(&inst, b.target)
		} else {
			n = min(arch.Align, uint64(len(data))-at)
			text = fmt.Sprintf(".byte % #x", data[at:at+n])
		}
		out.Instructions = append(out.Instructions, [2]any{at, text})
		at += n
	}
	out.Size = hex(at)
	return out, nil
}

// target names where a branch goes.
func (b *binary) target(rel uint64) string {
	loc, name := b.locate(rel)
	if name != "" && rel > loc.Start {
		name += "+" + hex(rel-loc.Start)
	}
	return name
}
