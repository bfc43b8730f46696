package elfcore

import "testing"

func TestStatedSize(t *testing.T) {
	whole := coreFile(t)
	for _, tt := range []struct {
		what string
		head []byte
		want int64
	}{
		{"a whole core", whole, int64(len(whole))},
		{"its first kilobyte", whole[:1024], int64(len(whole))},
		{"a part of its program headers", whole[:100], unknownSize},
		{"a part of its header", whole[:40], 0},
		{"a program", append(append([]byte{}, whole[:16]...), 2, 0, 62, 0), 0},
		{"nothing", nil, 0},
	} {
		if got := StatedSize(tt.head); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.what, got, tt.want)
		}
	}
}
