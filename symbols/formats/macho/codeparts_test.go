package macho

import "testing"

// Parts of code are the sections of code. A file has none if it is encrypted, or taken from the shared cache of macOS, or changed by relocations.
func TestCodeParts(t *testing.T) {
	const flags, textFlags = 24, 32 + 72 + 64 // where the header's are, and those of __text
	for name, tt := range map[string]struct {
		change func(m *testImage)
		at     int
		set    byte
		want   bool
	}{
		"a library":    {want: true},
		"encrypted":    {change: func(m *testImage) { m.encrypted = true }},
		"a dSYM":       {change: func(m *testImage) { m.kind = typeDSYM }},
		"of the cache": {at: flags + 3, set: flagInCache >> 24},
		"relocated":    {at: textFlags + 1, set: sectChanges >> 8 & 0xff},
		"another flag": {at: flags, set: 4, want: true},
	} {
		m := someImage(t)
		if tt.change != nil {
			tt.change(m)
		}
		data := m.build(t)
		data[tt.at] |= tt.set
		f, err := Open(source(data), Options{})
		if err != nil {
			t.Fatal(err)
		}
		parts := f.CodeParts()
		if (len(parts) > 0) != tt.want || tt.want && (parts[0].Start != 0x1000 || parts[0].Size != uint64(len(m.code))) {
			t.Errorf("%s: %+v", name, parts)
		}
	}
}
