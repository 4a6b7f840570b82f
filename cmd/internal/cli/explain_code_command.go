package cli

import (
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/cmd/internal/errcodes"
)

func (a *app) explainCodeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "explain-code CODE",
		Short: "Describe an error code, with an example",
		Args:  cobra.ExactArgs(1),
	}
	a.addFormatFlag(cmd, formatTable, formatJSON)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		found, nearest, meant := errcodes.Find(args[0])
		if len(found) == 0 {
			message := "unknown code " + strconv.Quote(args[0])
			if meant != "" {
				message += "; did you mean " + meant + "?"
			}
			return newUsageError(message + "; the nearest are " + strings.Join(nearest, ", "))
		}
		if a.effectiveOutputFormat() == formatJSON {
			return a.printJSON(found)
		}
		var texts []string
		for _, e := range found {
			texts = append(texts, errorCodeText(e))
		}
		_, err := io.WriteString(a.std.Out, strings.Join(texts, "\n"))
		return err
	}
	cmd.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		var names []string
		if len(args) == 0 {
			for _, e := range errcodes.All() {
				names = append(names, e.Code)
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
	return cmd
}

// errorCodeText describes one code of one stage.
func errorCodeText(e errcodes.CodeEntry) string {
	var b strings.Builder
	b.WriteString(e.Code + " (" + e.Stage + ", " + e.Severity + ")\n")
	line := func(label, value string) {
		if value != "" {
			b.WriteString("  " + label + strings.Repeat(" ", len("no longer raised: ")-len(label)) + value + "\n")
		}
	}
	line("when:", e.When)
	line("no longer raised:", e.Retired)
	if e.Status > 0 {
		line("HTTP status:", strconv.Itoa(e.Status))
	}
	line("carries:", strings.Join(e.Extras, ", "))
	line("since:", e.Since)
	if e.Example != nil {
		b.WriteString("  example" + strings.TrimSuffix(", "+e.Example.Intro(), ", ") + ":\n")
		for text := range strings.SplitSeq(strings.TrimSuffix(e.Example.Text+"\n"+e.Example.Data, "\n"), "\n") {
			b.WriteString("    " + text + "\n")
		}
	}
	return b.String()
}
