package cli

import (
	"context"
	"errors"

	"github.com/semlayer/semlayer/engine"
)

// formatArrow writes an Arrow IPC stream, which a terminal cannot show.
const formatArrow = "arrow"

// writeAndCloseArrow writes a stream and closes it.
func (a *app) writeAndCloseArrow(ctx context.Context, s *engine.Stream) (err error) {
	defer func() { err = errors.Join(err, s.Close()) }()
	rows, err := s.Write(ctx, a.std.Out)
	if err != nil {
		return err
	}
	a.printLimitReachedNote(rows-int64(s.TotalsRowCount()), s.Limit, s.AllRows)
	a.printQueryWarnings(s.Warnings)
	return nil
}
