package elfcore

import "testing"

// Go's linker puts the note of the build ID behind its segment of notes, which has Go's own note only. The build ID
// behind the notes of another linker is that of something else.
func TestBuildIDBehindGoNote(t *testing.T) {
	for owner, want := range map[string]string{"Go\x00\x00": "0102030405060708", "Ab\x00\x00": ""} {
		head := elfHead(programAt, 64, 2)
		head.U32(typeLoad, 5).U64(0, programAt, 0, 0x4000, 0x4000, 0x1000)
		head.U32(typeNote, 4).U64(0x100, programAt+0x100, 0, 20, 20, 4)
		head.Zeros(int(programAt + 0x100 - head.Here()))
		head.U32(4, 3, 4).Text(owner).Text("abc\x00")
		core := coreOf(t, []uint64{auxPrograms, programAt + 64, auxEntries, 2}, mapped{identified(head), 0x1000, 5})
		modules, _ := open(t, core).Modules()
		if len(modules) != 1 || modules[0].CodeID != want {
			t.Errorf("%q: modules %+v, want the build ID %q", owner, modules, want)
		}
	}
}
