package archive

import (
	"bufio"
	"compress/gzip"
	"io"
	"path"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/therootcompany/xz"

	"crashglass/core/bin"
)

// maxWindow is how far back a compressed file may refer. The decompressor
// needs that much memory. It is what `zstd --long` and `xz -9` need.
const maxWindow = 128 << 20

// single is the member of a compressed file.
func single(format Format, name string, src bin.Source, budget *Budget) []Member {
	return []Member{{
		Name: clean(inner(name, format)), Size: -1, in: format, packed: src.Size(), budget: budget,
		data: func() (*bin.Source, io.Reader, error) {
			stream, err := decompress(format, bufio.NewReaderSize(io.NewSectionReader(src, 0, src.Size()), 64<<10))
			return nil, stream, err
		},
	}}
}

func decompress(format Format, r io.Reader) (io.Reader, error) {
	switch format {
	case Gzip:
		return gzip.NewReader(r)
	case Zstd:
		// One decoder runs in this goroutine, so nobody has to close it.
		d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, err
		}
		return d, nil
	default:
		return xz.NewReader(r, maxWindow)
	}
}

// inner is the name of a file before it was compressed.
func inner(name string, format Format) string {
	name = path.Base(clean(name))
	lower := strings.ToLower(name)
	for _, s := range []struct {
		format          Format
		suffix, instead string
	}{
		{Gzip, ".tgz", ".tar"}, {Gzip, ".gz", ""}, {Zstd, ".tzst", ".tar"}, {Zstd, ".zst", ""},
		{Xz, ".txz", ".tar"}, {Xz, ".xz", ""},
	} {
		if s.format == format && strings.HasSuffix(lower, s.suffix) && len(name) > len(s.suffix) {
			return name[:len(name)-len(s.suffix)] + s.instead
		}
	}
	return name
}
