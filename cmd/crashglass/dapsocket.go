package main

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"sync"
)

// dapAt answers clients that connect to a socket, until ctx ends.
func (c *cli) dapAt(ctx context.Context, path string) int {
	listener, err := listenPrivately(path)
	if err != nil {
		c.fail(path, cause(err))
		return c.status
	}
	defer os.Remove(path)
	defer context.AfterFunc(ctx, func() { listener.Close() })()
	var sessions sync.WaitGroup
	defer sessions.Wait()
	for {
		client, err := listener.Accept()
		if err != nil {
			if ctx.Err() == nil {
				c.fail(path, cause(err))
			}
			return c.status
		}
		ended := context.AfterFunc(ctx, func() { client.Close() })
		sessions.Go(func() {
			defer ended()
			defer client.Close()
			c.adapt(client, client) // a client that fails, or speaks another protocol, ends its own session only
		})
	}
}

// listenPrivately makes a socket that only this user may open, because a client can have any file of the user read. It is made in a folder
// that is closed to others, gets its mode there, and is then moved: at no moment can others connect.
func listenPrivately(path string) (net.Listener, error) {
	if _, err := os.Lstat(path); err == nil {
		return nil, errors.New("this exists already: remove it if no program answers there")
	}
	dir, err := os.MkdirTemp(filepath.Dir(path), ".dap")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	first := filepath.Join(dir, "s")
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: first, Net: "unix"})
	if err != nil {
		return nil, err
	}
	listener.SetUnlinkOnClose(false)
	if err = os.Chmod(first, 0o600); err == nil {
		err = os.Rename(first, path)
	}
	if err != nil {
		listener.Close()
		return nil, err
	}
	return listener, nil
}
