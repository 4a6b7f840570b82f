package cli

import (
	"errors"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/semlayer/semlayer/engine"
)

// rejectUnknownCommands makes help and the commands that only group other commands reject
// an unknown subcommand. Cobra's default prints help and exits with 0, which a script takes
// for success.
func rejectUnknownCommands(root *cobra.Command) {
	root.SetHelpCommand(helpCommand(root))
	root.InitDefaultCompletionCmd()
	root.Args = rejectUnknownSubcommand
	for _, cmd := range root.Commands() {
		if !cmd.HasSubCommands() {
			continue
		}
		cmd.Args = rejectUnknownSubcommand
		if !cmd.Runnable() { // cobra does not validate the arguments of a command that does not run
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
}

// rejectArguments rejects a word of a command that takes flags alone, and names the flag that was probably meant.
func rejectArguments(flag string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		meant := flag
		if info, err := os.Stat(args[0]); err == nil && info.Mode().IsRegular() || meant == "" {
			meant = "model"
		}
		return newUsageError(cmd.CommandPath() + " takes no argument " + strconv.Quote(args[0]) + "; did you mean --" + meant + " " + quoteShellWord(args[0]) + "?")
	}
}

// rejectUnknownSubcommand rejects a word that names no command below cmd.
func rejectUnknownSubcommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	message := "unknown command " + strconv.Quote(args[0]) + " for " + strconv.Quote(cmd.CommandPath())
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.Name() == helpCommandName {
			names = append(names, c.Name())
		}
	}
	if meant, ok := engine.ClosestName(strings.ToLower(args[0]), names); ok {
		message += "; did you mean " + meant + "?"
	} else if nearest := engine.NearestNames(strings.ToLower(args[0]), names, 3); len(nearest) > 0 {
		message += "; the nearest are " + strings.Join(nearest, ", ")
	}
	return newUsageError(message)
}

func helpCommand(root *cobra.Command) *cobra.Command {
	find := func(args []string) (*cobra.Command, []string) {
		cmd, rest, err := root.Find(args)
		if err != nil {
			return root, args
		}
		return cmd, rest
	}
	return &cobra.Command{
		GroupID: otherCommandsGroup,
		Use:     helpCommandName + " [command]",
		Short:   "Help about any command",
		Long:    "help describes a command and its flags.",
		Args: func(_ *cobra.Command, args []string) error {
			return rejectUnknownSubcommand(find(args))
		},
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, _ := find(args)
			cmd.InitDefaultHelpFlag() // which its help lists
			cmd.InitDefaultVersionFlag()
			return cmd.Help()
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			var out []string
			cmd, _ := find(args)
			for _, c := range cmd.Commands() {
				if c.IsAvailableCommand() && strings.HasPrefix(c.Name(), typed) {
					out = append(out, completionItem(c.Name(), c.Short))
				}
			}
			return out, cobra.ShellCompDirectiveNoFileComp
		},
	}
}

// helpHint names the help of the command whose line is wrong.
func helpHint(cmd *cobra.Command) string {
	if cmd == nil || !cmd.HasParent() || cmd.Name() == helpCommandName {
		return "Run 'semlayer help' for the commands."
	}
	return "Run '" + cmd.CommandPath() + " --help' for its flags and examples."
}

const helpCommandName = "help"

// addFlagSuggestionToError adds the flag that was probably meant to the error of an unknown one.
func addFlagSuggestionToError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	if cmd.HasSubCommands() && cmd.Flags().NArg() > 0 { // the flag is of a command that does not exist
		if refused := rejectUnknownSubcommand(cmd, cmd.Flags().Args()); refused != nil {
			return refused
		}
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if nearest, ok := engine.ClosestName(unknown.GetSpecifiedName(), names); ok {
		return newUsageError(err.Error() + "; the nearest is --" + nearest)
	}
	return err
}
