package main

import (
	"net/http"
	"net/url"
	"path"
	"strings"
)

// A redirectTarget is a host, or a folder of one, to which a server may redirect.
type redirectTarget struct {
	host, folder string // "storage.example", "/bucket/"; "/" for the whole host
}

// parseRedirectTarget reads HOST or HOST/FOLDER/.
func parseRedirectTarget(text string) (redirectTarget, bool) {
	host, below, isFolder := strings.Cut(text, "/")
	u, err := url.Parse("https://" + text)
	ok := err == nil && u.Host == host && host != "" && u.User == nil && u.RawQuery == "" && u.Fragment == "" &&
		(!isFolder || strings.HasSuffix(u.Path, "/") && inside(u.Path, "/"))
	return redirectTarget{host, "/" + below}, ok
}

func (p redirectTarget) has(u *url.URL) bool { return u.Host == p.host && inside(u.Path, p.folder) }

// Servers differ in what a backslash and two dots mean, so both are refused.
func inside(file, folder string) bool {
	return strings.HasPrefix(file, folder) && !strings.Contains(file, `\`) && path.Clean(file) == strings.TrimSuffix(file, "/") || file == folder
}

// A server may redirect within its own folder, and to the targets that the deployer configured.
func (p *proxy) redirect(answer *http.Response, from *url.URL, s server) (next *url.URL, isRedirect bool, err error) {
	switch answer.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return nil, false, nil
	}
	next, err = from.Parse(answer.Header.Get("Location"))
	if err != nil || !allowed(next) || next.User != nil || !p.mayFollow(next, s) {
		return nil, true, errAnswer
	}
	return next, true, nil
}

func (p *proxy) mayFollow(u *url.URL, s server) bool {
	own := redirectTarget{s.base.Host, s.base.Path}
	if own.has(u) {
		return true
	}
	for _, allowed := range p.redirects {
		if allowed.has(u) {
			return true
		}
	}
	return false
}
