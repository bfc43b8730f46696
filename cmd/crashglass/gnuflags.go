package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// gnuFlags gives each long flag that was written with one dash its second one.
// Go's flag package, which read this command line in the past, took -format
// and --format alike, and scripts have both.
func gnuFlags(root *cobra.Command, args []string) []string {
	if len(args) > 0 && args[0] == "as" {
		return args // they are another program's
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
		name, _, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "=")
		if strings.HasPrefix(arg, "-") && long[name] && len(name) > 1 {
			out[i] = "-" + arg
		}
	}
	return out
}
