package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"crashglass/cmd/internal/fetch"
	"crashglass/cmd/internal/fetch/download"
)

// downloading is what the process does that reaches the network.
func downloading() int {
	if err := download.Run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "crashglass:", oneLine(err.Error()))
		return exitInput
	}
	return exitOK
}

// environment is what that process needs of ours: how to reach the network, and
// which certificates to trust. The rest is none of its business.
var environment = []string{
	"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "SYSTEMROOT",
}

func passed(environ []string) (out []string) {
	for _, entry := range environ {
		name, _, _ := strings.Cut(entry, "=")
		if slices.Contains(environment, strings.ToUpper(name)) {
			out = append(out, entry)
		}
	}
	return out
}

// download has a list fetched, and checks what came. A file that is no use does
// not end the search: the servers that follow its own are asked in another round.
func (c *cli) download(w *wanted, store string) int {
	d := &downloaded{cli: c, wanted: w, store: store, has: map[int]bool{}}
	for items := w.Items; items != nil; {
		if err := d.round(items); err != nil {
			c.fail(store, err)
			break
		}
		items = d.rest(items)
	}
	_, err := fmt.Fprintf(c.out, "symbols for %d of %s\n", len(d.has), w.count())
	return max(c.status, c.written(err))
}

// A downloaded is what became of a list.
type downloaded struct {
	*cli
	*wanted
	store   string
	has     map[int]bool // the items with a file of their build
	refused map[int]int  // the try that brought a file of no use in this round, by its item
}

// round has a process of its own fetch the files.
func (d *downloaded) round(items []fetch.Item) error {
	d.refused = map[int]int{}
	text, err := json.Marshal(fetch.List{Store: d.store, Items: items})
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	process := exec.Command(self, download.Command)
	var said bytes.Buffer
	process.Stdin, process.Stderr, process.Env = bytes.NewReader(text), &said, passed(os.Environ())
	answers, err := process.StdoutPipe()
	if err != nil {
		return err
	}
	if err := process.Start(); err != nil {
		return err
	}
	wrong := d.answers(answers)
	if err := process.Wait(); err != nil && wrong == nil {
		return fmt.Errorf("the download ended early: %s", strings.TrimSpace(said.String()))
	}
	return wrong
}

// answers says what became of each file, and notes the modules with files that
// are of their build.
func (d *downloaded) answers(lines io.Reader) error {
	read := json.NewDecoder(lines)
	for {
		var a fetch.Answer
		switch err := read.Decode(&a); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case !d.listed(&a):
			return fmt.Errorf("the downloading process answered for %q, which is not on its list", a.Path)
		}
		if there(&a) {
			d.check(&a)
		} else {
			d.answered(&a)
		}
	}
}

// listed reports whether an answer is about something that was asked for.
func (d *downloaded) listed(a *fetch.Answer) bool {
	if a.Item < 0 || a.Item >= len(d.Items) || a.Try < 0 || a.Try >= len(d.Items[a.Item].Tries) {
		return false
	}
	return !there(a) || filepath.IsLocal(filepath.FromSlash(a.Path))
}

// check compares the ids of a file that is there.
func (d *downloaded) check(a *fetch.Answer) {
	switch why, err := fits(d.store, a.Path, d.of(a.Item)); {
	case err != nil:
		d.fail(a.Path, err)
	case why != "":
		d.refuse(d.store, a, why)
		if a.State == fetch.Came {
			d.refused[a.Item] = a.Try
		}
	default:
		d.has[a.Item] = true
		d.answered(a)
	}
}

// rest is what the next round has to ask for: of each item with a file that is no
// use, the tries behind the one that it came by. It is nil when there are none.
func (d *downloaded) rest(items []fetch.Item) []fetch.Item {
	rest := make([]fetch.Item, len(items)) // with the numbers that they have
	more := false
	for i, by := range d.refused {
		rest[i].Tries = items[i].Tries[min(by+1, len(items[i].Tries)):]
		more = more || len(rest[i].Tries) > 0
	}
	if !more {
		return nil
	}
	return rest
}

// there reports whether an answer is about a file that is in the store.
func there(a *fetch.Answer) bool { return a.State == fetch.Came || a.State == fetch.Had }

// answered says what became of a file.
func (c *cli) answered(a *fetch.Answer) {
	switch a.State {
	case fetch.Came:
		c.say(fmt.Sprintf("%s: %d bytes from %s", a.Path, a.Bytes, a.Server))
	case fetch.Had:
		c.say(fmt.Sprintf("%s: it was there already", a.Path))
	case fetch.Missing:
		c.say(fmt.Sprintf("%s: not at %s", a.Path, a.Server))
	case fetch.Failed:
		c.fail(a.Path, fmt.Errorf("%s: %s", a.Server, a.Why))
	}
}
