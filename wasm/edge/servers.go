package main

import (
	"fmt"
	"net"
	"net/url"
	"path"
	"strings"
)

// A server has symbols. Its layout says at which path below base a file is.
type server struct {
	layout  func(q symbolFile) (below []string, ok bool)
	base    *url.URL
	binding string // a binding of the Worker that is asked instead of the internet, or ""
}

// layouts are the three ways to find a file. Each holds another kind: a .sym, a PDB, an ELF file.
// The page identifies the kind by content.
var layouts = map[string]func(q symbolFile) ([]string, bool){
	// NAME/ID/NAME.sym: Breakpad's own, and Tecken's.
	"breakpad": func(q symbolFile) ([]string, bool) { return []string{q.name, q.id, symName(q.name)}, true },
	// NAME/ID/NAME: https://learn.microsoft.com/windows-hardware/drivers/debugger/symstore-folder-tree
	"symstore": func(q symbolFile) ([]string, bool) {
		return []string{q.name, q.id, q.name}, strings.EqualFold(path.Ext(q.name), ".pdb")
	},
	// buildid/BUILD/debuginfo: https://sourceware.org/elfutils/Debuginfod.html
	"debuginfod": func(q symbolFile) ([]string, bool) { return []string{"buildid", q.build, "debuginfo"}, q.build != "" },
}

// parseServers reads entries of LAYOUT=ADDRESS, with spaces between. An
// address is https://HOST/FOLDER/, http:// for this machine only, or
// binding:NAME/FOLDER/.
func parseServers(text string) ([]server, error) {
	var servers []server
	for i, entry := range strings.Fields(text) {
		name, address, _ := strings.Cut(entry, "=")
		s := server{layout: layouts[name]}
		if s.layout == nil {
			return nil, fmt.Errorf("symbol server %d: no layout %q", i+1, name)
		}
		rest, isBinding := strings.CutPrefix(address, "binding:")
		if isBinding {
			s.binding, rest, _ = strings.Cut(rest, "/")
			address = "https://binding/" + rest
		}
		base, err := url.Parse(address)
		nameless := isBinding && s.binding == "" // it would mean the internet
		if err != nil || nameless || !allowed(base) || base.RawQuery != "" || base.Fragment != "" || base.User != nil || !strings.HasSuffix(base.Path, "/") {
			return nil, fmt.Errorf("symbol server %d: want an address like https://host/folder/", i+1)
		}
		s.base = base
		servers = append(servers, s)
	}
	return servers, nil
}

// allowed reports whether requests to an address are safe: only encrypted ones, so that no third
// party can read or change them.
func allowed(u *url.URL) bool {
	ip := net.ParseIP(u.Hostname())
	return u.Host != "" && (u.Scheme == "https" || u.Scheme == "http" && ip != nil && ip.IsLoopback())
}

func (s server) address(q symbolFile) (*url.URL, bool) {
	below, ok := s.layout(q)
	if !ok {
		return nil, false
	}
	for i, part := range below {
		below[i] = url.PathEscape(part)
	}
	u, err := s.base.Parse(strings.Join(below, "/"))
	return u, err == nil && u.Host == s.base.Host && strings.HasPrefix(u.Path, s.base.Path)
}

// A config is the deployer's configuration, from the Worker's variables.
type config struct {
	servers   []server
	redirects []redirectTarget // where servers may redirect to, besides their own folder
	names     []string         // patterns of path.Match for names; without any, every name is allowed
	maxBytes  int64            // of one file
}

// defaultMaxBytes is larger than any symbol file that we know: Chromium's has 1.9 GB.
const defaultMaxBytes = 4 << 30

// parseConfig reads the variables. The proxy is off without SYMBOL_SERVERS.
func parseConfig(variable func(string) string) (c config, err error) {
	c.servers, err = parseServers(variable("SYMBOL_SERVERS"))
	if err != nil {
		return c, err
	}
	for _, text := range strings.Fields(variable("SYMBOL_REDIRECTS")) {
		p, ok := parseRedirectTarget(text)
		if !ok {
			return c, fmt.Errorf("SYMBOL_REDIRECTS: %q is no host, nor a folder like host/folder/", text)
		}
		c.redirects = append(c.redirects, p)
	}
	c.names = strings.Fields(variable("SYMBOL_NAMES"))
	for _, pattern := range c.names {
		if _, err := path.Match(pattern, ""); err != nil {
			return c, fmt.Errorf("SYMBOL_NAMES: %q is no pattern", pattern)
		}
	}
	c.maxBytes = defaultMaxBytes
	if text := variable("SYMBOL_MAX_BYTES"); text != "" {
		size, ok := parseSize(text)
		if !ok {
			return c, fmt.Errorf("SYMBOL_MAX_BYTES: %q is no size like 500MB or 2GiB", text)
		}
		c.maxBytes = size
	}
	return c, nil
}

func (c config) allows(name string) bool {
	if len(c.names) == 0 {
		return true
	}
	for _, pattern := range c.names {
		if ok, _ := path.Match(pattern, name); ok {
			return true
		}
	}
	return false
}

// builds reports whether a configured server needs build IDs.
func (c config) builds() bool {
	for _, s := range c.servers {
		if _, ok := s.layout(symbolFile{name: "a.pdb", build: "b"}); ok {
			if _, ok = s.layout(symbolFile{name: "a.pdb"}); !ok {
				return true
			}
		}
	}
	return false
}
