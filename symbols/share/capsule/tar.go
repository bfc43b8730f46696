package capsule

import (
	"fmt"
	"io"
	"strings"
)

const tarBlock = 512

// Tar writes files as an archive, in their order. It writes no times and no owners, so that the same
// files make the same archive.
//
// Source: POSIX.1-2017, pax, "ustar Interchange Format". The writers of the standard
// library would make the page 30 KB larger.
func Tar(w io.Writer, files []File) error {
	for i := range files {
		header, err := tarHeader(files[i].Name, len(files[i].Data))
		if err != nil {
			return err
		}
		padding := make([]byte, -len(files[i].Data)&(tarBlock-1))
		for _, part := range [][]byte{header, files[i].Data, padding} {
			if _, err := w.Write(part); err != nil {
				return err
			}
		}
	}
	_, err := w.Write(make([]byte, 2*tarBlock)) // the end of the archive
	return err
}

// Where fields of a header begin, and how long those for names are.
const (
	tarMode, tarSize, tarTime, tarSum, tarType, tarMagic, tarPrefix = 100, 124, 136, 148, 156, 257, 345

	tarName      = 100
	tarPrefixLen = 155
)

func tarHeader(name string, size int) ([]byte, error) {
	prefix, name, ok := tarPath(name)
	if !ok {
		return nil, fmt.Errorf("capsule: %q is too long for an archive", name)
	}
	h := make([]byte, tarBlock)
	copy(h, name)
	copy(h[tarPrefix:], prefix)
	copy(h[tarMode:], "0000644\x000000000\x000000000\x00") // owner and group are 0
	copy(h[tarSize:], fmt.Sprintf("%011o\x00", size))
	copy(h[tarTime:], "00000000000\x00")
	copy(h[tarSum:], "        ")
	h[tarType] = '0'
	copy(h[tarMagic:], "ustar\x0000")
	sum := 0
	for _, b := range h {
		sum += int(b)
	}
	copy(h[tarSum:], fmt.Sprintf("%06o\x00 ", sum))
	return h, nil
}

// tarPath divides a long path into folders and the rest.
func tarPath(path string) (prefix, name string, ok bool) {
	name = path
	for len(name) > tarName {
		folder, rest, more := strings.Cut(name, "/")
		if !more {
			return "", path, false
		}
		prefix, name = strings.TrimPrefix(prefix+"/"+folder, "/"), rest
	}
	return prefix, name, len(prefix) <= tarPrefixLen
}
