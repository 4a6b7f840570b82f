package engine

import (
	"context"
	"errors"
	"time"

	"github.com/semlayer/semlayer/engine/generate"
	"github.com/semlayer/semlayer/executor"
)

// generatedModelPath is the path of a model that was generated.
const generatedModelPath = "generated"

// generationTimeout bounds the time in which a model is generated, the opening of the
// database included.
const generationTimeout = 30 * time.Second

// generatesModel reports whether the model is made of the tables of the embedded database.
func (c Config) generatesModel() bool {
	return c.GenerateModel && c.ModelPath == "" && c.ModelText == nil
}

// GenerateModel makes a model of the tables of the embedded database, within 30 seconds.
// OpenModel opens its text.
func (w *Warehouses) GenerateModel(ctx context.Context) (*generate.ModelTextWithReport, error) {
	limited, cancel := context.WithTimeout(ctx, generationTimeout)
	defer cancel()
	db, err := w.embeddedDB.open(limited)
	if err != nil {
		return nil, generationError(ctx, err)
	}
	out, err := generate.GenerateFromWarehouse(limited, db, generate.Options{
		Name: w.config.generatedModelName(w.DataFilesReport()), Views: w.config.DBPath == "", MaxRows: generate.DefaultMaxRows,
	})
	if err != nil {
		return nil, generationError(ctx, err)
	}
	return out, nil
}

// generationError returns the error of a model that could not be generated.
func generationError(ctx context.Context, err error) error {
	var option *generate.OptionError
	var failure *executor.Error
	switch {
	case errors.As(err, &option):
		return configError("a model cannot be generated: " + option.Message)
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &failure) && failure.Code == executor.CodeTimeout:
		return &ExecuteError{
			Code:    executor.CodeTimeout,
			Message: "a model was not generated within " + generationTimeout.String(),
			Hint:    "write one by semlayer init --from, and name it with --model",
		}
	}
	return err
}

// GeneratedModel returns the text of a generated model with its report, nil for a model that was
// given.
func (e *Engine) GeneratedModel() *generate.ModelTextWithReport {
	return e.generated
}

// generatedModelName names the generated model after the data.
func (c Config) generatedModelName(data DataFilesReport) string {
	path := c.DBPath
	if len(data.Paths) > 0 {
		path = data.Paths[0]
	}
	if path == "" {
		return generatedModelPath
	}
	return generate.ModelNameOfPath(path)
}
