package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/engine"
)

// rollupSuggestCommand declares rollups that serve logged queries.
func (a *app) rollupSuggestCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "suggest --model FILE --json FILE [FILE]...",
		Short: "Declare rollups that serve logged queries",
		Long: "suggest reads the bodies of queries, one a line, or lines {\"path\",\"body\"}, or an audit log with its requests (- for standard\n" +
			"input), and prints rollups that serve them all, as the value of the key rollups of a model: one for each dataset whose rows\n" +
			"they aggregate, with the union of the fields and the coarsest periods that serve. It reads no data. Standard error names the\n" +
			"branches that no rollup serves.",
	}
	addModelFlags(cmd)
	var files []string
	cmd.Flags().StringArrayVar(&files, "json", nil, "file with queries, one a line; - for standard input")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if files = append(files, args...); len(files) == 0 {
			return newUsageError("name a file of queries with --json")
		}
		e, _, err := a.openEngine(cmd.Context(), cmd)
		if err != nil {
			return err
		}
		defer func() { _ = e.Close() }()
		var requests []engine.RequestLogEntry
		for _, path := range files {
			read, err := a.readRequests(path, engine.ReadQueries)
			if err != nil {
				return err
			}
			requests = append(requests, read...)
		}
		found, err := e.SuggestRollups(cmd.Context(), requests)
		if err != nil {
			return err
		}
		a.printLeftOut(found)
		return a.printJSON(found.Rollups)
	}
	return cmd
}

// printLeftOut names the queries that the suggested rollups do not serve, with the reasons.
func (a *app) printLeftOut(found engine.RollupSuggestions) {
	for _, f := range found.Failed {
		_, _ = fmt.Fprintf(a.std.Err, "line %d is left out, because it does not compile: %s\n", f.Line, f.Err)
	}
	for _, b := range found.LeftOut {
		_, _ = fmt.Fprintf(a.std.Err, "line %d: no rollup serves the branch of %s: %s (%s)\n", b.Line, b.Home, b.Message, b.Rule)
	}
}
