package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// A proxy answers GET /symbols/NAME/ID/NAME.sym by asking the configured
// servers in turn. Of the request only name, id and range go on; of the answer
// only bytes, length, range and a strong entity tag come back. It logs a word for each request, out
// of a handful, and nothing of what was asked.
type proxy struct {
	config
	// upstream is what asks: by the name of a binding, or "" for the internet.
	// An error that is context.DeadlineExceeded means that the time is up.
	upstream func(binding string) http.RoundTripper
	missing  memory
	count    func(outcome string)
}

// A memory remembers for a while what no server had.
type memory interface {
	has(key string) bool
	add(key string)
}

// The times of which caches are told, in seconds. A file under an id never
// changes; one that is missing may be uploaded.
const (
	keepFound   = "public, max-age=31536000, immutable"
	keepMissing = "public, max-age=600"
)

// maxRedirects is enough for a server that sends to its storage, and that to another region.
const maxRedirects = 3

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	outcome := p.serve(w, r)
	p.count(outcome)
}

// serve answers, and returns the word for the log.
func (p *proxy) serve(w http.ResponseWriter, r *http.Request) string {
	// A cache must not give another site's page what this one may have, nor this one the refusal of another.
	w.Header().Set("Vary", "Sec-Fetch-Site")
	w.Header().Set("Cache-Control", "no-store") // unless the answer says otherwise
	refuse := func(code int, why string) string {
		http.Error(w, why, code)
		return "refused"
	}
	if r.Method != http.MethodGet {
		w.Header().Set("Allow", "GET")
		return refuse(http.StatusMethodNotAllowed, "symbols can only be asked for")
	}
	// Browsers say who asks. Other sites' pages, and programs, have the symbol servers themselves.
	if r.Header.Get("Sec-Fetch-Site") != "same-origin" {
		return refuse(http.StatusForbidden, "symbols are for this site's own page")
	}
	q, ok := parseQuestion(strings.TrimPrefix(r.URL.EscapedPath(), symbolsPath), r.URL.RawQuery)
	if !ok {
		return refuse(http.StatusBadRequest, "want "+symbolsPath+"NAME/ID/NAME.sym")
	}
	if !p.allows(q.name) {
		return refuse(http.StatusForbidden, "this site has no symbols of that name")
	}
	part := strings.Join(r.Header.Values("Range"), ",")
	if part != "" && !rangePattern.MatchString(part) {
		return refuse(http.StatusBadRequest, "want one range of bytes")
	}
	key := url.PathEscape(q.name) + "/" + q.id + "/" + q.build
	if p.missing.has(key) {
		return notThere(w)
	}
	return p.ask(w, r, q, part, key)
}

func notThere(w http.ResponseWriter) string {
	w.Header().Set("Cache-Control", keepMissing)
	http.Error(w, "no server has this file", http.StatusNotFound)
	return "missing"
}

// ask asks the servers in turn, and passes on the first answer that is one.
func (p *proxy) ask(w http.ResponseWriter, r *http.Request, q question, part, key string) string {
	var failure error
	for _, s := range p.servers {
		u, ok := s.address(q)
		if !ok {
			continue
		}
		answer, err := p.get(r.Context(), s, u, part)
		if err == nil {
			defer answer.Body.Close()
			return pass(w, answer)
		}
		if !errors.Is(err, errMissing) {
			failure = err
		}
	}
	switch {
	case failure == nil:
		p.missing.add(key)
		return notThere(w)
	case errors.Is(failure, context.DeadlineExceeded):
		http.Error(w, "the symbol server is too slow", http.StatusGatewayTimeout)
	case errors.Is(failure, errTooLarge):
		http.Error(w, "the file is larger than this site passes on", http.StatusBadGateway)
	case errors.Is(failure, errRange):
		http.Error(w, "the file has no such range", http.StatusRequestedRangeNotSatisfiable)
	default:
		http.Error(w, "the symbol server failed", http.StatusBadGateway)
	}
	return "failed"
}

var (
	errMissing  = errors.New("the server does not have it")
	errTooLarge = errors.New("the file is too large")
	errRange    = errors.New("there is no such range")
	errAnswer   = errors.New("the server's answer is of no use")
)

// get asks one server, and follows it to the hosts that it may send us to.
func (p *proxy) get(ctx context.Context, s server, u *url.URL, part string) (*http.Response, error) {
	for range maxRedirects + 1 {
		answer, err := p.getOnce(ctx, s.binding, u, part)
		if err != nil {
			return nil, err
		}
		next, isRedirect, err := p.redirect(answer, u, s)
		if !isRedirect {
			return answer, p.check(answer, part)
		}
		answer.Body.Close()
		if err != nil {
			return nil, err
		}
		u = next
	}
	return nil, errAnswer
}

// getOnce sends a request that has nothing of the visitor's in it.
func (p *proxy) getOnce(ctx context.Context, binding string, u *url.URL, part string) (*http.Response, error) {
	ask, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, errAnswer
	}
	ask.Header.Set("User-Agent", "crashglass")
	if part != "" {
		ask.Header.Set("Range", part)
		ask.Header.Set("Accept-Encoding", "identity") // a range is one of the bytes as they are sent
	}
	return p.upstream(binding).RoundTrip(ask)
}

// check reports whether an answer is the file. A store that lists nothing
// answers 403 for what it does not have (Amazon S3 does).
func (p *proxy) check(answer *http.Response, part string) error {
	err := p.judge(answer, part)
	if err != nil {
		answer.Body.Close()
	}
	return err
}

func (p *proxy) judge(answer *http.Response, part string) error {
	switch answer.StatusCode {
	case http.StatusNotFound, http.StatusForbidden, http.StatusGone:
		return errMissing
	case http.StatusRequestedRangeNotSatisfiable:
		return errRange
	case http.StatusPartialContent:
		size, ok := sizeOfPart(answer.Header.Get("Content-Range"), part)
		if !ok {
			return errAnswer
		}
		if size > p.maxBytes {
			return errTooLarge
		}
	case http.StatusOK:
	default:
		return errAnswer
	}
	if length(answer) > p.maxBytes {
		return errTooLarge
	}
	return nil
}

// length is how many bytes will come, or 0 when nobody knows. What the server
// packed is unpacked on the way, and longer than the server says.
func length(answer *http.Response) int64 {
	if encoding := answer.Header.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
		return 0
	}
	n, err := strconv.ParseInt(answer.Header.Get("Content-Length"), 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// pass sends an answer on, as it comes.
func pass(w http.ResponseWriter, answer *http.Response) string {
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Cache-Control", keepFound)
	w.Header().Set("Accept-Ranges", "bytes")
	if n := length(answer); n > 0 {
		w.Header().Set("Content-Length", strconv.FormatInt(n, 10))
	}
	if tag := answer.Header.Get("ETag"); strongTag.MatchString(tag) {
		w.Header().Set("ETag", tag)
	}
	if answer.StatusCode == http.StatusPartialContent {
		w.Header().Set("Content-Range", answer.Header.Get("Content-Range"))
		w.Header().Set("Cache-Control", "no-store") // under the address of the file it would be taken for the whole of it
	}
	w.WriteHeader(answer.StatusCode)
	io.Copy(w, answer.Body) // whoever hung up is not ours to mend
	return "found"
}
