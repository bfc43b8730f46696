// Package download fetches the files of a list into a folder. It is all that a
// process of its own does, which is given that list and no dump: by the table of
// imports, nothing that could read one is linked to it.
//
// What comes is written as it came, compressed or not, and is not looked into.
// Whether it is of the build that was meant is checked by the other process.
//
// Read this file first, then place.go, which tries the places of a file,
// client.go and part.go.
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

// atOnce is how many files are on their way at a time.
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
	store, err := os.OpenRoot(list.Store) // no name leads out of it
	if err != nil {
		return err
	}
	defer store.Close()
	d := &downloader{store: store, client: newClient(), pause: retryPause}
	return d.all(list.Items, json.NewEncoder(out))
}

// all fetches items, several at a time.
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

// item tries one server after the other until one has a file.
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

// file asks for one file under its names, unless it is there under one of them.
func (d *downloader) file(file fetch.File) (a fetch.Answer) {
	for _, place := range file {
		if a, ok := d.had(place); ok {
			return a
		}
	}
	for _, place := range file {
		if a = d.place(place); a.State != fetch.Missing {
			return a
		}
	}
	if len(file) > 0 {
		a.Path = file[0].Path
	}
	return a
}
