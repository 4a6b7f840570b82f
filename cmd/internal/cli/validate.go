package cli

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/engine"
)

func (a *app) validateCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "validate [FILE]",
		Short: "Judge a model",
		Args:  cobra.MaximumNArgs(1),
	}
	modelFlags(cmd)
	a.formatFlag(cmd, formatTable, formatJSON)
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
			return usage("validate needs a model file: semlayer validate FILE")
		}
		return a.validate(path, basic)
	}
	return cmd
}

func (a *app) validate(path string, basic bool) error {
	v, err := engine.ValidateFile(path, basic)
	if err != nil {
		return err
	}
	if a.outputFormat() == formatJSON {
		err = a.printJSON(struct {
			Issues        []engine.Issue         `json:"issues"`
			CompileErrors []*engine.CompileError `json:"compile_errors"`
			Warnings      []*engine.Warning      `json:"warnings"`
		}{v.Issues, v.CompileErrors, v.Warnings})
	} else {
		err = a.printFindings(path, v)
	}
	if err == nil && !v.Valid {
		return errSilent
	}
	return err
}

func (a *app) printFindings(path string, v *engine.Validation) error {
	var failures []error
	line := func(p engine.Position, kind, code, message, location string) {
		_, err := fmt.Fprintf(a.std.Out, "%s%s: %s: %s%s\n", engine.At(path, p), kind, code, message, inParentheses(location))
		failures = append(failures, err)
	}
	for _, i := range v.Issues {
		line(i.Position, string(i.Severity), i.Code, i.Message, i.Location)
	}
	for _, c := range v.CompileErrors {
		line(c.Position, "error", c.Code, c.Message, c.Location)
	}
	for _, w := range v.Warnings {
		line(w.Position, "warning", w.Code, w.Message, w.Location)
	}
	verdict := "valid"
	if !v.Valid {
		verdict = "not valid"
	}
	_, err := fmt.Fprintf(a.std.Out, "%s is %s\n", path, verdict)
	return errors.Join(append(failures, err)...)
}

// writeNew writes a file that must not exist yet.
func writeNew(path string, content []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	if _, err := f.Write(content); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close()
}
