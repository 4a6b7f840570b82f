package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/cmd/internal/settings"
	"github.com/semlayer/semlayer/cmd/internal/warehouses"
	"github.com/semlayer/semlayer/engine"
)

// fmtOptions are the flags of fmt.
type fmtOptions struct {
	check, diff, force, declare bool
	// data has the types of declared fields, nil without a flag that names it.
	data       *engine.Config
	connection string
}

func (a *app) fmtCommand() *cobra.Command {
	var o fmtOptions
	cmd := &cobra.Command{
		Use:   "fmt [FILE...]",
		Short: "Rewrite model files in the standard layout",
		Long: `fmt rewrites model files in the standard layout. It expands short forms (expression: SUM(x), and
data as an object), puts keys into the order of the format, indents by two spaces, and keeps comments.
It lists the files that it changes. A file that is not YAML or JSON, or that is not a model, stays unchanged.
With - as FILE it reads standard input and writes standard output.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := newSettingsReader(cmd)
			if err != nil {
				return err
			}
			if model := s.readText("model"); len(args) == 0 && model != "" {
				args = []string{model}
			}
			if len(args) == 0 {
				return newUsageError("fmt needs a model file: semlayer fmt FILE")
			}
			if err := a.readDeclareFlags(s, &o); err != nil {
				return err
			}
			return a.fmtFiles(cmd.Context(), args, o)
		},
	}
	settings.AddFlags(cmd.Flags(), "model")
	cmd.Flags().BoolVar(&o.check, "check", false, "write nothing; list the files that would change, and exit with 1 if there are any")
	cmd.Flags().BoolVar(&o.diff, "diff", false, "write nothing; show what would change")
	cmd.Flags().BoolVar(&o.force, "force", false, "also rewrite a file that is YAML or JSON and not a model")
	cmd.Flags().BoolVar(&o.declare, "declare", false, "add the fields that relationships and metrics name and that the model does not declare")
	cmd.Flags().String("db", "", "with --declare: DuckDB file that has the types of the columns")
	cmd.Flags().String("connection", "", "with --declare: connection profile whose database has the types of the columns")
	addConnectionsFlag(cmd)
	return cmd
}

// readDeclareFlags reads which database has the types of declared fields.
func (a *app) readDeclareFlags(s settingsReader, o *fmtOptions) error {
	given := s.cmd.Flags().Changed
	switch {
	case !given("db") && !given("connection"):
		return nil
	case !o.declare:
		return newUsageError("--db and --connection are for the types of declared fields: add --declare")
	case given("db") && given("connection"):
		return newUsageError("--db and --connection are mutually exclusive")
	}
	c := engine.Config{Version: a.version, Logger: a.newCommandLogger(), Drivers: warehouses.Drivers()}
	if o.connection = s.readText("connection"); given("connection") {
		c.ConnectionsPath, c.DiscoverConnections = s.readText("connections"), true
	} else {
		c.DBPath = s.readText("db")
	}
	o.data = &c
	return nil
}

// fmtFiles formats files. One that cannot be formatted does not keep the others from it.
func (a *app) fmtFiles(ctx context.Context, paths []string, o fmtOptions) error {
	failed := false
	for _, path := range paths {
		text, formatted, err := a.readAndFormatFile(ctx, path, o)
		if err != nil {
			a.printError(err)
			failed = true
			continue
		}
		changed := !bytes.Equal(text, formatted)
		failed = failed || changed && o.check
		if err := a.printOrWriteFormattedFile(path, text, formatted, o); err != nil {
			return err
		}
	}
	if failed {
		return errFailureAlreadyPrinted
	}
	return nil
}

// readAndFormatFile returns the text of a file or of standard input, and the text in the one layout.
func (a *app) readAndFormatFile(ctx context.Context, path string, o fmtOptions) (text, formatted []byte, err error) {
	if path == standardInputFileName {
		text, formatted, err = engine.FormatModel(a.std.In, o.force)
	} else if info, statErr := os.Stat(path); statErr == nil && !info.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("%s: is not a regular file; - is standard input", path)
	} else {
		text, formatted, err = engine.FormatModelFile(path, o.force)
	}
	if err != nil || !o.declare {
		return text, formatted, err
	}
	formatted, declared, err := engine.DeclareModelFields(ctx, text, o.data, o.connection)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, f := range declared {
		datatype := ""
		if f.Datatype != "" {
			datatype = ", " + string(f.Datatype)
		}
		if _, err := fmt.Fprintf(a.std.Err, "%s: declared the field %s.%s%s: the %s names the column\n", path, f.Dataset, f.Name, datatype, f.NamedBy); err != nil {
			return nil, nil, err
		}
	}
	return text, formatted, nil
}

// printOrWriteFormattedFile shows or writes the result for one file.
func (a *app) printOrWriteFormattedFile(path string, text, formatted []byte, o fmtOptions) error {
	changed := !bytes.Equal(text, formatted)
	var err error
	switch {
	case o.diff:
		_, err = a.std.Out.Write(diff.Diff(path+" (now)", text, path+" (formatted)", formatted))
	case o.check && changed:
		_, err = fmt.Fprintln(a.std.Out, path)
	case o.check:
	case path == standardInputFileName:
		_, err = a.std.Out.Write(formatted)
	case changed:
		if err = replaceFileAtomically(path, formatted); err == nil {
			_, err = fmt.Fprintln(a.std.Out, path)
		}
	}
	return err
}

// replaceFileAtomically writes the new content of a file in one step: a reader sees the old content or
// the new one. The file keeps its mode, and a symbolic link stays one.
func replaceFileAtomically(path string, content []byte) (err error) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(target)
	if err != nil {
		return err
	}
	// Whether the file may be written is a property of the file; the rename asks the folder.
	writable, err := os.OpenFile(target, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if err := writable.Close(); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(target), "."+filepath.Base(target)+".*")
	if err != nil {
		return fmt.Errorf("%s: cannot be written: %w", path, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	_, err = f.Write(content)
	if err := errors.Join(err, f.Chmod(info.Mode().Perm()), f.Sync(), f.Close()); err != nil {
		return explainFullDisk(err, filepath.Dir(target))
	}
	return os.Rename(f.Name(), target)
}
