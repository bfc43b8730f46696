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

// downloading runs the list in the process that reaches the network. Its standard input is the list,
// and its standard output has the answers, both as JSON.
func downloading() int {
	if err := download.Run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "crashglass:", oneLine(err.Error()))
		return exitInput
	}
	return exitOK
}

// environment lists the variables that the downloading process inherits: how to reach the network,
// and which certificates to trust. It gets no others.
var environment = []string{
	"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "SYSTEMROOT",
}

// passed returns the variables that the downloading process inherits. Names are compared in upper
// case, because curl and Go read http_proxy, too.
func passed(environ []string) (out []string) {
	for _, entry := range environ {
		name, _, _ := strings.Cut(entry, "=")
		if slices.Contains(environment, strings.ToUpper(name)) {
			out = append(out, entry)
		}
	}
	return out
}

// download fetches a list and checks the downloaded files. If a file cannot be used, the next round
// continues with the servers after the one that sent it.
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

type downloaded struct {
	*cli
	*wanted
	store   string
	has     map[int]bool // the items with a file of the right build
	refused map[int]int  // by item, the try of this round whose file could not be used
}

// round starts a process that fetches the files, and checks each file as soon as its answer arrives.
// The process is this program: an installation is one file, and PATH may lead to another version.
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

// answers prints the result for each file, and records the modules whose files have matching ids.
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

// listed reports whether an answer is about an item of the list and a path within the store. The
// process reads what servers send, so its answers are not trusted.
func (d *downloaded) listed(a *fetch.Answer) bool {
	if a.Item < 0 || a.Item >= len(d.Items) || a.Try < 0 || a.Try >= len(d.Items[a.Item].Tries) {
		return false
	}
	return !there(a) || filepath.IsLocal(filepath.FromSlash(a.Path))
}

// check compares the IDs of a downloaded file, and removes a file of another build. Only a file that
// was downloaded now makes the next server worth a request.
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

// rest returns the list for the next round, which goes to the next servers. For each item whose file could not be used, it has the
// tries behind the one that was answered. It is nil when there are none.
func (d *downloaded) rest(items []fetch.Item) []fetch.Item {
	rest := make([]fetch.Item, len(items)) // in the same places, because answers name items by index
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

// there reports whether an answer's file is in the store.
func there(a *fetch.Answer) bool { return a.State == fetch.Came || a.State == fetch.Had }

// answered prints the result for one file.
func (c *cli) answered(a *fetch.Answer) {
	switch a.State {
	case fetch.Came:
		c.say(fmt.Sprintf("%s: %d bytes from %s", a.Path, a.Bytes, a.Server))
	case fetch.Had:
		c.say(fmt.Sprintf("%s: it was there already", a.Path))
	case fetch.Missing:
		c.say(fmt.Sprintf("%s: not at %s", a.Path, a.Server))
	case fetch.Refused:
		c.say(fmt.Sprintf("%s: not at %s, which answered 403 Forbidden: it refuses the file, or does not have it", a.Path, a.Server))
	case fetch.Failed:
		c.fail(a.Path, fmt.Errorf("%s: %s", a.Server, a.Why))
	}
}
