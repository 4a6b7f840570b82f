package cli

import (
	"context"
	"errors"

	"github.com/semlayer/semlayer/engine"
)

// formatArrow writes an Arrow IPC stream, which a terminal cannot show.
const formatArrow = "arrow"

// writeArrow writes a stream and closes it.
func (a *app) writeArrow(ctx context.Context, s *engine.Stream) (err error) {
	defer func() { err = errors.Join(err, s.Close()) }()
	rows, err := s.Write(ctx, a.std.Out)
	if err != nil {
		return err
	}
	a.printLimitNote(rows-int64(s.TotalRows()), s.Limit)
	a.printQueryWarnings(s.Warnings)
	return nil
}
