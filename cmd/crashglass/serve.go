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

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"crashglass/cmd/internal/remote"
)

type serveFlags struct {
	addr, dir string // dir is "" for the built-in page
	public    bool   // other machines may reach it

	symbols, sources, origins []string

	gdb   string // a dump for debuggers, "" for none
	local localFlags
}

// register adds the flags. The default address is a loopback one: an open port is a choice of the user.
func (s *serveFlags) register(f *pflag.FlagSet) {
	f.StringVar(&s.addr, "addr", "127.0.0.1:8080", "`address` to listen on; port 0 picks a free one")
	f.StringVar(&s.dir, "dir", "", "`folder` with the built page, used instead of the page inside this program")
	f.StringArrayVar(&s.symbols, "symbols", nil, "`path` of symbols for profilers, which query them at this address; repeatable")
	f.StringArrayVar(&s.sources, "source", nil, "`folder` of source files that profilers may show; repeatable")
	f.StringArrayVar(&s.origins, "allow-origin", nil, "`origin` whose pages may embed the page and query symbols; repeatable")
	f.StringVar(&s.gdb, "gdb", "", "`dump` that gdb, lldb and others read at this address by GDB's remote protocol, instead of the page")
	s.local.register(f)
	f.BoolVar(&s.public, "public", false, "allow an --addr that other machines can reach")
}

// serveCommand serves the page, which some browsers open from a disk only in the form of viewer.html.
func serveCommand(c *cli) *cobra.Command {
	var s serveFlags
	cmd := &cobra.Command{Use: "serve [flags]", Short: "serve the page, or a dump for debuggers, on this machine", Example: "  crashglass serve --addr 127.0.0.1:0\n" +
		"  crashglass serve --gdb crash.dmp --symbols build/ & gdb -ex 'target remote 127.0.0.1:8080'"}
	return c.command(cmd, "", s.register, func(args []string) int { return c.serve(args, &s) })
}

// serve serves the page until it is interrupted. An address that other machines reach needs --public.
func (c *cli) serve(args []string, s *serveFlags) int {
	if len(args) > 0 {
		return c.wrong("unexpected argument %q", args[0])
	}
	if !s.public && !isLoopback(s.addr) {
		return c.wrong("%q can be reached from other machines: use --public to allow that", s.addr)
	}
	for _, origin := range s.origins {
		if !originForm.MatchString(origin) {
			return c.wrong("%q is no origin, which is like https://example.org", origin)
		}
	}
	if s.public && (s.symbols != nil || s.gdb != "") {
		return c.wrong("--symbols and --gdb answer this machine only: they cannot be used with --public")
	}
	if s.gdb != "" {
		if s.dir != "" || s.sources != nil || s.origins != nil {
			return c.wrong("--gdb serves no page: it cannot be used with --dir, --source or --allow-origin")
		}
		return c.serveDebuggers(s)
	}
	page, err := pageFiles(s.dir)
	if err != nil && (s.dir != "" || s.symbols == nil) {
		c.fail(cmp.Or(s.dir, c.name), err)
		return exitInput
	}
	handler := &site{files: page, public: s.public, origins: s.origins}
	if s.symbols != nil {
		files := newFiles(c)
		defer files.close()
		files.addSymbols(c, s.symbols)
		if handler.queries, err = newQueries(files, s); err != nil {
			c.fail(c.name, err)
			return exitInput
		}
	}
	l, err := net.Listen("tcp", s.addr)
	if err != nil {
		c.fail(s.addr, err)
		return exitInput
	}
	fmt.Fprintf(c.out, "http://%s/\n", l.Addr())
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	c.fail(s.addr, server.Serve(l))
	return exitInput
}

// serveDebuggers shows a dump to debuggers, one after the other, until it is interrupted.
func (c *cli) serveDebuggers(s *serveFlags) int {
	files := newLocalFiles(c, &s.local, nil)
	if files == nil {
		return exitInput
	}
	defer files.close()
	files.addSymbols(c, s.symbols)
	target, err := files.target(c, s.gdb)
	if err != nil {
		c.fail(s.gdb, cause(err))
		return c.status
	}
	l, err := net.Listen("tcp", s.addr)
	if err != nil {
		c.fail(s.addr, err)
		return exitInput
	}
	defer l.Close()
	fmt.Fprintf(c.out, "target remote %s\n", l.Addr())
	for {
		conn, err := l.Accept()
		if err != nil {
			c.fail(s.addr, err)
			return exitInput
		}
		// Clients that are no debuggers connect, too, and may send nothing, such as a browser that expects a page.
		conn.SetReadDeadline(time.Now().Add(silence))
		if err := remote.Serve(debugger{conn}, target); err != nil {
			c.warn(s.gdb, err.Error())
		}
		conn.Close()
	}
}

// silence bounds how long a client may send nothing at first.
const silence = 10 * time.Second

// A debugger is a connection whose time limit ends with its first bytes.
type debugger struct{ net.Conn }

// Read implements io.Reader.
func (d debugger) Read(p []byte) (int, error) {
	n, err := d.Conn.Read(p)
	d.SetReadDeadline(time.Time{})
	return n, err
}

// errNoPage is the error for a folder of --dir that has no built page.
var errNoPage = errors.New("has no index.html; build the page first, or name its folder with --dir")

// pageFiles returns the page: that of a folder, or the built-in one.
func pageFiles(dir string) (fs.FS, error) {
	if dir != "" {
		root, err := os.OpenRoot(dir) // not os.DirFS, which follows links out of the folder
		if err != nil {
			return nil, errNoPage
		}
		page := root.FS()
		if _, err := fs.Stat(page, "index.html"); err != nil {
			return nil, errNoPage
		}
		return page, nil
	}
	if builtIn == nil {
		return nil, errors.New("this program was built without the page; name its folder with --dir, or run ./build.sh program")
	}
	return builtIn, nil
}

// isLoopback reports whether an address is a loopback address. It resolves no names but localhost.
func isLoopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
