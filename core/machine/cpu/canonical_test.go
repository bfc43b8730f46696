package cpu

import "testing"

// Addresses that a program can have, and their neighbours that none has: bits 47 to 63
// are the same on amd64 (Intel SDM, volume 1, 3.3.7.1); on arm64 an address has at
// most 52 bits. On 32 bits there is no other address.
func TestCanonical(t *testing.T) {
	for _, tt := range []struct {
		arch *Arch
		addr uint64
		want bool
	}{
		{arch: &AMD64, addr: 0, want: true},
		{arch: &AMD64, addr: 0x0000_7fff_ffff_ffff, want: true},
		{arch: &AMD64, addr: 0x0000_8000_0000_0000},
		{arch: &AMD64, addr: 0xffff_7fff_ffff_ffff},
		{arch: &AMD64, addr: 0xffff_8000_0000_0000, want: true},
		{arch: &AMD64, addr: 0xffff_ffff_ffff_ffff, want: true},
		{arch: &ARM64, addr: 0x000f_ffff_ffff_ffff, want: true},
		{arch: &ARM64, addr: 0x0010_0000_0000_0000},
		{arch: &ARM64, addr: 0xffff_ffff_ffff_ffff},
		{arch: &X86, addr: 0xffff_ffff, want: true},
		{arch: &RISCV64, addr: 0xffff_ffff_ffff_ffff, want: true},
	} {
		if got := tt.arch.Canonical(tt.addr); got != tt.want {
			t.Errorf("%s: %#x is canonical: %t", tt.arch.Name, tt.addr, got)
		}
	}
}
