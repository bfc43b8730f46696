package main

import (
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// shells maps each supported shell to the function that writes its completion script.
var shells = map[string]func(*cobra.Command, io.Writer) error{
	"bash":       func(root *cobra.Command, w io.Writer) error { return root.GenBashCompletionV2(w, true) },
	"zsh":        (*cobra.Command).GenZshCompletion,
	"fish":       func(root *cobra.Command, w io.Writer) error { return root.GenFishCompletion(w, true) },
	"powershell": (*cobra.Command).GenPowerShellCompletionWithDesc,
}

// plainUsages removes the backquotes around values from the flags' descriptions, because shells
// would show them.
func plainUsages(root *cobra.Command) {
	for _, cmd := range root.Commands() {
		cmd.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = strings.ReplaceAll(f.Usage, "`", "") })
	}
}

// completionCommand writes completion scripts. They call the program with a hidden command of cobra's
// on each Tab, so they complete the values of flags, too.
func completionCommand(c *cli) *cobra.Command {
	names := slices.Sorted(maps.Keys(shells))
	cmd := &cobra.Command{
		Use:   "completion SHELL",
		Short: "completion for " + strings.Join(names, ", "),
		Long: `Writes the completion script of a shell. The script for bash needs the package
bash-completion.`,
		ValidArgs: names,
		Example: `  source <(crashglass completion bash)
  crashglass completion zsh >"${fpath[1]}/_crashglass"
  crashglass completion fish >~/.config/fish/completions/crashglass.fish
  crashglass completion powershell | Out-String | Invoke-Expression`,
	}
	return c.command(cmd, "", nil, func(args []string) int {
		if len(args) != 1 || shells[args[0]] == nil {
			return c.wrong("name one of these shells: %s", strings.Join(names, ", "))
		}
		return c.written(shells[args[0]](cmd.Root(), c.out))
	})
}
