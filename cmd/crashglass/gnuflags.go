package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// gnuFlags adds the second dash to long flags that have only one. Earlier versions used Go's flag
// package, which accepted -format and --format, and scripts use both. A value that looks like such a
// flag is changed, too, but no path or format begins with a dash and the name of a flag.
func gnuFlags(root *cobra.Command, args []string) []string {
	if len(args) > 0 && args[0] == "as" {
		return args // these flags belong to another program
	}
	long := map[string]bool{"help": true, "version": true}
	for _, cmd := range root.Commands() {
		cmd.Flags().VisitAll(func(f *pflag.Flag) { long[f.Name] = true })
	}
	out := make([]string, len(args))
	for i, arg := range args {
		if arg == "--" {
			copy(out[i:], args[i:])
			break
		}
		out[i] = arg
		name, _, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "=") // --format keeps a dash and is in no list
		if strings.HasPrefix(arg, "-") && long[name] && len(name) > 1 {
			out[i] = "-" + arg
		}
	}
	return out
}
