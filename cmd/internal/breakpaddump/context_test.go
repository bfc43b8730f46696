package breakpaddump

import (
	"slices"
	"strings"
	"testing"

	"crashglass/core/testkit/dump"
)

// filled is a context whose bytes are 1, 2, 3 ... 250, 1, 2 ..., so that each field has a value of its own.
// Its flags are the CPU's, because they say what the context is.
func filled(t *testing.T, b *dump.Builder, processor uint16) []byte {
	t.Helper()
	data := b.Context(t, processor, nil)
	flags := slices.Clone(data)
	for i := range data {
		data[i] = byte(i%250 + 1)
	}
	at, size := 0, 4
	switch processor {
	case dump.AMD64:
		at = 48
	case dump.PPC64:
		size = 8
	}
	copy(data[at:at+size], flags[at:at+size])
	return data
}

// Each CPU has its names, widths and order. The lines are those that Breakpad's minidump_dump prints of
// the same dumps: the first and the last one, and one of each kind between them.
func TestContexts(t *testing.T) {
	for name, tt := range map[string]struct {
		processor uint16
		big       bool
		lines     int // from the title to the last row
		want      string
	}{
		"x86": {processor: dump.X86, big: false, lines: 34, want: `MDRawContextX86
  context_flags                = 0x1001f
  dr0                          = 0x8070605
  float_save.control_word      = 0x201f1e1d
  float_save.register_area[80] = 0x393a3b3c3d3e3f404142434445464748494
  float_save.cr0_npx_state     = 0x8c8b8a89
  gs                           = 0x908f8e8d
  ds                           = 0x9c9b9a99
  ebx                          = 0xa8a7a6a5
  extended_registers[512]      = 0xcdcecfd0d1d2d3d4d5d6d7d8d9dadbdcddd
`},
		"amd64": {processor: dump.AMD64, big: false, lines: 39, want: `MDRawContextAMD64
  p1_home       = 0x807060504030201
  context_flags = 0x10001f
  mx_csr        = 0x38373635
  cs            = 0x3a39
  eflags        = 0x48474645
  rax           = 0x807f7e7d7c7b7a79
  rcx           = 0x8887868584838281
  rip           = 0x60504030201faf9
`},
		"arm": {processor: dump.ARM, big: false, lines: 60, want: `MDRawContextARM
  context_flags        = 0x40000003
  r0                   = 0x8070605
  r10                  = 0x302f2e2d
  r11                  = 0x34333231
  lr                   = 0x403f3e3d
  pc                   = 0x44434241
  cpsr                 = 0x48474645
  float_save.fpscr     = 0x504f4e4d4c4b4a49
  float_save.regs[30]  = 0x4e4d4c4b4a494847
  float_save.regs[31]  = 0x565554535251504f
  float_save.extra[ 7] = 0x76757473
`},
		"arm64, whose wide registers are written with the upper half first": {processor: dump.ARM64, big: false, lines: 70, want: `MDRawContextARM64
  context_flags       = 0x400003
  iregs[ 0]            = 0x100f0e0d0c0b0a09
  iregs[31]            = 0xe0d0c0b0a090807
  iregs[32]            = 0x161514131211100f
  cpsr                = 0x8070605
  float_save.fpsr     = 0x2a292827
  float_save.fpcr     = 0x26252423
  float_save.regs[ 0]            = 0x262524232221201f1e1d1c1b1a191817
  float_save.regs[31]            = 0x2221201f1e1d1c1b1a19181716151413
`},
		"mips64, whose mdlo is not mdhi": {processor: dump.MIPS64, big: false, lines: 81, want: `MDRawContextMIPS
  context_flags        = 0x80003
  iregs[ 0]           = 0x100f0e0d0c0b0a09
  iregs[30]           = 0x60504030201faf9
  iregs[31]           = 0xe0d0c0b0a090807
  mdhi                 = 0x161514131211100f
  mdlo                 = 0x1e1d1c1b1a191817
  hi[0]              = 0x2221201f
  lo[2]              = 0x36353433
  dsp_control          = 0x3a393837
  epc                  = 0x464544434241403f
  badvaddr             = 0x4e4d4c4b4a494847
  status               = 0x5251504f
  cause                = 0x56555453
  float_save.fpcsr     = 0x605f5e5d
  float_save.fir       = 0x64636261
`},
		"ppc": {processor: dump.PPC, big: true, lines: 76, want: `MDRawContextPPC
  context_flags            = 0x20000003
  srr0                     = 0x5060708
  gpr[ 0]                  = 0xd0e0f10
  cr                       = 0x8d8e8f90
  mq                       = 0x9d9e9fa0
  vrsave                   = 0xa1a2a3a4
  float_save.fpregs[ 0]    = 0xa5a6a7a8a9aaabac
  float_save.fpregs[ 1]    = 0xadaeafb0b1b2b3b4
  float_save.fpscr         = 0xafb0b1b2
  vector_save.save_vrvalid = 0xdfe0e1e2
`},
		"ppc64": {processor: dump.PPC64, big: true, lines: 75, want: `MDRawContextPPC64
  context_flags            = 0x1000003
  srr0                     = 0x90a0b0c0d0e0f10
  gpr[ 0]                  = 0x191a1b1c1d1e1f20
  cr                       = 0x1f20212223242526
  vrsave                   = 0x3f40414243444546
  float_save.fpregs[ 0]    = 0x4748494a4b4c4d4e
  float_save.fpregs[ 1]    = 0x4f50515253545556
  float_save.fpscr         = 0x51525354
  vector_save.save_vrvalid = 0x81828384
`},
		"riscv": {processor: dump.RISCV, big: false, lines: 34, want: `MDRawContextRISCV
  context_flags        = 0x800003
  pc            = 0xc0b0a09
  t0            = 0x201f1e1d
  s0            = 0x2c2b2a29
  t6            = 0x88878685
`},
		"riscv64": {processor: dump.RISCV64, big: false, lines: 34, want: `MDRawContextRISCV64
  context_flags        = 0x8000003
  pc            = 0x100f0e0d0c0b0a09
  t0            = 0x3837363534333231
  s0            = 0x504f4e4d4c4b4a49
  t6            = 0xe0d0c0b0a090807
`},
	} {
		t.Run(name, func(t *testing.T) {
			b := dump.New()
			if tt.big {
				b.BigEndian()
			}
			b.System(tt.processor, dump.Linux, "x")
			text := written(t, b.Thread(dump.Thread{ID: 1, Context: filled(t, b, tt.processor)}).Build(t), Options{})
			_, context, _ := strings.Cut(text, "\nMDRawContext")
			context, _, _ = strings.Cut("MDRawContext"+context, "No stack\n")
			got := strings.Split(strings.TrimRight(context, "\n"), "\n")
			if len(got) != tt.lines {
				t.Errorf("%d lines, want %d", len(got), tt.lines)
			}
			at := 0
			for line := range strings.Lines(tt.want) {
				line = strings.TrimSuffix(line, "\n")
				i := slices.IndexFunc(got[at:], func(l string) bool { return strings.HasPrefix(l, line) })
				if i < 0 {
					t.Fatalf("no line %q behind line %d of\n%s", line, at, context)
				}
				at += i + 1
			}
			if at != len(got) {
				t.Errorf("%q is behind the last line", got[at:])
			}
		})
	}
}
