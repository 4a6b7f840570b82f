package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/engine/generate"
	"github.com/semlayer/semlayer/engine/source"
)

const fromFlag = "from"

// initFlagsRequiringFrom are the flags that init takes beside --from alone.
var initFlagsRequiringFrom = []string{"name", "schema", "include", "exclude", "views", "max-rows", "no-infer", "force", "print", formatFlagName, "output", "connections"}

// initFromOptions holds the flags of init --from.
type initFromOptions struct {
	source  string
	options generate.Options
	force   bool
	print   bool
}

func (o *initFromOptions) addToCommand(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.source, fromFlag, "", "make a model of `SOURCE`: data files, a database file, a DSN or a connection profile")
	f.StringVar(&o.options.Name, "name", "", "name of the model; by default the name of the database, the folder or the file")
	f.StringSliceVar(&o.options.Schemas, "schema", nil, "schemas to read; by default the default schema of the database")
	f.StringSliceVar(&o.options.Include, "include", nil, "globs of the tables to read, matched with schema.table or with the table name; by default all")
	f.StringSliceVar(&o.options.Exclude, "exclude", nil, "globs of the tables to leave out, matched with schema.table or with the table name")
	f.BoolVar(&o.options.Views, "views", false, "read database views, too")
	f.Int64Var(&o.options.MaxRows, "max-rows", generate.DefaultMaxRows, "rows that one proof may read; 0 for all")
	f.BoolVar(&o.options.NoInfer, "no-infer", false, "write only keys and relationships that the database declares")
	f.BoolVar(&o.force, "force", false, "overwrite existing files")
	f.BoolVar(&o.print, "print", false, "print the model and write nothing; the report goes to standard error")
}

// checkFlagCombinations returns an error for flags that do not fit together.
func (o *initFromOptions) checkFlagCombinations(cmd *cobra.Command) error {
	if !cmd.Flags().Changed(fromFlag) {
		for _, name := range initFlagsRequiringFrom {
			if cmd.Flags().Changed(name) {
				return newUsageError("--" + name + " needs --" + fromFlag)
			}
		}
		return nil
	}
	switch {
	case o.source == "":
		return newUsageError("--" + fromFlag + " must not be empty")
	case o.options.MaxRows < 0:
		return newUsageError("--max-rows must not be negative")
	}
	return nil
}

// initModelFromSource writes a model of a source, and for a database its connections file.
func (a *app) initModelFromSource(ctx context.Context, cmd *cobra.Command, o *initFromOptions, dir string) error {
	s, err := newSettingsReader(cmd)
	if err != nil {
		return err
	}
	model := filepath.Join(dir, "model.yaml")
	connections := filepath.Join(dir, "service-connections.yaml")
	if !o.print {
		if err := o.errorIfFileExists(model); err != nil {
			return err
		}
	}
	c, err := a.readEngineConfig(s, a.newCommandLogger())
	if err != nil {
		return err
	}
	opened, err := source.OpenSource(ctx, o.source, c)
	if err != nil {
		return toSourceUsageError(err)
	}
	defer func() { _ = opened.DB.Close() }()
	if !o.print && opened.Profiles != nil {
		if err := o.errorIfFileExists(connections); err != nil {
			return err
		}
	}
	out, err := generate.GenerateFromWarehouse(ctx, opened.DB, o.completeGenerateOptions(opened))
	if err != nil {
		return toSourceUsageError(err)
	}
	for _, w := range opened.Warnings {
		if !slices.Contains(out.Report.Notes, w) {
			out.Report.Notes = append(out.Report.Notes, w)
		}
	}
	if o.print {
		if _, err := a.std.Out.Write(out.Text); err != nil {
			return err
		}
		return a.printGenerationReport(a.std.Err, out.Report, "")
	}
	files := []stagedFile{newStagedFile(model, out.Text)}
	if opened.Profiles != nil {
		files = append(files, newStagedFile(connections, opened.Profiles))
	}
	if err := writeStagedFiles(dir, o.force, files); err != nil {
		return err
	}
	return a.printGenerationReport(a.std.Out, out.Report, nextStepsText(o.source, c.ConnectionsPath, opened, files))
}

// errorIfFileExists returns an error for a file that exists and must not be overwritten, with the flag that allows it.
func (o *initFromOptions) errorIfFileExists(path string) error {
	if err := errorIfFileExists(path, o.force); err != nil {
		return fmt.Errorf("%w (--force overwrites it)", err)
	}
	return nil
}

// completeGenerateOptions completes the flags with what the source gives.
func (o *initFromOptions) completeGenerateOptions(opened *source.Source) generate.Options {
	g := o.options
	g.Origin = opened.Origin
	if g.Name == "" {
		g.Name = opened.Name
	}
	if len(g.Schemas) == 0 {
		g.Schemas = opened.Schemas
	}
	g.Views = g.Views || opened.DataFiles
	return g
}

// toSourceUsageError makes a usage error of what the command line names wrongly.
func toSourceUsageError(err error) error {
	var unknown *source.Error
	var option *generate.OptionError
	if errors.As(err, &unknown) || errors.As(err, &option) {
		return newUsageError(err.Error())
	}
	return err
}

// nextStepsText lists the written files and the commands that use them.
func nextStepsText(from, connections string, opened *source.Source, files []stagedFile) string {
	model := files[0].path
	text := "Wrote " + model
	flags := "--model " + quoteShellWord(model)
	switch {
	case opened.DataFiles && opened.Connection == "":
		flags += " --data " + quoteShellWord(from)
	case opened.Profiles != nil:
		text += " and " + files[1].path
		flags += " --connections " + quoteShellWord(files[1].path)
	case connections != "":
		flags += " --connections " + quoteShellWord(connections)
	}
	text += ". Next:\n\n"
	if opened.HasPassword {
		text += "  export " + source.PasswordEnvVariable + "=…   # the password of the DSN\n"
	}
	if opened.Connection != "" {
		flags += " --" + defaultConnectionFlag + " " + quoteShellWord(opened.Connection)
	}
	text += "  semlayer serve " + flags + "\n"
	schema := filepath.Join(filepath.Dir(model), "model.schema.json")
	return text + "  semlayer schema > " + quoteShellWord(schema) + "   # completion in editors\n"
}

// printGenerationReport prints the report of a generated model, and the next steps below a text.
func (a *app) printGenerationReport(w io.Writer, r generate.Report, next string) error {
	format := a.format
	if format == "" && isTerminal(w) {
		format = formatTable
	}
	if format != formatTable {
		out := a.std.Out
		a.std.Out = w
		defer func() { a.std.Out = out }()
		return a.printJSON(r)
	}
	_, err := io.WriteString(w, generationReportText(r, terminalWidth(w))+next)
	return err
}

// generationReportText shows a report as text.
func generationReportText(r generate.Report, width int) string {
	keys := textTable{columns: []string{"dataset", "key", "found by", "rows read"}}
	for _, k := range r.Keys {
		read := tableCell{text: strconv.FormatInt(k.RowsRead, 10), number: true}
		if k.RowsRead > 0 && !k.Complete {
			read.text = "first " + read.text
		}
		keys.rows = append(keys.rows, []tableCell{newTextCell(k.Dataset), newTextCell(joinNames(k.Columns)), newTextCell(k.How), read})
	}
	text, _ := renderAlignedTable(keys, textStyle{}, width)
	out := "Model " + r.Model + ": " + modelCountsText(r) + ".\n\n" + string(text)
	if len(r.Relationships) > 0 {
		edges := textTable{columns: []string{"relationship", "from", "to", "found by", "values", "unmatched", "written"}}
		for _, e := range r.Relationships {
			edges.rows = append(edges.rows, []tableCell{
				newTextCell(e.Name), newTextCell(e.From + "." + joinNames(e.FromColumns)), newTextCell(e.To + "." + joinNames(e.ToColumns)), newTextCell(e.How),
				{text: strconv.FormatInt(e.Values, 10), number: true}, {text: strconv.FormatInt(e.Unmatched, 10), number: true},
				newTextCell(map[bool]string{true: "yes", false: "as a comment"}[e.Written]),
			})
		}
		text, _ := renderAlignedTable(edges, textStyle{}, width)
		out += "\n" + string(text)
	}
	for i, note := range r.Notes {
		if i == 0 {
			out += "\n"
		}
		out += "note: " + terminalSafeLine(note) + "\n"
	}
	return out + "\n"
}

// modelCountsText counts the objects of a generated model.
func modelCountsText(r generate.Report) string {
	return formatCountWithTitle(r.Datasets, "dataset") + ", " + formatCountWithTitle(r.Fields, "field") + ", " +
		formatCountWithTitle(r.Metrics, "metric") + " and " + formatCountWithTitle(r.CountWrittenRelationships(), "relationship")
}

func joinNames(names []string) string {
	text := ""
	for i, n := range names {
		if i > 0 {
			text += ", "
		}
		text += n
	}
	return text
}
