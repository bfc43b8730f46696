package pe

import (
	"testing"

	"crashglass/core/stack/symbolize"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/symbolsource"
)

// whole is an image with everything that is read.
func whole(t testing.TB) []byte {
	xdatas := asm.At(xdata).Bytes(info(1, 0, 5, 0, 5, 2|3<<4, 1, 3<<4).Build(t)).Mark("chained").
		Bytes(info(2, flagChained, 0, 0, 4, 6|1<<4, 0, 6, 0, 4|6<<4, 4, 0).Build(t)).U32(text, text+0x18, xdata)
	im := exporting(t).
		section(t, ".xdata", readOnly, xdatas).
		section(t, ".pdata", readOnly, asm.At(pdata).U32(text, text+0x18, xdata, text+0x60, text+0x80, uint32(xdatas.Addr("chained")))).
		dir(dirException, pdata, 24)
	c := im.sections[0].data
	copy(c, []byte{0x53, 0x48, 0x83, 0xec, 0x20, 0x90, 0x48, 0x83, 0xc4, 0x20, 0x5b, 0xc3})
	relocs := reloc(asm.At(0x6000), text, 10<<12|0x90, 0)
	im.section(t, ".reloc", readOnly, relocs).dir(dirReloc, 0x6000, 12)
	s := coff(asm.At(0), "local", 0x90, 1, typeFunction, classStatic, 0)
	im.symbols, im.tail = 1, s.U32(4).Build(t)
	return im.build(t)
}

func TestSuite(t *testing.T) {
	data := whole(t)
	arm := armProgram{prolog: []string{"stp x19,x20,[sp,#-16]!"}, epilog: []string{"ldp x19,x20,[sp],#16", "ret"}}
	arm.packed = packedWord(arm.size()/4, 0, 2, 0, 0, 16)
	public := func(name string, start uint64) symbolize.Location {
		return symbolize.Location{Function: name, Start: start, Public: true}
	}
	t.Run("x64", func(t *testing.T) {
		symbolsource.Test(t, symbolsource.Suite{
			Open: func(t *testing.T) symbolsource.Source { return open(t, data) },
			Known: []symbolsource.Known{
				{Rel: text + 5, Location: symbolize.Location{Function: "first", Start: text, Size: 0x18}},
				{Rel: text + 0x21, Location: public("Ordinal2", text+0x20)},
				{Rel: text + 0x18, None: true},
				{Rel: text + 0x60, Location: symbolize.Location{Function: "first", Start: text + 0x60, Size: 0x20}},
				{Rel: text + 0x95, Location: public("local", text+0x90)},
			},
			Top: top,
		})
	})
	t.Run("arm64", func(t *testing.T) {
		symbolsource.Test(t, symbolsource.Suite{
			Open:  func(t *testing.T) symbolsource.Source { return arm.file(t) },
			Known: []symbolsource.Known{{Rel: text + 0x10, None: true}},
			Top:   top,
		})
	})
}
