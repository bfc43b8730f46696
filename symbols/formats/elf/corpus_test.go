package elf

import (
	"os"
	"path/filepath"
	"testing"

	"crashglass/core/base/bin"
)

const corpus = "../../../../shared/corpus"

func openCorpus(t testing.TB, name string) *File {
	t.Helper()
	return openFile(t, filepath.Join(corpus, name))
}

func openFile(t testing.TB, path string) *File {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Skip("no corpus: ", err)
	}
	t.Cleanup(func() { file.Close() })
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	f, err := Open(bin.NewSource(file, info.Size()), Options{Name: filepath.Base(path)})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestIdentity compares with the MODULE and INFO CODE_ID records that
// dump_syms writes.
func TestIdentity(t *testing.T) {
	for _, tt := range []struct{ file, arch, debug, code string }{
		{"public/native/dump_syms/linux/basic.full", "amd64", "20AD60B0B4C68177552708AA192E77390", "b060ad20c6b47781552708aa192e7739fac7c84a"},
		{"public/native/dump_syms/linux/basic.dbg", "amd64", "20AD60B0B4C68177552708AA192E77390", "b060ad20c6b47781552708aa192e7739fac7c84a"},
		{"public/native/symbolic/linux/crash.debug-zstd", "amd64", "C0BCC3F19827FE653058404B2831D9E60", "f1c3bcc0279865fe3058404b2831d9e64135386c"},
		{"real/native/arm64_abort", "arm64", "1FDF3ECB81B318E8A99F88B53F4515080", "cb3edf1fb381e818a99f88b53f451508d044aa05"},
		{"real/native/arm_arm", "arm", "6A434464171A18B9A7B918569C78589F0", "6444436a1a17b918a7b918569c78589f11e4f3a1"},
		{"real/native/mipsel_leaf", "mips", "634B2843F5753E6E151E56BF998FFB5B0", "43284b6375f56e3e151e56bf998ffb5b4eb535c8"},
		{"real/native/riscv64_leaf", "riscv64", "3354E2FE3EBD2FA31EE6C064D15C29610", "fee25433bd3ea32f1ee6c064d15c29610de09f43"},
		{"real/native/x86_q_leaf", "x86", "11E1AF4EC145B43CEAE6FCAED6F9A3ED0", "4eafe11145c13cb4eae6fcaed6f9a3ed5d2b9d6d"},
	} {
		f := openCorpus(t, tt.file)
		m := f.Module()
		if m.Arch != tt.arch || m.DebugID != tt.debug || m.CodeID != tt.code {
			t.Errorf("%s: %+v, want %+v", tt.file, m, tt)
		}
		if notes := f.Notes(); len(notes) > 0 {
			t.Errorf("%s: %q", tt.file, notes)
		}
	}
}
