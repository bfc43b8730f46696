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

// A proxy answers GET /symbols/NAME/ID/NAME.sym by asking the configured servers in turn. It
// forwards only the name, the ID and the range of a request, and returns only bytes, length, range
// and a strong ETag. It logs one of a few words for each request, and no name or ID.
type proxy struct {
	config
	// upstream sends a request through the named binding, or to the internet for "".
	// context.DeadlineExceeded means that the time is up.
	upstream func(binding string) http.RoundTripper
	missing  memory
	count    func(outcome string)
}

// A memory remembers for a while which files no server had.
type memory interface {
	has(key string) bool
	add(key string)
}

// How long caches may keep an answer, in seconds. A file with a given ID never changes; a missing
// one may be uploaded.
const (
	cacheFound   = "public, max-age=31536000, immutable"
	cacheMissing = "public, max-age=600"
)

// platformTimes is how long the platform's cache keeps the answers of symbol servers, in seconds by
// status, whatever their headers say; -1 keeps nothing. A part of a file could be taken for the whole,
// and an error that was mended would come again.
var platformTimes = map[string]any{
	"100-199": -1, "200": 30 * 24 * 3600, "201-403": -1, "404": 600, "405-409": -1, "410": 600, "411-599": -1,
}

// maxRedirects suffices for a server that redirects to its storage, which redirects to another
// region.
const maxRedirects = 3

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	outcome := p.serve(w, r)
	p.count(outcome)
}

// serve answers a request and returns the word for the log.
func (p *proxy) serve(w http.ResponseWriter, r *http.Request) string {
	// A cache must not answer another site's page with this one's file, nor this page with another
	// site's refusal.
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
	// Browsers name the site that asks. Other sites and programs can ask the symbol servers
	// themselves.
	if r.Header.Get("Sec-Fetch-Site") != "same-origin" {
		return refuse(http.StatusForbidden, "symbols are for this site's own page")
	}
	q, ok := parseSymbolFile(strings.TrimPrefix(r.URL.EscapedPath(), symbolsPath), r.URL.RawQuery)
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
	return p.request(w, r, q, part, key)
}

func notThere(w http.ResponseWriter) string {
	w.Header().Set("Cache-Control", cacheMissing)
	http.Error(w, "no server has this file", http.StatusNotFound)
	return "missing"
}

// request asks the servers in turn, and forwards the first answer that is the file.
func (p *proxy) request(w http.ResponseWriter, r *http.Request, q symbolFile, part, key string) string {
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
		if !errors.Is(err, errMissing) && (failure == nil || !errors.Is(err, errForbidden)) {
			failure = err // a server that fails may have the file, and a refusal may only mean that it is missing
		}
	}
	switch {
	case failure == nil:
		p.missing.add(key)
		return notThere(w)
	case errors.Is(failure, errForbidden):
		http.Error(w, "a symbol server refuses this file, or lacks it", http.StatusForbidden)
		return "forbidden"
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
	errMissing = errors.New("the server does not have it")
	// A store without permission to list answers 403 for missing files (Amazon S3 does), and so does
	// one whose permissions are wrong or whose firewall refuses the Worker.
	errForbidden = errors.New("the server refuses it, or does not have it")
	errTooLarge  = errors.New("the file is too large")
	errRange     = errors.New("there is no such range")
	errAnswer    = errors.New("the server's answer is not the file")
)

// get asks one server, and follows its allowed redirects.
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

// getOnce sends a request that contains nothing from the visitor.
func (p *proxy) getOnce(ctx context.Context, binding string, u *url.URL, part string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, errAnswer
	}
	request.Header.Set("User-Agent", "crashglass")
	if part != "" {
		request.Header.Set("Range", part)
		request.Header.Set("Accept-Encoding", "identity") // a range counts bytes as they are sent
	}
	return p.upstream(binding).RoundTrip(request)
}

func (p *proxy) check(answer *http.Response, part string) error {
	err := p.judge(answer, part)
	if err != nil {
		answer.Body.Close()
	}
	return err
}

func (p *proxy) judge(answer *http.Response, part string) error {
	switch answer.StatusCode {
	case http.StatusNotFound, http.StatusGone:
		return errMissing
	case http.StatusForbidden:
		return errForbidden
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

// length is the number of bytes that will come, or 0 if it is unknown. The platform decompresses a
// compressed answer, which is then longer than its Content-Length.
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

// pass forwards an answer while it arrives.
func pass(w http.ResponseWriter, answer *http.Response) string {
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Cache-Control", cacheFound)
	w.Header().Set("Accept-Ranges", "bytes")
	if n := length(answer); n > 0 {
		w.Header().Set("Content-Length", strconv.FormatInt(n, 10))
	}
	if tag := answer.Header.Get("ETag"); strongTag.MatchString(tag) {
		w.Header().Set("ETag", tag)
	}
	if answer.StatusCode == http.StatusPartialContent {
		w.Header().Set("Content-Range", answer.Header.Get("Content-Range"))
		w.Header().Set("Cache-Control", "no-store") // a cache would take it for the whole file
	}
	w.WriteHeader(answer.StatusCode)
	io.Copy(w, answer.Body) // the visitor has closed the connection
	return "found"
}
