package cli

import (
	"errors"
	"log/slog"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/modelspec"
)

const (
	logFormatFlag = "log-format"
	logFormatJSON = "json"
)

// usesJSONLog reports whether a command writes its log as JSON. Then the error that ends it
// is JSON as well, one of its settings or its command line among them.
func usesJSONLog(cmd *cobra.Command) bool {
	if cmd == nil {
		return false
	}
	if cmd.Flags().Lookup(logFormatFlag) == nil {
		return false
	}
	s, _ := newSettingsReader(cmd) // which reads what it can of invalid settings
	return s.v != nil && s.readText(logFormatFlag) == logFormatJSON
}

// logFinalError writes the error that ended a command as lines of a JSON log, and returns the
// exit code. A model with errors has one line for each of them.
func (a *app) logFinalError(err error) int {
	log := slog.New(slog.NewJSONHandler(a.std.Err, nil))
	var invalid *engine.ModelError
	if errors.As(err, &invalid) {
		for _, i := range invalid.Issues {
			if i.Severity == modelspec.SeverityError {
				log.Error("model: "+i.Message, "code", i.Code, "location", i.Location, "file", invalid.Path, "line", i.Position.Line, "column", i.Position.Column)
			}
		}
		log.Error("the command failed", "code", invalid.ErrorCode(), "error", "the model has errors", "file", invalid.Path)
		return exitFailure
	}
	attributes := []any{"error", err.Error()}
	var coded engine.CodedError
	if errors.As(err, &coded) {
		attributes = append(attributes, "code", coded.ErrorCode())
	}
	var failed *engine.ExecuteError
	if errors.As(err, &failed) && failed.Hint != "" {
		attributes = append(attributes, "hint", failed.Hint)
	}
	log.Error("the command failed", attributes...)
	if !a.ran {
		return exitUsage
	}
	return exitCodeOfFailure(err)
}
