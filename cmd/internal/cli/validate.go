package cli

import (
	"context"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/engine"
)

func (a *app) validateCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "validate [FILE]",
		Short: "Check a model for errors",
		Args:  cobra.MaximumNArgs(1),
	}
	modelFlags(cmd)
	a.formatFlag(cmd, formatTable, formatJSON, formatGitHub)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s, err := settingsOf(cmd)
		if err != nil {
			return err
		}
		basic, err := s.basic()
		if err != nil {
			return err
		}
		path := s.text("model")
		if len(args) == 1 {
			path = args[0]
		}
		if path == "" {
			return newUsageError("validate needs a model file: semlayer validate FILE")
		}
		return a.validate(cmd.Context(), path, basic)
	}
	return cmd
}

func (a *app) validate(ctx context.Context, path string, basic bool) error {
	v, err := engine.ValidateFile(ctx, path, basic)
	if err != nil {
		return err
	}
	switch a.outputFormat() {
	case formatJSON:
		err = a.printJSON(struct {
			Issues        []engine.Issue         `json:"issues"`
			CompileErrors []*engine.CompileError `json:"compile_errors"`
			Warnings      []*engine.Warning      `json:"warnings"`
		}{v.Issues, v.CompileErrors, v.Warnings})
	case formatGitHub:
		_, err = io.WriteString(a.std.Out, findingsCommands(path, v))
	default:
		// A file that has gone since it was judged costs the excerpts alone.
		source, _ := os.ReadFile(path)
		_, err = io.WriteString(a.std.Out, findingsText(path, source, v, styleOf(a.std.Out)))
	}
	if err == nil && !v.Valid {
		return errAlreadyPrinted
	}
	return err
}

// createFile writes a file that must not exist yet.
func createFile(path string, content []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err := f.Write(content); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close()
}
