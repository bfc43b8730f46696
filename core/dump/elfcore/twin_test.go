package elfcore

import "testing"

// V8 maps the code of its builtins a second time: the mapping is as executable as the part of the program that it shows.
func TestTwin(t *testing.T) {
	c := &core{files: []fileRange{
		{start: 0x400000, end: 0x500000, name: "/bin/node"}, {start: 0x500000, end: 0x900000, offset: 0x100000, name: "/bin/node"},
		{start: 0x7fff0000, end: 0x7fff8000, offset: 0x180000, name: "/bin/node"}, {start: 0x7fffa000, end: 0x7fffb000, offset: 0x180000, name: "/bin/other"},
	}}
	for i, want := range map[int]uint64{2: 0x580000, 3: 0} {
		if got := c.twin(&c.files[i]); got != want {
			t.Errorf("%+v: %#x, want %#x", c.files[i], got, want)
		}
	}
}
