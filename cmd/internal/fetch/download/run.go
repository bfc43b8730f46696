// Package download fetches the files of a list into a folder. It runs in a process of its own,
// which gets that list and no dump. The table of imports keeps every reader of dumps out of this
// package.
//
// Files are stored as the server sent them, compressed or not, and are not parsed. Their size is
// bounded, and a file appears under its name only when it is complete. The other process checks
// whether a file belongs to the right build.
//
// Read this file first, then candidate.go, which requests one address, and part.go.
package download

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"

	"crashglass/cmd/internal/fetch"
)

// Command is the argument that makes a program the downloading process.
const Command = "fetch-list"

const atOnce = 4

// maxList bounds the list, as JSON.
const maxList = 64 << 20

// Run reads a list, fetches its files, and writes an answer for each as a line
// of JSON.
func Run(in io.Reader, out io.Writer) error {
	var list fetch.List
	if err := json.NewDecoder(io.LimitReader(in, maxList)).Decode(&list); err != nil {
		return fmt.Errorf("download: the list: %w", err)
	}
	if err := os.MkdirAll(list.Store, 0o777); err != nil {
		return err
	}
	store, err := os.OpenRoot(list.Store) // no name can leave this folder
	if err != nil {
		return err
	}
	defer store.Close()
	d := &downloader{store: store, client: newClient(), pause: retryPause, wait: waitTime, most: mostTime}
	return d.all(list.Items, json.NewEncoder(out))
}

// all fetches the items, several at a time.
func (d *downloader) all(items []fetch.Item, out *json.Encoder) error {
	work := make(chan int)
	var mu sync.Mutex
	var workers sync.WaitGroup
	var failed error
	answer := func(a fetch.Answer) {
		mu.Lock()
		defer mu.Unlock()
		if err := out.Encode(a); err != nil {
			failed = err
		}
	}
	for range min(atOnce, len(items)) {
		workers.Go(func() {
			for i := range work {
				d.item(&items[i], func(a fetch.Answer) { a.Item = i; answer(a) })
			}
		})
	}
	for i := range items {
		work <- i
	}
	close(work)
	workers.Wait()
	return failed
}

// item queries one server after the other until one has a file.
func (d *downloader) item(it *fetch.Item, answer func(fetch.Answer)) {
	for i, try := range it.Tries {
		came := false
		for _, file := range try.Files {
			a := d.file(file)
			a.Try, a.Server = i, try.Server
			came = came || a.State == fetch.Came || a.State == fetch.Had
			answer(a)
		}
		if came {
			return
		}
	}
}

// file requests one file under its names, unless the store has it under one of them.
func (d *downloader) file(file fetch.File) (a fetch.Answer) {
	for _, place := range file {
		if a, ok := d.had(place); ok {
			return a
		}
	}
	for _, place := range file {
		if a = d.candidate(place); a.State != fetch.Missing && a.State != fetch.Refused {
			return a
		}
	}
	if len(file) > 0 {
		a.Path = file[0].Path
	}
	return a
}
