package download

import (
	"errors"
	"net/http"
	"time"
)

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
