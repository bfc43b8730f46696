package analyze

import "testing"

// A module without symbols has no names, also where the image in the dump's memory has unwind rules.
func TestLocateWithoutSource(t *testing.T) {
	f := &found{}
	if loc, ok := f.locate(0x1000); ok {
		t.Errorf("%+v", loc)
	}
}
