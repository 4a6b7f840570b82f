package duckdb

import (
	"errors"
	"strings"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/execerr"
)

// notTheStatement lists the beginnings of DuckDB's messages about itself or the
// machine. Preparing and starting a statement report their failures as text
// only, without the type that results have, so the text decides everywhere.
var notTheStatement = []string{
	"IO Error:", "Out of Memory Error:", "INTERNAL Error:", "FATAL Error:", "Fatal Error:",
	"Connection Error:", "Network Error:", interrupted, "Serialization Error:",
}

// interrupted begins DuckDB's message for an interrupted statement.
const interrupted = "INTERRUPT Error:"

// isInterrupted reports whether an error of classify is that of a statement that
// was cut short.
func isInterrupted(err error) bool {
	var e *executor.Error
	return errors.As(err, &e) && strings.Contains(e.Message, interrupted) && e.Code == executor.CodeDriver
}

func classify(text string) error {
	text = strings.TrimSpace(text)
	for _, prefix := range notTheStatement {
		if strings.HasPrefix(text, prefix) {
			return execerr.Driver("DuckDB failed: "+text, nil)
		}
	}
	return execerr.Rejected(text, nil)
}
