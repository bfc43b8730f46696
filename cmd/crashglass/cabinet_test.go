package main

import (
	"os"
	"testing"

	"crashglass/core/testkit/lzxpack"
)

// A .pd_ of a symbol server gives the same symbols as the PDB in it.
func TestSymsOfCabinet(t *testing.T) {
	const pdb = corpus + "/public/native/breakpad/dump_syms_regtest.pdb"
	data, err := os.ReadFile(pdb)
	if err != nil {
		t.Skip("no corpus: ", err)
	}
	opt := lzxpack.Options{Bits: 21, Kinds: []int{lzxpack.Verbatim, lzxpack.Aligned}, Sizes: []int{200_000}}
	packed := file(t, t.TempDir(), "dump_syms_regtest.pd_", lzxpack.Cabinet("dump_syms_regtest.pdb", data, opt))
	want, _, _ := crashglass("syms", pdb)
	got, errs, status := crashglass("syms", packed)
	if status != exitOK || errs != "" || got != want || want == "" {
		t.Errorf("status %d, errors %q, %d bytes, want %d", status, errs, len(got), len(want))
	}
}
