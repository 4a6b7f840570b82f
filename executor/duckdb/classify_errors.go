package duckdb

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/driver"
)

// databaseErrorPrefixes lists the beginnings of DuckDB's messages about itself or the
// machine. Preparing and starting a statement report their failures as text
// only, without the type that results have, so the text decides everywhere.
var databaseErrorPrefixes = []string{
	"IO Error:", "INTERNAL Error:", "FATAL Error:", "Fatal Error:",
	"Connection Error:", "Network Error:", interruptMessage, "Serialization Error:",
}

// endingErrorPrefixes lists those of databaseErrorPrefixes after which the database runs no further statement.
var endingErrorPrefixes = []string{"INTERNAL Error:", "FATAL Error:", "Fatal Error:"}

// errDatabaseEnded is the cause of an error with such a beginning.
var errDatabaseEnded = errors.New("DuckDB runs no further statement in this instance; the next statement opens the database again")

// interruptMessage begins DuckDB's message for an interrupted statement.
const interruptMessage = "INTERRUPT Error:"

// isInterruptError reports whether an error of classify is that of a statement that
// was cut short.
func isInterruptError(err error) bool {
	var e *executor.Error
	return errors.As(err, &e) && strings.Contains(e.Message, interruptMessage) && e.Code == executor.CodeDriver
}

const (
	// outOfMemoryPrefix begins DuckDB's message for a statement that does not fit into its memory, or, where the message
	// names spillLimitSetting, into the temporary directory.
	outOfMemoryPrefix = "Out of Memory Error:"
	spillLimitSetting = "max_temp_directory_size"
	diskFullText      = "No space left on device"
)

// outOfMemoryError returns the error of a statement that needs more memory, or more temporary space, than the database
// has. The words of DuckDB advise settings that no client can change.
func outOfMemoryError(diskFull bool, cause error) error {
	e := &executor.Error{
		Code: executor.CodeMemoryLimit, Message: "the statement needs more memory than the embedded DuckDB has",
		Hint: "request fewer rows or groups; the operator of the server can raise --memory-mib or --db-memory-mib", DiskFull: diskFull, Err: cause,
	}
	if diskFull {
		e.Message = "the statement needs more temporary space than the embedded DuckDB has"
		e.Hint = "request fewer rows or groups; the operator of the server can raise --spill-mib"
	}
	return e
}

func classifyErrorMessage(text string) error {
	text = strings.TrimSpace(text)
	switch {
	case strings.HasPrefix(text, outOfMemoryPrefix):
		return outOfMemoryError(strings.Contains(text, spillLimitSetting), nil)
	}
	for _, prefix := range databaseErrorPrefixes {
		if strings.HasPrefix(text, prefix) {
			if strings.Contains(text, diskFullText) {
				return outOfMemoryError(true, syscall.ENOSPC)
			}
			var cause error
			if slices.Contains(endingErrorPrefixes, prefix) {
				cause = errDatabaseEnded
			}
			return driver.DriverFailureError("DuckDB failed: "+text, cause)
		}
	}
	err := driver.SQLRejectedError(text, nil)
	if m := missingTablePattern.FindStringSubmatch(text); m != nil {
		err.MissingTable = m[1]
	}
	return err
}

// missingTablePattern matches DuckDB's message for a table that does not exist, or whose schema or database does not.
var missingTablePattern = regexp.MustCompile(`(?m)\A(?:Catalog|Binder) Error: (?:Table with name|Catalog) "?(.+?)"? does not exist(?:!$| because )`)
