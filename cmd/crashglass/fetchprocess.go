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

// download has a list fetched, and checks what came.
func (c *cli) download(w *wanted, store string) int {
	text, err := json.Marshal(fetch.List{Store: store, Items: w.Items})
	if err != nil {
		c.fail(store, err)
		return exitInput
	}
	self, err := os.Executable()
	if err != nil {
		c.fail(c.name, err)
		return exitInput
	}
	process := exec.Command(self, download.Command)
	var said bytes.Buffer
	process.Stdin, process.Stderr, process.Env = bytes.NewReader(text), &said, passed(os.Environ())
	answers, err := process.StdoutPipe()
	if err == nil {
		err = process.Start()
	}
	if err != nil {
		c.fail(c.name, err)
		return exitInput
	}
	came := c.answers(answers, w, store)
	if err := process.Wait(); err != nil {
		c.fail(store, fmt.Errorf("the download ended early: %s", strings.TrimSpace(said.String())))
	}
	_, err = fmt.Fprintf(c.out, "symbols for %d of %s\n", came, w.count())
	return max(c.status, c.written(err))
}

// answers says what became of each file, and counts the modules with files that
// are of their build.
func (c *cli) answers(lines io.Reader, w *wanted, store string) (came int) {
	read := json.NewDecoder(lines)
	has := map[int]bool{}
	for {
		var a fetch.Answer
		switch err := read.Decode(&a); {
		case errors.Is(err, io.EOF):
			return len(has)
		case err != nil:
			c.fail(store, err)
			return len(has)
		case a.Item < 0 || a.Item >= len(w.Items) || there(&a) && !filepath.IsLocal(filepath.FromSlash(a.Path)):
			c.fail(store, errors.New("the download answered something else"))
			return len(has)
		}
		if there(&a) {
			if why := fits(store, a.Path, w.of(a.Item)); why != "" {
				c.refuse(store, &a, why)
				continue
			}
			has[a.Item] = true
		}
		c.answered(&a)
	}
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
