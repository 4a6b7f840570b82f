package cli

import (
	"context"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/importer"
)

func (a *app) validateCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "validate [FILE]",
		Short: "Check a model for errors, and against its data",
		Long: "validate checks a model file. It does not read data.\n\n" +
			"With --connection, --db, --data or --dsn it also checks the model against the data: whether sources and columns exist,\n" +
			"whether types fit, keys are unique, values of relationships have a match, and time fields fit their format.\n" +
			"It only reads. The exit code is 1 if the model or the data have an error; warnings alone are 0.",
		Args: cobra.MaximumNArgs(1),
	}
	addModelFlags(cmd)
	addDataCheckFlags(cmd)
	a.addFormatFlag(cmd, formatTable, formatJSON, formatGitHub)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s, err := newSettingsReader(cmd)
		if err != nil {
			return err
		}
		basic, err := s.readBasicMode()
		if err != nil {
			return err
		}
		path := s.readText("model")
		if len(args) == 1 {
			path = args[0]
		}
		if path == "" {
			return newUsageError("validate needs a model file: semlayer validate FILE")
		}
		if err := cmd.Flags().Set("model", path); err != nil {
			return err
		}
		data, err := a.readDataCheckFlags(s)
		if err != nil {
			return err
		}
		return a.runValidation(cmd.Context(), path, basic, data)
	}
	return cmd
}

// runValidation checks the file, and its data unless data is nil.
func (a *app) runValidation(ctx context.Context, path string, basic bool, data *requestedDataCheck) error {
	v, err := validateFile(ctx, path, basic, data)
	if err != nil {
		return err
	}
	switch a.effectiveOutputFormat() {
	case formatJSON:
		err = a.printJSON(struct {
			Issues        []modelspec.Issue           `json:"issues"`
			CompileErrors []*modelspec.CompileError   `json:"compile_errors"`
			Warnings      []*modelspec.CompileWarning `json:"warnings"`
		}{v.Issues, v.CompileErrors, v.Warnings})
	case formatGitHub:
		_, err = io.WriteString(a.std.Out, findingWorkflowCommands(path, v))
	default:
		// A file that has gone since it was judged costs the excerpts alone.
		source := readFileForExcerpts(path)
		_, err = io.WriteString(a.std.Out, validationFindingsText(path, source, v, styleOfStream(a.std.Out)))
	}
	if err == nil && v.LoadError != nil && a.effectiveOutputFormat() != formatTable {
		a.printError(v.LoadError)
	}
	if err == nil && data != nil && !v.DataChecked {
		_, err = io.WriteString(a.std.Err, "the data were not checked, because the model is not valid\n")
	}
	if err == nil && !v.Valid {
		return errFailureAlreadyPrinted
	}
	return err
}

// readFileForExcerpts reads a file again, none that is not regular: a pipe is read once.
func readFileForExcerpts(path string) []byte {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	text, err := readFileBounded(path, importer.MaxFileBytes)
	if err != nil {
		return nil
	}
	return text
}

func validateFile(ctx context.Context, path string, basic bool, data *requestedDataCheck) (*engine.Validation, error) {
	if data == nil {
		return engine.ValidateFile(ctx, path, basic)
	}
	return data.validateModelAndData(ctx, path)
}
