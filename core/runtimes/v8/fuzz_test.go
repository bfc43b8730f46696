package v8

import (
	"testing"
	"time"
)

// FuzzFind reads processes with damaged memory: each change is a release, a place and eight bytes. None takes long, and none ends the program.
func FuzzFind(f *testing.F) {
	f.Add([]byte{0, 0, 16, 1, 2, 3, 4, 5, 6, 7, 8})
	f.Add([]byte{3, 2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 4, 3, 1, 1, 0, 0, 0, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, changes []byte) {
		if len(changes) == 0 {
			return
		}
		s := made(int(changes[0]) % len(releases))
		for b := changes[1:]; len(b) >= 10; b = b[10:] {
			at := (int(b[0])<<8 | int(b[1])) * 8 % (len(s.heap) - 8)
			copy(s.heap[at:], b[2:10])
		}
		began := time.Now()
		Find(s.target())
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("took %v", took)
		}
	})
}
