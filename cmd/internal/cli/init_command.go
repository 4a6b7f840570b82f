package cli

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/cmd/internal/demo"
	"github.com/semlayer/semlayer/executor/duckdb"
)

func (a *app) initCommand() *cobra.Command {
	var from initFromOptions
	cmd := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Write a model of your data, or the bundled model and data, to a directory",
		Long: "init writes the bundled model and its data to DIR, by default the working directory.\n\n" +
			"With --from it reads the tables of your data and writes DIR/model.yaml: a dataset for each table, the keys and\n" +
			"relationships that the database declares or the data prove, and metrics. SOURCE is a folder, a file or a glob of\n" +
			"Parquet, CSV or JSON files; a DuckDB or SQLite file; a DSN such as postgres://user:password@host/database; or a\n" +
			"profile of the connections file. For a database it also writes DIR/service-connections.yaml. It runs only SELECT statements.",
		Args: cobra.MaximumNArgs(1),
	}
	from.addToCommand(cmd)
	addConnectionsFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		dir := "."
		if len(args) == 1 {
			dir = args[0]
		}
		if cmd.Flags().Changed(fromFlag) {
			return a.initModelFromSource(cmd.Context(), cmd, &from, dir)
		}
		a.format = formatTable
		return a.init(cmd, dir)
	}
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error { return from.checkFlagCombinations(cmd) }
	a.addFormatFlag(cmd, formatTable, formatJSON)
	return cmd
}

// init writes the model, the script of the data, and a database made by it. It
// overwrites nothing.
func (a *app) init(cmd *cobra.Command, dir string) error {
	at := func(extension string) string { return filepath.Join(dir, demo.ModelName+extension) }
	model, script, db := at(".yaml"), at(".sql"), at(".duckdb")
	err := writeStagedFiles(dir, false, []stagedFile{
		newStagedFile(model, demo.ModelText()), newStagedFile(script, []byte(demo.DataSQL())),
		{db, func(path string) error { return duckdb.CreateDatabase(cmd.Context(), path, demo.DataSQL()) }},
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.std.Out, `Wrote %[1]s, %[2]s and %[3]s. Next:

  semlayer serve --model %[1]s --db %[3]s
  semlayer query --model %[1]s --db %[3]s --metrics revenue --group-by customers.region
`, model, script, db)
	return err
}
