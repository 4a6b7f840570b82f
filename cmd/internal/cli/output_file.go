package cli

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// formatsByExtension are the formats that the name of a file requests.
var formatsByExtension = map[string]string{
	".json": formatJSON, ".csv": formatCSV, ".txt": formatTable, ".arrow": formatArrow, ".arrows": formatArrow,
}

// addOutputFlag adds -o to a command with formats: the output goes to a file, whose extension
// selects the format unless --format is set.
func (a *app) addOutputFlag(cmd *cobra.Command, formats []string) {
	var path string
	cmd.Flags().StringVarP(&path, "output", "o", "", "file to write instead of standard output; .json, .csv, .txt and .arrow choose the format")
	before := cmd.PreRunE
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
		if ending := strings.ToLower(filepath.Ext(path)); a.format == "" && ending != "" {
			a.format = formatsByExtension[ending]
			if !slices.Contains(formats, a.format) {
				return newUsageError("-o " + path + ": the ending " + ending + " has no format; the endings are " + strings.Join(endingsOfFormats(formats), ", ") +
					", and --format chooses the format of any other")
			}
		}
		if a.format == formatArrow && path == "" && isTerminal(a.std.Out) {
			return newUsageError("--format arrow is not for a terminal: redirect it, or name a file with --output")
		}
		a.path = path
		return before(cmd, args)
	}
}

// endingsOfFormats lists the endings of files that have one of the formats.
func endingsOfFormats(formats []string) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(formatsByExtension)), func(ending string) bool {
		return !slices.Contains(formats, formatsByExtension[ending])
	})
}

// applyOutputFileFlagToCommands makes every command that has -o write to that file.
func (a *app) applyOutputFileFlagToCommands(cmd *cobra.Command) {
	for _, c := range cmd.Commands() {
		a.applyOutputFileFlagToCommands(c)
	}
	run := cmd.RunE
	if run == nil || cmd.Flags().Lookup("output") == nil {
		return
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if a.path == "" {
			return run(cmd, args)
		}
		return a.runWithOutputFile(a.path, func() error { return run(cmd, args) })
	}
}

// runWithOutputFile runs a command whose output goes to the file at path. The file appears
// when it is complete: a failed command leaves no partial file and keeps the previous one.
// A device is written directly.
func (a *app) runWithOutputFile(path string, run func() error) (err error) {
	out := a.std.Out
	defer func() { a.std.Out = out }()
	if info, statErr := os.Stat(path); statErr == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		a.std.Out = f
		return errors.Join(run(), f.Close())
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		// The error names the file that was requested, not the one on the way to it.
		var at *os.PathError
		if errors.As(err, &at) {
			at.Path = path
		}
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	a.std.Out = f
	if err := errors.Join(run(), f.Close()); err != nil {
		return explainFullDisk(err, filepath.Dir(path))
	}
	if err := os.Chmod(f.Name(), 0o644); err != nil { //nolint:gosec // a file like any other that a command writes
		return err
	}
	return os.Rename(f.Name(), path)
}
