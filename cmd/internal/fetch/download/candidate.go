package download

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"sync"
	"time"

	"crashglass/cmd/internal/fetch"
)

type downloader struct {
	store  *os.Root
	client *http.Client
	pause  time.Duration // before an address is requested again, growing each time
	wait   time.Duration // for the beginning of a response, and for each further part of leastRate
	most   time.Duration // for a whole response
	busy   sync.Map      // a mutex for each path: two modules may want one file
	dead   sync.Map      // the hosts that did not answer, or stalled
}

// alone waits until no other goroutine writes to a path.
func (d *downloader) alone(path string) (done func()) {
	mu, _ := d.busy.LoadOrStore(path, new(sync.Mutex))
	mu.(*sync.Mutex).Lock()
	return mu.(*sync.Mutex).Unlock
}

const (
	retryPause = time.Second
	maxTries   = 4 // of one address
	waitTime   = 30 * time.Second
	mostTime   = 2 * time.Hour
	leastRate  = 8 << 10 // bytes per second, in each waitTime of a response; a modem is as slow
	maxBytes   = 4 << 30 // above every known symbol file: Chromium's is 1.9 GB
)

// errNotThere means that the server has no such file, which is an answer and no failure. A store
// without permission to list answers 403 for missing files (Amazon S3 does), so that is
// no failure either.
var (
	errNotThere  = errors.New("not there")
	errForbidden = errors.New("refused, or not there")
)

// candidate requests one address. If the response breaks off, it sends another request, and resumes.
func (d *downloader) candidate(p fetch.Candidate) (a fetch.Answer) {
	a = fetch.Answer{Path: p.Path}
	if !fs.ValidPath(p.Path) || p.Path == "." {
		return failed(a, fmt.Errorf("%q is no path below a folder", p.Path))
	}
	defer d.alone(p.Path)()
	if had, ok := d.had(p); ok {
		return had
	}
	host := hostOf(p.URL)
	if why, dead := d.dead.Load(host); dead {
		return failed(a, fmt.Errorf("not requested, because of an earlier file: %w", why.(error)))
	}
	for try := 1; ; try++ {
		path, size, err := d.once(p)
		var again retryable
		switch {
		case err == nil:
			a.State, a.Path, a.Bytes = fetch.Came, path, size
			return a
		case errors.Is(err, errNotThere):
			a.State = fetch.Missing
			return a
		case errors.Is(err, errForbidden):
			a.State = fetch.Refused
			return a
		case !errors.As(err, &again) || try == maxTries:
			if errors.Is(err, errNoAnswer) || errors.Is(err, errSlow) || errors.Is(err, errLong) {
				d.dead.Store(host, err)
			}
			return failed(a, err)
		}
		time.Sleep(time.Duration(try) * d.pause)
	}
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return u.Host
}

// failed makes an answer of an error. Its text is shown to the user.
func failed(a fetch.Answer, err error) fetch.Answer {
	a.State, a.Why = fetch.Failed, err.Error()
	return a
}

// gzipped is the suffix of a file that a server sent compressed.
const gzipped = ".gz"

// had finds a file that is in the store already, as it is or compressed.
func (d *downloader) had(p fetch.Candidate) (a fetch.Answer, ok bool) {
	for _, name := range []string{p.Path, p.Path + gzipped} {
		if info, err := d.store.Stat(name); err == nil && info.Mode().IsRegular() {
			return fetch.Answer{State: fetch.Had, Path: name, Bytes: info.Size()}, true
		}
	}
	return fetch.Answer{}, false
}

// A retryable error may disappear when the address is requested again.
type retryable struct{ error }

func (r retryable) Unwrap() error { return r.error }

// once requests an address once, and returns the name and size of the complete file. The request has
// no header about the user: Go sends no others than Host and these two.
func (d *downloader) once(p fetch.Candidate) (path string, size int64, err error) {
	ctx, cancel := context.WithTimeoutCause(context.Background(), d.most, errLong)
	defer cancel()
	ctx, stop := context.WithCancelCause(ctx)
	timer := time.AfterFunc(d.wait, func() { stop(errSlow) }) // a redirect may have a body, too
	defer timer.Stop()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.URL, nil)
	if err != nil {
		return "", 0, err
	}
	request.Header.Set("User-Agent", "crashglass")
	request.Header.Set("Accept-Encoding", "gzip, identity")
	part := d.part(p)
	part.resume(request)
	answer, err := d.client.Do(request)
	var withAddress *url.Error // the address is known, and may be long
	if errors.As(err, &withAddress) {
		return "", 0, temporary(withAddress.Err)
	}
	if err != nil {
		return "", 0, temporary(err)
	}
	defer answer.Body.Close()
	if err := status(answer, part); err != nil {
		return "", 0, err
	}
	timer.Reset(d.wait)
	return part.take(answer, &patient{Reader: answer.Body, ctx: ctx, timer: timer, wait: d.wait})
}

// temporary wraps an error of the network as retryable. A refused redirect is not retryable.
func temporary(err error) error {
	if errors.Is(err, errRedirects) || errors.Is(err, errPlain) {
		return err
	}
	return retryable{fmt.Errorf("%w: %w", errNoAnswer, err)}
}

// status interprets a response's status code.
func status(answer *http.Response, part *part) error {
	switch code := answer.StatusCode; {
	case code == http.StatusOK || code == http.StatusPartialContent && part.continues(answer):
		return nil
	case code == http.StatusNotFound || code == http.StatusGone:
		return errNotThere
	case code == http.StatusForbidden:
		return errForbidden
	case code == http.StatusPartialContent || code == http.StatusRequestedRangeNotSatisfiable:
		part.discard()
		return retryable{fmt.Errorf("it sent another part of the file than the requested one")}
	case code == http.StatusTooManyRequests || code >= 500:
		return retryable{fmt.Errorf("it answered %s", answer.Status)}
	default:
		return fmt.Errorf("it answered %s", answer.Status)
	}
}

// A patient reader aborts a response that sends too little for too long.
type patient struct {
	io.Reader
	ctx   context.Context
	timer *time.Timer
	wait  time.Duration
	size  int64 // bytes since the timer was set
}

// errNoAnswer is the error of a request without a response. A second try may get one.
var errNoAnswer = errors.New("it did not answer")

// Errors of a transfer that would take days, or for ever. A second try would be as slow.
var (
	errSlow = fmt.Errorf("it sent less than %d bytes per second", leastRate)
	errLong = fmt.Errorf("it needed more than %v", mostTime)
)

// Read sets the timer anew each time that enough bytes are there. A burst does not count for later.
func (p *patient) Read(b []byte) (int, error) {
	n, err := p.Reader.Read(b)
	if p.size += int64(n); p.size >= int64(p.wait.Seconds()*leastRate) {
		p.size = 0
		p.timer.Reset(p.wait)
	}
	if why := context.Cause(p.ctx); err != nil && err != io.EOF && why != nil {
		err = why
	}
	return n, err
}

const (
	headTime     = 30 * time.Second // until a server begins its answer
	maxRedirects = 5
)

// newClient returns an HTTP client that sends servers only addresses: no cookies, and no Referer
// after a redirect. Proxies come from the environment.
func newClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.ResponseHeaderTimeout = headTime
	transport.DisableCompression = true // a compressed file is stored as it was sent
	return &http.Client{Transport: transport, CheckRedirect: checkRedirect}
}

var (
	errRedirects = errors.New("it redirects too often")
	errPlain     = errors.New("it redirects to an unencrypted address")
)

// checkRedirect follows redirects, which Microsoft's and Mozilla's servers need, but not from an
// encrypted connection to a plain one.
func checkRedirect(next *http.Request, via []*http.Request) error {
	next.Header.Del("Referer")
	switch {
	case len(via) >= maxRedirects:
		return errRedirects
	case via[len(via)-1].URL.Scheme == "https" && next.URL.Scheme != "https":
		return errPlain
	}
	return nil
}
