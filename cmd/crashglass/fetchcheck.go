package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"crashglass/cmd/internal/fetch"
	"crashglass/core/bin"
	"crashglass/core/module"
	"crashglass/symbols"
	"crashglass/symbols/archive"
	"crashglass/symbols/decompress"
)

// fits says why a file that came is no use, or "". It opens the file alone, and
// compares its ids with those of the dumps: a server may have sent a page for
// signing in, or another build. An error is ours: the file could not be read.
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
			return "this is " + item.Kind.Sentence() + ", and no symbol file", nil
		}
	}
	for i := range modules {
		if len(alone.Fits(&modules[i])) > 0 {
			return "", nil
		}
	}
	return "it is of another build than the one that was asked for", nil
}

// refuse removes a file that was fetched and is no use, so that it does not stand
// for the right one. One that was there before is not ours to remove.
func (c *cli) refuse(store string, a *fetch.Answer, why string) {
	if a.State == fetch.Had {
		c.fail(a.Path, errors.New("it was there already and is no use ("+why+"): remove it to have it fetched"))
		return
	}
	if err := os.Remove(filepath.Join(store, filepath.FromSlash(a.Path))); err != nil {
		c.fail(a.Path, cause(err))
	}
	c.fail(a.Path, fmt.Errorf("%s: %s", a.Server, why))
}
