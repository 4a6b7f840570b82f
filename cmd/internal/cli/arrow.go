package cli

import (
	"context"
	"errors"
	"os"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/engine"
)

// formatArrow writes an Arrow IPC stream, which nobody reads on a terminal.
const formatArrow = "arrow"

// arrowFlag adds -o. It is checked before anything is opened.
func (a *app) arrowFlag(cmd *cobra.Command, path *string) {
	cmd.Flags().StringVarP(path, "output", "o", "", "file for the stream of --format arrow")
	before := cmd.PreRunE
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case a.format != formatArrow && *path != "":
			return usage("--output goes with --format arrow")
		case a.format == formatArrow && *path == "" && onTerminal(a.std.Out):
			return usage("--format arrow is not for a terminal: redirect it, or name a file with --output")
		}
		return before(cmd, args)
	}
}

// writeArrow writes a stream to the file at path, or to standard output when
// there is none, and closes the stream. The file is made once there is an answer,
// and removed when the answer breaks off: half of one is not to be found later.
func (a *app) writeArrow(ctx context.Context, s *engine.Stream, path string) (err error) {
	defer func() { err = errors.Join(err, s.Close()) }()
	if path == "" {
		_, err := s.Write(ctx, a.std.Out)
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = s.Write(ctx, f)
	err = errors.Join(err, f.Close())
	if info, statErr := os.Lstat(path); err != nil && statErr == nil && info.Mode().IsRegular() {
		err = errors.Join(err, os.Remove(path))
	}
	return err
}
