package main

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/kerneldump"
)

// What must not survive in a shared dump, and what a planted text is part of.
const (
	kernelPerson = "Sittich"
	kernelText   = "Kanarie"
)

// kernelImage is an image whose debug record has a person's name.
func kernelImage(t *testing.T, a *cpu.Arch) []byte {
	const directory, record, path = 0x3c00, 0x3c40, 0x138
	frame := kerneldump.Unwind{Codes: []uint16{kerneldump.Alloc40}}
	image := kerneldump.Image(t, a, frame, frame)
	copy(image[path:], asm.At(0).U32(directory, 28).Build(t))
	pdb := `C:\Users\` + kernelPerson + `\widget.pdb`
	copy(image[directory:], asm.At(0).U32(0, 0, 0, 2, uint32(24+len(pdb)+1), record, 0).Build(t))
	copy(image[record:], asm.At(0).Text("RSDS").U32(1, 2, 3, 4, 1).Text(pdb).U8(0).Build(t))
	return image
}

// plantKernel fills a header's fields that no report needs: the comment, and the user's version.
func plantKernel(data []byte, a *cpu.Arch) []byte {
	comment, version := 0xfb0, 0x60
	if a.Word == 4 {
		comment, version = 0x820, 0x40
	}
	copy(data[comment:], kernelText+" is the comment\x00")
	copy(data[version:], kernelText)
	return data
}

// kernelDumps are dumps of one crash with planted texts, by their kind.
func kernelDumps(t *testing.T) map[string][]byte {
	a := &cpu.AMD64
	nt, widget, sp := kerneldump.High(a, 0x10_0000), kerneldump.High(a, 0x40_0000), kerneldump.High(a, 0x60_0000)
	wide := asm.At(0).UTF16(kernelText + " as UTF-16").Build(t)
	stack := asm.At(sp).Zeros(0x28).U64(widget + 0x1020).Text(kernelText + " on the stack").Zeros(20).
		U64(nt + 0x1120).Zeros(0x28).U64(nt + 0x1120).Bytes(wide).Align(8).Zeros(0x100).Build(t)
	regs := kerneldump.At(a, nt+0x1020, sp)
	regs.Set(cpu.RBX, binary.LittleEndian.Uint64([]byte(kernelText+"2")))
	drivers := []kerneldump.Driver{{Name: "ntoskrnl.exe", Base: nt, Size: 0x4000}, {Name: `\??\C:\Users\` + kernelPerson + `\widget.sys`, Base: widget, Size: 0x4000, Time: 2}}
	d := kerneldump.Dump{Layout: &cpu.ContextAMD64, Code: 0xd1, Regs: regs}
	d.Parameters = [4]uint64{binary.LittleEndian.Uint64([]byte(kernelText + "3")), 2, 0, widget + 0x1020}
	out := map[string][]byte{}

	block := func(at uint64, text string) kerneldump.Range {
		return kerneldump.Range{Base: kerneldump.High(a, at), Data: []byte(text)}
	}
	d.Type, d.Body = 4, kerneldump.Triage(t, a, drivers, []kerneldump.Driver{{Name: "old.sys", Base: kerneldump.High(a, 0x5_0000), Size: 0x1000}},
		kerneldump.Range{Base: sp, Data: stack}, block(0x70_0000, kernelText+" in a block"), kerneldump.Range{Base: kerneldump.High(a, 0x71_0000), Data: wide},
		kerneldump.Range{Base: widget, Data: kernelImage(t, a)})
	small := d.Build()
	bios := asm.At(0).U8(0, 3, 1, 0).U32(0).U8(1, 8, 0, 0, 1, 2, 3, 4).Text("Maker\x00" + kernelText + " 5\x00v\x00" + kernelText + "-SERIAL\x00\x00").Build(t)
	binary.LittleEndian.PutUint32(small[0x2004:], uint32(len(small)))
	small = append(small, kerneldump.Tagged(kerneldump.SMBIOS, bios)...)
	out["triage"] = append(small, kerneldump.Tagged([4]uint32{1, 2, 3, 4}, []byte(kernelText+" of a driver"))[0x10:]...)

	m := kerneldump.NewMemory(kerneldump.Four)
	m.Write(nt, 0x200, kernelImage(t, a))
	m.Write(widget, 0x300, kernelImage(t, a))
	m.Write(sp, 0x400, stack)
	m.Write(kerneldump.High(a, 0x70_0000), 0x500, append([]byte(kernelText+" in a page"), wide...))
	d.Root, d.Modules, d.Type = m.Root, m.List(t, a, drivers...), 1
	d.Runs, d.Body = m.Full()
	out["full"] = d.Build()
	d.Type, d.Runs, d.Body = 5, nil, m.Bitmap(kerneldump.HeaderSize(a))
	out["bitmap"] = d.Build()
	d.Type, d.Body = 10, m.Ranges(kerneldump.HeaderSize(a))
	out["live"] = d.Build()
	for kind := range out {
		out[kind] = plantKernel(out[kind], a)
	}
	return out
}

// kernelFrames are the frames of the first thread: module and offset.
func kernelFrames(t *testing.T, dump string) (out []string) {
	text, errs, status := crashglass("walk", "-no-local", "-format", "machine", dump)
	if status != exitOK {
		t.Fatal(errs)
	}
	for line := range strings.Lines(text) {
		if f := strings.Split(strings.TrimSpace(line), "|"); len(f) == 7 && f[0] == "0" {
			out = append(out, f[2]+" "+f[6])
		}
	}
	return out
}

// What sanitize and capsule make of a kernel dump of each kind is a small kernel dump with the same stack, and without the planted texts, in
// whatever part they were. A second run changes nothing more.
func TestSharedKernelDumps(t *testing.T) {
	utf16 := func(s string) string { return string(asm.At(0).UTF16(s).Build(t)) }
	for kind, data := range kernelDumps(t) {
		t.Run(kind, func(t *testing.T) {
			dir := t.TempDir()
			dump := file(t, dir, "whole.dmp", data)
			clean, errs, status := crashglass("sanitize", "--no-local", dump)
			if status != exitOK || !strings.Contains(errs, "every stack is unchanged") {
				t.Fatalf("status %d: %s", status, errs)
			}
			if !strings.HasPrefix(clean, "PAGEDU64") || !strings.Contains(clean, utf16("widget.sys")) {
				t.Errorf("no small kernel dump, or without its driver: %.8q", clean)
			}
			page, errs, status := crashglass("capsule", "--no-local", "--viewer", file(t, dir, "viewer.html", []byte(smallViewer)), dump)
			if status != exitOK {
				t.Fatal(errs)
			}
			if got := inside(t, page, "dump"); got != clean {
				t.Error("a capsule has another dump")
			}
			for _, canary := range []string{kernelPerson, kernelText} {
				if strings.Contains(clean, canary) || strings.Contains(clean, utf16(canary)) {
					t.Errorf("%q survives", canary)
				}
			}
			again := file(t, dir, "clean.dmp", []byte(clean))
			if before, after := kernelFrames(t, dump), kernelFrames(t, again); len(before) < 3 || !slices.Equal(before, after) {
				t.Errorf("frames %q, before %q", after, before)
			}
			twice, errs, status := crashglass("sanitize", "--no-local", again)
			if status != exitOK || len(twice) > len(clean) || !slices.Equal(kernelFrames(t, file(t, dir, "twice.dmp", []byte(twice))), kernelFrames(t, again)) {
				t.Errorf("a second run: status %d, %d bytes of %d; %s", status, len(twice), len(clean), errs)
			}
			if strings.Contains(errs, "data that drivers and the firmware added") {
				t.Errorf("a second run removes what the first one did: %s", errs)
			}
			for _, format := range []string{"text", "json", "machine", "markdown", "html"} {
				out, errs, status := crashglass("walk", "--no-local", "--mask", "--full", "--format", format, dump)
				if status != exitOK || !strings.Contains(out, "widget.sys") {
					t.Fatalf("%s: status %d, %s%s", format, status, out, errs)
				}
				for _, canary := range []string{kernelPerson, kernelText} {
					if strings.Contains(out, canary) {
						t.Errorf("%s has %q", format, canary)
					}
				}
			}
		})
	}
}

// A slice of a kernel dump has the functions of its stack, and no name of a person.
func TestSlicesOfKernelDumps(t *testing.T) {
	const id = "00000001000200000300000004000000" + "1"
	sym := "MODULE windows x86_64 " + id + " widget.pdb\nFILE 0 C:\\Users\\" + kernelPerson + "\\widget.c\nFUNC 1000 100 0 WidgetRead\n1000 100 7 0\n"
	for kind, data := range kernelDumps(t) {
		dir := t.TempDir()
		_, errs, status := crashglass("slice", "--no-local", "--store", dir+"/store", "--symbols", file(t, dir, "widget.sym", []byte(sym)), file(t, dir, "whole.dmp", data))
		if status != exitOK || !bytes.Contains([]byte(errs), []byte("widget.sym")) {
			t.Errorf("%s: status %d: %s", kind, status, errs)
		}
	}
}

// Convert makes a small dump, with all memory of the stack and the names.
func TestConvertedKernelDumps(t *testing.T) {
	for kind, data := range kernelDumps(t) {
		dump := file(t, t.TempDir(), "whole.dmp", data)
		small, errs, status := crashglass("convert", "--no-local", dump)
		if status != exitOK || !strings.HasPrefix(small, "PAGEDU64") || !strings.Contains(small, kernelText+" on the stack") || !strings.Contains(small, kernelPerson) {
			t.Errorf("%s: status %d, %d bytes: %s", kind, status, len(small), errs)
		}
		if before, after := kernelFrames(t, dump), kernelFrames(t, file(t, t.TempDir(), "small.dmp", []byte(small))); !slices.Equal(before, after) {
			t.Errorf("%s: frames %q, before %q", kind, after, before)
		}
	}
}
