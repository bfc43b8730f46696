package elfcore

import (
	"bytes"

	"crashglass/core/base/bin"
	"crashglass/core/testkit/corefile"
)

var (
	coreFile = corefile.AMD64
	note     = corefile.Note
)

func source(data []byte) bin.Source {
	return bin.NewSource(bytes.NewReader(data), int64(len(data)))
}
