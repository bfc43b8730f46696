package analyze

import (
	"slices"
	"strings"

	"crashglass/core/process/module"
	"crashglass/core/report"
)

// crashInfo returns what a library of Apple's systems said about the program's end in its section __crash_info, of which Mozilla's programs
// write a stream.
func crashInfo(r *report.Report) string {
	var all []string
	if r.MacCrashInfo != nil {
		for i := range r.MacCrashInfo.Records {
			all = append(all, report.Text(r.MacCrashInfo.Records[i].Message), report.Text(r.MacCrashInfo.Records[i].Message2))
		}
	}
	return firstReason(all)
}

// crashInfoOf returns the same from Crashpad's list of texts of a module, or from captured memory.
func (s *Session) crashInfoOf(r *report.Report) string {
	if !s.p.OS().IsApple() {
		return ""
	}
	var all []string
	for _, a := range r.Annotations {
		if a.Name == "" && a.Module != nil {
			all = append(all, a.Value)
		}
	}
	for i := range s.modules.Modules()[:min(len(s.modules.Modules()), mostImages)] {
		all = append(all, s.imageMessages(&s.modules.Modules()[i])...)
	}
	if m := firstReason(all); m != abortMessage { // which says nothing that the signal does not
		return m
	}
	return ""
}

// firstReason returns the first message that may be a reason. abort itself says "abort() called", which is the least of them.
func firstReason(all []string) (message string) {
	for _, text := range all {
		text = strings.TrimSpace(text)
		if text == "" || slices.ContainsFunc(noReasons, func(start string) bool { return strings.HasPrefix(text, start) }) {
			continue
		}
		if message == "" || message == abortMessage {
			message = text
		}
	}
	return message
}

// abortMessage is that of abort. Source: Apple's Libc, stdlib/FreeBSD/abort.c.
const abortMessage = "abort() called"

// noReasons begin the messages that describe every process of a system: its dynamic linker's and the simulator's. Source of the former: dyld,
// dyld2.cpp and DyldProcessConfig.cpp.
var noReasons = []string{"dyld2 mode", "dyld3 mode", "dyld4 config", "CoreSimulator "}

// Bounds of the search in the images of Mach-O.
const (
	mostImages   = 1024
	mostCommands = 128
	mostSections = 64
	mostMessage  = 1024 // as Crashpad has it
)

// Layouts of 64-bit Mach-O, and of crashreporter_annotations_t since version 4. Sources: mach-o/loader.h; Libc, CrashReporterClient.h.
const (
	machMagic64     = 0xfeed_facf
	headerSize      = 32
	segmentCommand  = 0x19 // LC_SEGMENT_64
	segmentAddress  = 24
	segmentSections = 64 // their number
	firstSection    = 72
	sectionSize     = 80
	sectionAddress  = 32
	infoMessage     = 8
	infoMessage2    = 32
	leastVersion    = 4
)

// imageMessages reads the messages in the section __crash_info of an image whose header, data and texts are captured.
func (s *Session) imageMessages(m *module.Module) (out []string) {
	memory := s.p.Memory
	if magic, ok := memory.Word(m.Base, 4); !ok || magic != machMagic64 {
		return nil
	}
	count, _ := memory.Word(m.Base+16, 4)
	at, text := m.Base+headerSize, uint64(0)
	for range min(count, mostCommands) {
		command, _ := memory.Word(at, 4)
		size, ok := memory.Word(at+4, 4)
		if !ok || size < 8 {
			return out
		}
		if command == segmentCommand {
			if strings.HasPrefix(s.nameAt(at+8), "__TEXT") {
				text, _ = memory.Word(at+segmentAddress, 8)
			}
			sections, _ := memory.Word(at+segmentSections, 4)
			for i := range min(sections, mostSections) {
				section := at + firstSection + i*sectionSize
				if s.nameAt(section) != "__crash_info" {
					continue
				}
				address, _ := memory.Word(section+sectionAddress, 8)
				out = append(out, s.annotated(m.Base+address-text)...)
			}
		}
		at += size
	}
	return out
}

// annotated reads the two messages of a crashreporter_annotations_t.
func (s *Session) annotated(at uint64) (out []string) {
	version, ok := s.p.Memory.Word(at, 8)
	if !ok || version < leastVersion {
		return nil
	}
	for _, offset := range []uint64{infoMessage, infoMessage2} {
		if pointer, _ := s.p.Memory.Word(at+offset, 8); pointer != 0 {
			out = append(out, s.textAt(pointer, mostMessage))
		}
	}
	return out
}

// nameAt reads a name of a segment or section.
func (s *Session) nameAt(at uint64) string { return s.textAt(at, 16) }

// textAt reads a text up to its zero.
func (s *Session) textAt(at uint64, most int) string {
	data := make([]byte, most)
	data = data[:s.p.Memory.Read(at, data)]
	text, _, _ := strings.Cut(string(data), "\x00")
	return strings.ToValidUTF8(text, "\ufffd")
}
