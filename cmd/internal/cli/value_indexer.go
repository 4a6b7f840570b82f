package cli

import (
	"context"
	"log/slog"
	"sync"

	"github.com/semlayer/semlayer/engine"
)

const indexValuesFlag = "index-values"

// readValueIndexer reads how many values of a field are read for find. A program that only compiles reads none.
func (s settingsReader) readValueIndexer(log *slog.Logger, compileOnly bool) (*fieldValueIndexer, error) {
	n, err := s.readCount(indexValuesFlag)
	if err != nil {
		return nil, err
	}
	if compileOnly {
		n = 0
	}
	return &fieldValueIndexer{values: n, log: log}, nil
}

// fieldValueIndexer reads the values of fields in the background, for find.
type fieldValueIndexer struct {
	values  int // of one field; 0 reads none
	log     *slog.Logger
	running sync.WaitGroup
	reading sync.Mutex // so that all models together take one execution slot
}

// startIndexing reads the values of some models, until ctx ends.
func (v *fieldValueIndexer) startIndexing(ctx context.Context, engines ...*engine.Engine) {
	if v.values == 0 {
		return
	}
	v.running.Go(func() {
		v.reading.Lock()
		defer v.reading.Unlock()
		for _, e := range engines {
			fields, err := e.IndexValues(ctx, v.values)
			switch {
			case ctx.Err() != nil:
				return
			case err != nil:
				v.log.Warn("the values of fields are not read: find has names alone", "model", e.Model().Name, "error", err)
			default:
				v.log.Info("find has the values of fields", "model", e.Model().Name, "fields", fields)
			}
		}
	})
}
