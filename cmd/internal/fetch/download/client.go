package download

import (
	"errors"
	"net/http"
	"time"
)

const (
	headTime     = 30 * time.Second // for a server to begin its answer
	maxRedirects = 5
)

// newClient is an HTTP client that tells servers nothing but addresses: it keeps
// no cookies, and says of a redirect not where it came from. Proxies are those
// of the environment.
func newClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.ResponseHeaderTimeout = headTime
	transport.DisableCompression = true // a compressed file is kept as it came
	return &http.Client{Transport: transport, CheckRedirect: checkRedirect}
}

var (
	errRedirects = errors.New("it sends us on too often")
	errPlain     = errors.New("it sends us on to an address without encryption")
)

// checkRedirect follows servers to the stores behind them, as those of Microsoft
// and Mozilla want it, but not from an encrypted connection to a plain one.
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
