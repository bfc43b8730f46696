package bomb

import (
	"testing"

	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
)

// Shapes are lists of records that share one text: modules, unloaded modules, annotations, handles
// and names of threads. A reader that copies the text for each record needs n times its size.
//
// Source: MINIDUMP_MODULE_LIST, MINIDUMP_UNLOADED_MODULE_LIST, MINIDUMP_HANDLE_DATA_STREAM and
// MINIDUMP_THREAD_NAME_LIST in minidumpapiset.h; MinidumpCrashpadInfo in Crashpad's
// minidump_extensions.h.
var Shapes = []func(b *dump.Builder, n int, text string){
	func(b *dump.Builder, n int, text string) {
		name := b.Text(text)
		b.Stream(4, repeat(asm.At(0).U32(uint32(n)), n, func(s *asm.Section, i int) {
			s.U64(0x50_0000+uint64(i)<<12).U32(0x1000, 0, 0).Ref32(name).Zeros(52 + 16 + 16)
		}))
	},
	func(b *dump.Builder, n int, text string) {
		name := b.Text(text)
		b.Stream(14, repeat(asm.At(0).U32(12, 24, uint32(n)), n, func(s *asm.Section, i int) {
			s.U64(0x7000_0000+uint64(i)).U32(0x10000, 0, 0).Ref32(name)
		}))
	},
	func(b *dump.Builder, n int, text string) {
		value := b.UTF8(text)
		simple := b.Extra(repeat(asm.At(0).U32(uint32(n)), n, func(s *asm.Section, _ int) { s.Ref32(value).Ref32(value) }))
		b.Stream(0x43500001, dump.Location(asm.At(0).U32(1).Zeros(32), simple).U32(0, 0))
	},
	func(b *dump.Builder, n int, text string) {
		name := b.Text(text)
		b.Stream(12, repeat(asm.At(0).U32(16, 32, uint32(n), 0), n, func(s *asm.Section, i int) {
			s.U64(uint64(i)).Ref32(name).Ref32(name).U32(0, 0, 0, 0)
		}))
	},
	func(b *dump.Builder, n int, text string) {
		name := b.Text(text)
		b.Stream(3, repeat(asm.At(0).U32(uint32(n)), n, func(s *asm.Section, i int) { s.U32(uint32(i)).Zeros(44) }))
		b.Stream(24, repeat(asm.At(0).U32(uint32(n)), n, func(s *asm.Section, i int) { s.U32(uint32(i)).Ref(name) }))
	},
}

// Shared is a dump with n records of a shape.
func Shared(t testing.TB, shape, n int, text string) []byte {
	b := base(t)
	Shapes[shape](b, n, text)
	return b.Build(t)
}
