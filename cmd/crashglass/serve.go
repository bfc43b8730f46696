package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"time"
)

func serve(c *cli, args []string) int {
	f := c.flags()
	addr := f.String("addr", "127.0.0.1:8080", "`address` to listen on; port 0 picks a free one")
	dir := f.String("dir", "", "`folder` that holds the built page, in place of the one inside this program")
	public := f.Bool("public", false, "let -addr be an address that other machines reach")
	if status, ok := c.parse(f, args); !ok {
		return status
	}
	if f.NArg() > 0 {
		return c.wrong("unexpected argument %q", f.Arg(0))
	}
	page, err := pageFiles(*dir)
	if err != nil {
		c.fail(cmp.Or(*dir, c.name), err)
		return exitInput
	}
	if !*public && !isLoopback(*addr) {
		return c.wrong("%q can be reached from other machines: say -public if it shall be", *addr)
	}
	l, err := net.Listen("tcp", *addr)
	if err != nil {
		c.fail(*addr, err)
		return exitInput
	}
	fmt.Fprintf(c.out, "http://%s/\n", l.Addr())
	server := &http.Server{Handler: &site{page, *public}, ReadHeaderTimeout: 10 * time.Second}
	c.fail(*addr, server.Serve(l))
	return exitInput
}

// pageFiles is the page: that of a folder, or the one that was built in.
func pageFiles(dir string) (fs.FS, error) {
	if dir != "" {
		page := os.DirFS(dir)
		if _, err := fs.Stat(page, "index.html"); err != nil {
			return nil, errors.New("has no index.html; build the page first, or name its folder with -dir")
		}
		return page, nil
	}
	if builtIn == nil {
		return nil, errors.New("this program was built without the page; name its folder with -dir, or build it by ./build.sh program")
	}
	return builtIn, nil
}

// isLoopback reports whether an address is one of this machine alone. A name
// other than localhost is not looked up.
func isLoopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
