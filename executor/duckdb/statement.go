package duckdb

import (
	"context"
	"strconv"
	"strings"

	bindings "github.com/duckdb/duckdb-go-bindings"

	"github.com/semlayer/semlayer/executor/internal/driver"
)

// runningStatement is a running statement with everything it holds in C memory.
type runningStatement struct {
	prepared bindings.PreparedStatement
	result   bindings.Result
	// drained reports that the end was read: another fetch would be an error.
	drained bool
}

// prepareAndStartSelect parses, prepares and starts a statement from outside, which must be exactly one SELECT
// that changes nothing. It returns when the first rows are ready or it is known that there are
// none.
func (s *runningStatement) prepareAndStartSelect(c *connection, sql string) error {
	if err := s.prepare(c, sql); err != nil {
		return err
	}
	if err := c.rejectUnsafeFunctions(sql); err != nil {
		return err
	}
	return s.startPrepared()
}

// prepareAndStartSelectWithParameters prepares and starts a SELECT of this package with the values of its parameters.
func (s *runningStatement) prepareAndStartSelectWithParameters(c *connection, sql string, values ...string) error {
	if err := s.prepare(c, sql); err != nil {
		return err
	}
	for i, v := range values {
		if bindings.BindVarchar(s.prepared, bindings.IdxT(i+1), v) != bindings.StateSuccess {
			return classifyErrorMessage(bindings.PrepareError(s.prepared))
		}
	}
	return s.startPrepared()
}

func (s *runningStatement) startPrepared() error {
	var pending bindings.PendingResult
	defer bindings.DestroyPending(&pending)
	if bindings.PendingPreparedStreaming(s.prepared, &pending) != bindings.StateSuccess {
		return classifyErrorMessage(bindings.PendingError(pending))
	}
	if bindings.ExecutePending(pending, &s.result) != bindings.StateSuccess {
		return classifyErrorMessage(bindings.ResultError(&s.result))
	}
	return nil
}

func (s *runningStatement) prepare(c *connection, sql string) error {
	var extracted bindings.ExtractedStatements
	defer bindings.DestroyExtracted(&extracted)
	switch n := bindings.ExtractStatements(c.handle, sql, &extracted); {
	case n == 0:
		if text := bindings.ExtractStatementsError(extracted); text != "" {
			return classifyErrorMessage(text)
		}
		return driver.EmptyStatementError()
	case n > 1:
		return notSelectError("the text holds " + strconv.FormatUint(uint64(n), 10) + " statements, one is allowed")
	}
	if bindings.PrepareExtractedStatement(c.handle, extracted, 0, &s.prepared) != bindings.StateSuccess {
		return classifyErrorMessage(bindings.PrepareError(s.prepared))
	}
	return checkIsSelect(s.prepared)
}

// fetchChunk returns the next chunk, or nil at the end. The library answers nothing
// both at the end and after an error, so the error is requested.
func (s *runningStatement) fetchChunk() (*bindings.DataChunk, error) {
	if s.drained {
		return nil, nil
	}
	chunk := bindings.FetchChunk(s.result)
	if chunk.Ptr != nil {
		return &chunk, nil
	}
	if text := bindings.ResultError(&s.result); text != "" {
		return nil, classifyErrorMessage(text)
	}
	s.drained = true
	return nil, nil
}

// maxRerunsToDiagnoseFailure bounds the runs that search for the reason of a failure.
const maxRerunsToDiagnoseFailure = 3

// findErrorByRerun finds out why a statement failed. When a thread fails, the library stops the others,
// and sometimes a stopped thread reports first: as interrupted, although no caller interrupted
// the statement (duckdb/duckdb#10337 describes such a case). The cause is lost then, so the
// statement runs again, only for its error.
func (c *connection) findErrorByRerun(ctx context.Context, sql string, err error) error {
	for n := 0; n < maxRerunsToDiagnoseFailure && isInterruptError(err) && ctx.Err() == nil; n++ {
		again := c.runDiscardingRows(sql)
		if again == nil {
			break // it runs now: there is no more to learn
		}
		err = again
	}
	return err
}

// runDiscardingRows runs a statement to its end and drops its rows.
func (c *connection) runDiscardingRows(sql string) error {
	var s runningStatement
	defer s.destroy()
	if err := s.prepareAndStartSelect(c, sql); err != nil {
		return err
	}
	for {
		chunk, err := s.fetchChunk()
		if chunk == nil {
			return err
		}
		bindings.DestroyDataChunk(chunk)
	}
}

func (s *runningStatement) destroy() {
	bindings.DestroyResult(&s.result)
	bindings.DestroyPrepare(&s.prepared)
}

const (
	// longConstantBytes is the length from which on a constant counts.
	longConstantBytes = 64
	// rowsInFlight are the rows that DuckDB computes before it gives the first ones: a chunk in each of two threads. It copies the
	// constants of the items into each of them, and its limit of memory does not count that.
	rowsInFlight = 2 * 2048
)

// longConstantBytesInFlight returns the memory that DuckDB may take for the long constants of a statement.
func longConstantBytesInFlight(sql string) (n int) {
	for {
		start := strings.IndexAny(sql, `'"`)
		if start < 0 {
			return n
		}
		quote := sql[start]
		sql = sql[start+1:]
		end := strings.IndexByte(sql, quote) // a doubled quote ends one text and begins another
		if end < 0 {
			return n
		}
		if quote == '\'' && end >= longConstantBytes {
			n += rowsInFlight * end
		}
		sql = sql[end+1:]
	}
}
