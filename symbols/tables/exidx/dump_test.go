package exidx_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/dump/minidump"
	"crashglass/core/process/module"
	"crashglass/core/stack/unwind"
	"crashglass/symbols/formats/elf"
)

const dumps = "../../../../shared/corpus/real/"

// TestDump walks the corpus' ARM dump, whose qsort calls back into the
// program, with the libraries that it ran with. Its libc has no unwind tables
// but the exception index: with symbol files that dump_syms made of it, 23 of
// the frames are guesses, and the end is not found.
//
// The folder CRASHGLASS_ARM_LIBRARIES has libc.so.6 of the build id
// 99691551bcc5fa773b974f390398a90275f12724 and ld-linux-armhf.so.3 beside it,
// such as Debian 12's package libc6-armhf-cross has.
func TestDump(t *testing.T) {
	folder := os.Getenv("CRASHGLASS_ARM_LIBRARIES")
	if folder == "" {
		t.Skip("CRASHGLASS_ARM_LIBRARIES names no folder with the libraries of the dump")
	}
	if _, err := os.Stat(dumps); err != nil {
		t.Skip("there is no corpus beside the project")
	}
	f, err := minidump.Open(fileSource(t, dumps+"dumps/arm_arm.dmp"))
	if err != nil {
		t.Fatal(err)
	}
	in := dumpInput(t, f)
	images := map[string]unwind.Rules{}
	in.Rules = func(m *module.Module) unwind.Rules {
		name := filepath.Base(m.CodeFile)
		if images[name] == nil {
			images[name] = openImage(t, folder, name)
		}
		return images[name]
	}
	stack := unwind.Walk(in)
	index := 0
	for i, frame := range stack.Frames[1:] {
		if frame.Trust != unwind.CFI {
			t.Errorf("frame %d, at %#x, was found by %s", i+1, frame.Instruction, frame.FoundBy)
		}
		if frame.Module != nil && filepath.Base(frame.Module.CodeFile) == "libc.so.6" {
			index++
		}
	}
	if stack.End.Kind != unwind.ThreadStart || stack.End.Function != "_start" || index < 5 {
		t.Errorf("%d frames, %d of them of libc, end: %s", len(stack.Frames), index, stack.End.Kind)
	}
}

func fileSource(t *testing.T, path string) bin.Source {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	return bin.NewSource(f, info.Size())
}

func openImage(t *testing.T, folder, name string) unwind.Rules {
	t.Helper()
	path := filepath.Join(folder, name)
	if name == "arm_arm" {
		path = dumps + "native/arm_arm"
	}
	image, err := elf.Open(fileSource(t, path), elf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return image
}

// dumpInput is the thread that crashed.
func dumpInput(t *testing.T, f *minidump.File) unwind.Input {
	t.Helper()
	sys, err1 := f.SystemInfo()
	crash, err2 := f.Exception()
	memory, err3 := f.Memory()
	modules, err4 := f.Modules()
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		t.Fatal(err)
	}
	context, err := f.Context(crash.Context, sys)
	if err != nil {
		t.Fatal(err)
	}
	return unwind.Input{
		Arch: context.Arch, OS: "linux", Regs: context.Regs, Memory: memory, Modules: module.NewMap(modules),
	}
}
