package crash

import (
	"fmt"
	"strings"

	"crashglass/core/module"
)

// findModules finds whose code crashed: the first frame outside the system's modules, and a module
// that belongs neither to the system nor to the program.
func (s *state) findModules() {
	if len(s.in.Frames) == 0 {
		return
	}
	s.findUnloadedFrame()
	top := &s.in.Frames[0]
	if top.Guess {
		s.add(Finding{Kind: UntrustedStack, Text: "Stack is a guess", Confidence: 1,
			Evidence: []string{"The innermost frame was found by scanning the stack for something like a return address."}})
	}
	i := firstOwn(s.in, 0)
	if i < 0 {
		return
	}
	own := &s.in.Frames[i]
	if i > 0 && s.isSystem(top) && (s.in.Exception != nil || s.in.Requested || s.in.Debugger != "") {
		s.add(Finding{Kind: FirstOwn, Text: "First own code: " + own.name(), Confidence: ownConfidence(own), Evidence: []string{
			s.innermost() + ", which belongs to the system; this is the first frame outside the system's code and the code that ends programs."}})
	}
	s.findForeign(own)
}

// ownConfidence: every frame behind a scanned one is a guess.
func ownConfidence(f *Frame) float32 {
	if f.Guess {
		return 0.5
	}
	return 1
}

// findForeign recognizes a module that neither belongs to the system nor was installed with the
// program: a plug-in, a driver's library, an injected library.
func (s *state) findForeign(f *Frame) {
	mods := s.in.Modules.Modules()
	if f.ModuleIndex >= len(mods) || s.in.Main < 0 || s.in.Main >= len(mods) || f.ModuleIndex == s.in.Main {
		return
	}
	file, program := mods[f.ModuleIndex].CodeFile, mods[s.in.Main].CodeFile
	home := folder(program)
	if home == "" || folder(file) == "" || s.in.OS != "windows" && s.in.OS != "mac" || isBelow(file, home, s.in.OS) {
		return
	}
	s.add(Finding{Kind: ForeignModule, Text: "Third-party module: " + module.Basename(file), Confidence: 0.7, Evidence: []string{
		fmt.Sprintf("%s belongs neither to the system nor is it below %s, the program's folder: a plug-in, or an injected library.", file, home)}})
}

// isBelow reports whether a file is below the program's folder or, on macOS, below its bundle.
func isBelow(file, home, os string) bool {
	if i := strings.Index(home, ".app/"); i >= 0 && os == "mac" {
		home = home[:i+len(".app")]
	}
	return len(file) > len(home) && strings.EqualFold(file[:len(home)], home) && strings.ContainsAny(file[len(home):len(home)+1], `/\`)
}

// folder returns a path without its last element and separator.
func folder(path string) string {
	if i := strings.LastIndexAny(path, `/\`); i > 0 {
		return path[:i]
	}
	return ""
}

// findUnloadedFrame looks for a frame in an unloaded module.
func (s *state) findUnloadedFrame() {
	if s.has(UnloadedCode) {
		return
	}
	for i := range s.in.Frames[:min(len(s.in.Frames), 2)] {
		f := &s.in.Frames[i]
		if f.Unloaded == "" || f.ModuleIndex >= 0 {
			continue
		}
		s.add(Finding{Kind: UnloadedCode, Text: "Unloaded module: " + f.Unloaded, Confidence: 0.8, Evidence: []string{
			fmt.Sprintf("Frame %d is at %s, where %s was loaded before.", i, hex(f.Address), f.Unloaded)}})
		return
	}
}
