package duckdb

import (
	"errors"
	"strings"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/execerr"
)

// databaseErrorPrefixes lists the beginnings of DuckDB's messages about itself or the
// machine. Preparing and starting a statement report their failures as text
// only, without the type that results have, so the text decides everywhere.
var databaseErrorPrefixes = []string{
	"IO Error:", "Out of Memory Error:", "INTERNAL Error:", "FATAL Error:", "Fatal Error:",
	"Connection Error:", "Network Error:", interruptMessage, "Serialization Error:",
}

// interruptMessage begins DuckDB's message for an interrupted statement.
const interruptMessage = "INTERRUPT Error:"

// isInterruptError reports whether an error of classify is that of a statement that
// was cut short.
func isInterruptError(err error) bool {
	var e *executor.Error
	return errors.As(err, &e) && strings.Contains(e.Message, interruptMessage) && e.Code == executor.CodeDriver
}

func classifyErrorMessage(text string) error {
	text = strings.TrimSpace(text)
	for _, prefix := range databaseErrorPrefixes {
		if strings.HasPrefix(text, prefix) {
			return execerr.DriverFailureError("DuckDB failed: "+text, nil)
		}
	}
	return execerr.SQLRejectedError(text, nil)
}
