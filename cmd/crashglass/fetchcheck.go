package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"crashglass/cmd/internal/fetch"
	"crashglass/core/base/bin"
	"crashglass/core/process/module"
	"crashglass/symbols"
	"crashglass/symbols/archives/archive"
	"crashglass/symbols/archives/decompress"
)

// fits says why a downloaded file cannot be used, or "". It opens only that file, and compares its
// IDs with those of the dumps: a server may have sent a sign-in page, or another build. The error
// is about reading the file from the disk.
func fits(store, name string, modules []module.Module) (why string, err error) {
	file, err := os.Open(filepath.Join(store, filepath.FromSlash(name)))
	if err != nil {
		return "", cause(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return "", cause(err)
	}
	alone := symbols.NewStore(symbols.Options{Limits: archive.Limits{Decompressors: decompress.All(), Seekers: decompress.Seekers()}})
	defer alone.Close()
	for _, item := range alone.Add(name, bin.NewSource(file, info.Size())) {
		if item.Use != symbols.IsSymbols {
			return "this is " + item.Kind.Sentence() + ", not a symbol file", nil
		}
	}
	for i := range modules {
		if len(alone.Fits(&modules[i])) > 0 {
			return "", nil
		}
	}
	return "it belongs to another build than the requested one", nil
}

// refuse removes a downloaded file that cannot be used, so that it is not mistaken for the right
// one. A file that was in the store before is kept.
func (c *cli) refuse(store string, a *fetch.Answer, why string) {
	if a.State == fetch.Had {
		c.fail(a.Path, errors.New("the existing file cannot be used ("+why+"): remove it and run fetch again"))
		return
	}
	if err := os.Remove(filepath.Join(store, filepath.FromSlash(a.Path))); err != nil {
		c.fail(a.Path, cause(err))
	}
	c.fail(a.Path, fmt.Errorf("%s: %s", a.Server, why))
}
