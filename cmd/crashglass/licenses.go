package main

import (
	"errors"
	"io/fs"

	"github.com/spf13/cobra"
)

// licenseFiles are in the built-in page: the program's licence, the licences of what the page contains, and those of
// what else is linked into the program.
var licenseFiles = []string{"LICENSE.txt", "THIRD_PARTY_LICENSES.txt", "PROGRAM_LICENSES.txt"}

// licensesCommand prints the licences, because those of the linked code require that a copy of the
// program comes with their text.
func licensesCommand(c *cli) *cobra.Command {
	cmd := &cobra.Command{Use: "licenses", Short: "the licence of this program and those of what is linked into it"}
	return c.command(cmd, "", nil, func(args []string) int { return c.licenses(args, builtIn) })
}

// licenses prints the licences, which are part of the embedded page. A program without the page is
// built from the source, which has them.
func (c *cli) licenses(args []string, page fs.FS) int {
	if len(args) > 0 {
		return c.wrong("unexpected argument %q", args[0])
	}
	if page == nil {
		c.fail("licenses", errors.New("this program was built without the page; its source has LICENSE and THIRD_PARTY_LICENSES"))
		return exitInput
	}
	for _, name := range licenseFiles {
		text, err := fs.ReadFile(page, name)
		if err != nil {
			c.fail(name, cause(err))
			return exitInput
		}
		if _, err := c.out.Write(text); err != nil {
			return c.written(err)
		}
	}
	return exitOK
}
