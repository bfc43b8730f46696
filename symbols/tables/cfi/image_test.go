package cfi

import (
	"bytes"
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"encoding/binary"
	"os"
	"strings"
	"testing"

	"crashglass/core/base/bin"
)

const corpus = "../../../../shared/corpus/"

// source is bytes as a section's data.
func source(b []byte) bin.Source { return bin.NewSource(bytes.NewReader(b), int64(len(b))) }

func needCorpus(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(corpus); err != nil {
		t.Skip("there is no corpus beside the project")
	}
}

// elfArch names the CPUs of ELF files as core/machine/cpu does.
func elfArch(f *elf.File) string {
	wide := f.Class == elf.ELFCLASS64
	switch f.Machine {
	case elf.EM_386:
		return "x86"
	case elf.EM_X86_64:
		return "amd64"
	case elf.EM_ARM:
		return "arm"
	case elf.EM_AARCH64:
		return "arm64"
	case elf.EM_MIPS:
		if wide {
			return "mips64"
		}
		return "mips"
	case elf.EM_RISCV:
		if wide {
			return "riscv64"
		}
		return "riscv"
	}
	return ""
}

// elfSections finds the sections of an ELF file with the standard library's reader.
func elfSections(t testing.TB, path string) Sections {
	t.Helper()
	f, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	section := func(name string) Section {
		s := f.Section(name)
		if s == nil || s.Type == elf.SHT_NOBITS {
			return Section{}
		}
		data, err := s.Data()
		if err != nil {
			t.Fatal(err)
		}
		return Section{Data: source(data), Addr: s.Addr}
	}
	s := Sections{
		EHFrame: section(".eh_frame"), EHFrameHdr: section(".eh_frame_hdr"), DebugFrame: section(".debug_frame"),
		Arch: elfArch(f), Word: 8, Order: f.ByteOrder, Base: ^uint64(0),
		Text: section(".text").Addr, Got: section(".got").Addr,
	}
	if f.Class == elf.ELFCLASS32 {
		s.Word = 4
	}
	for _, p := range f.Progs {
		if p.Type == elf.PT_LOAD {
			s.Base = min(s.Base, p.Vaddr&^0xfff)
		}
	}
	return s
}

func machoSections(t testing.TB, path string) Sections {
	t.Helper()
	f, err := macho.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	eh := f.Section("__eh_frame")
	if eh == nil {
		t.Skip("no __eh_frame")
	}
	data, err := eh.Data()
	if err != nil {
		t.Fatal(err)
	}
	return Sections{
		EHFrame: Section{Data: source(data), Addr: eh.Addr}, Base: f.Segment("__TEXT").Addr,
		Arch: "amd64", Word: 8, Order: f.ByteOrder, Mac: true,
	}
}

func peSections(t testing.TB, path string) Sections {
	t.Helper()
	f, err := pe.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	base := f.OptionalHeader.(*pe.OptionalHeader64).ImageBase
	s := Sections{Base: base, Arch: "amd64", Word: 8, Order: binary.LittleEndian}
	for _, x := range f.Sections {
		if !strings.HasPrefix(x.Name, ".debug_frame") && !strings.HasPrefix(x.Name, ".eh_frame") {
			continue
		}
		data, err := x.Data()
		if err != nil {
			t.Fatal(err)
		}
		section := Section{Data: source(data[:min(uint32(len(data)), x.VirtualSize)]), Addr: base + uint64(x.VirtualAddress)}
		if strings.HasPrefix(x.Name, ".debug") {
			s.DebugFrame = section
		} else {
			s.EHFrame = section
		}
	}
	return s
}

func mustOpen(t testing.TB, s Sections) *Table {
	t.Helper()
	table, err := Open(s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return table
}
