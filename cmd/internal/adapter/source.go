package adapter

import (
	"bytes"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"

	"github.com/google/go-dap"

	"crashglass/cmd/internal/local"
	"crashglass/core/analyze"
)

// maxSource bounds the size of a source file that is compared with its checksum.
const maxSource = 32 << 20

// A sourceFile is a source file by its name in the symbols of a module.
type sourceFile struct {
	module int
	name   string
}

// rowSource is the source file of a row. If the symbols have its checksum, the client gets it, too, and the user is told once that the
// file of this machine is not the one of the build.
func (s *session) rowSource(r row) *dap.Source {
	out := s.source(r.file)
	f := r.frame
	if out == nil || f.ModuleIndex == nil || f.ModuleOffset == nil {
		return out
	}
	key := sourceFile{*f.ModuleIndex, *r.file}
	checksum, known := s.sums[key]
	if !known {
		if rel, err := address(string(*f.ModuleOffset), 0); err == nil {
			algorithm, sum := analyze.SourceSum(s.dump.Session, s.dump.Symbols, key.module, rel, key.name)
			checksum = dap.Checksum{Algorithm: dap.ChecksumAlgorithm(algorithm), Checksum: fmt.Sprintf("%x", sum)}
			if algorithm != "" && out.Path != "" && differs(out.Path, algorithm, sum) {
				fmt.Fprintf(s, "%s is not the file of the build: its %s is not the one in the symbols.\n", out.Path, algorithm)
			}
		}
		if s.sums == nil {
			s.sums = map[sourceFile]dap.Checksum{}
		}
		s.sums[key] = checksum
	}
	if checksum.Algorithm != "" {
		out.Checksums = []dap.Checksum{checksum}
	}
	return out
}

// hashes are the algorithms of checksums.
var hashes = map[string]func() hash.Hash{"MD5": md5.New, "SHA1": sha1.New, "SHA256": sha256.New}

// differs reports whether a file of this machine is another one than that of the checksum. One that cannot be read is not known to be.
func differs(path, algorithm string, want []byte) bool {
	f, err := local.This().Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	info, err := f.Stat()
	hashOf := hashes[algorithm]
	if err != nil || info.Size() > maxSource || hashOf == nil {
		return false
	}
	h := hashOf()
	if _, err := io.Copy(h, io.LimitReader(f, maxSource)); err != nil {
		return false
	}
	return !bytes.Equal(h.Sum(nil), want)
}
