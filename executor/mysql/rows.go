package mysql

import (
	"context"
	"database/sql"
	sqldriver "database/sql/driver"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/go-sql-driver/mysql"

	"github.com/semlayer/semlayer/executor/internal/driver"
)

// connectionCutDelay is how long a statement may continue after its context ended before its
// connection is cut.
const connectionCutDelay = 400 * time.Millisecond

type resultRows struct {
	driver.Rows
	conn *sql.Conn
	// statement is the context of the running statement. Ending it cuts the
	// connection: that is all the driver can do.
	statement context.Context
	cut       context.CancelFunc

	result   sqldriver.Rows
	schema   *arrow.Schema
	batcher  *driver.BatchBuilder
	decoders []valueDecoder
	values   []sqldriver.Value
	// ended reports that the server has sent its last packet for the statement, killed that it
	// was asked to stop the statement.
	ended, killed bool
	// broke is how long it took the connection to break before any answer, 0 when it
	// did not.
	broke time.Duration
}

func newRows(ctx context.Context, conn *sql.Conn) *resultRows {
	r := &resultRows{conn: conn}
	r.SetStatement(r)
	r.statement, r.cut = context.WithCancel(context.WithoutCancel(ctx))
	return r
}

// runWithContext makes one blocking call on the session and ends the statement when ctx
// ends. A call that ends together with its context counts as cut short, because
// the kill may already be under way.
func (r *resultRows) runWithContext(ctx context.Context, call func(*session) error) error {
	var failure error
	if err := r.conn.Raw(func(c any) error {
		s := c.(*session)
		var stopped bool
		stopped, failure = driver.RunCall(ctx, func() error { return call(s) }, func(returned <-chan struct{}) { r.stopStatement(ctx, s, returned) })
		r.killed = r.killed || stopped
		return nil
	}); err != nil {
		return classifyStatementError(err)
	}
	return failure
}

// stopStatement ends the statement: politely, then not.
func (r *resultRows) stopStatement(ctx context.Context, s *session, returned <-chan struct{}) {
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		s.killStatement(ctx)
	}()
	select {
	case <-returned:
	case <-time.After(connectionCutDelay):
		r.cut()
		<-returned
	}
	<-asked // or the kill would strike the next statement of the session
}

// startStatement begins the statement, with the tag in front and the limit for the server.
func (r *resultRows) startStatement(s *session, tag, text string, limit time.Duration) error {
	if strings.TrimSpace(text) == "" { // which TiDB takes for a success
		return driver.SQLRejectedError("the statement is empty", nil)
	}
	begun := time.Now()
	var result sqldriver.Rows
	err := s.setStatementTimeLimit(r.statement, limit)
	if err == nil {
		result, err = s.queryStatement(r.statement, tag+text)
	}
	if err != nil {
		var refused *mysql.MySQLError
		if r.statement.Err() == nil && !errors.As(err, &refused) {
			r.broke = max(time.Since(begun), 1)
			s.killOrphanedStatement(r.statement)
		}
		return classifyStatementError(err)
	}
	r.result = result
	names := result.Columns()
	types, ok := result.(driverColumnTypes)
	if !ok {
		return driver.DriverFailureError("the driver does not report the types of columns", nil)
	}
	fields := make([]arrow.Field, len(names))
	chosen := make([]columnDecoding, len(names))
	for i, name := range names {
		chosen[i] = decodingForType(types, i)
		fields[i] = chosen[i].arrowField(name)
	}
	r.schema = arrow.NewSchema(fields, nil)
	r.batcher = driver.NewBatchBuilder(r.schema)
	r.values = make([]sqldriver.Value, len(names))
	r.decoders = make([]valueDecoder, len(names))
	for i := range chosen {
		r.decoders[i] = chosen[i].decoder(r.batcher.FieldBuilder(i))
	}
	return nil
}

func (r *resultRows) Schema() *arrow.Schema { return r.schema }

// Fetch reads the next batch. See driver.Statement.
func (r *resultRows) Fetch(ctx context.Context) (batch arrow.RecordBatch, err error) {
	err = r.runWithContext(ctx, func(*session) (err error) {
		batch, err = r.batcher.BuildNextBatch(r.appendRow)
		return err
	})
	return batch, err
}

// appendRow appends the next row to the batch.
func (r *resultRows) appendRow() (bytes int, more bool, err error) {
	if err := r.result.Next(r.values); err != nil {
		r.ended = true
		if errors.Is(err, io.EOF) {
			return 0, false, nil
		}
		return 0, false, classifyStatementError(err)
	}
	for i, v := range r.values {
		if v == nil {
			r.batcher.FieldBuilder(i).AppendNull()
			continue
		}
		n, err := r.decoders[i](v)
		if err != nil {
			return 0, false, driver.DriverFailureError("column "+r.schema.Field(i).Name+" cannot be carried: "+err.Error(), err)
		}
		bytes += n
	}
	return bytes, true, nil
}

// EndAndRelease gives the connection back, or up when its statement may still run: such
// a statement is killed, and the rows it has sent are not read to their end. See
// driver.Statement.
func (r *resultRows) EndAndRelease(ctx context.Context, _ error) {
	running := r.result != nil && !r.ended
	_ = r.conn.Raw(func(c any) error {
		s := c.(*session)
		if running && !r.killed {
			s.killStatement(ctx)
		}
		if running || r.killed {
			_ = s.Conn.Close()
		}
		if r.result != nil {
			_ = r.result.Close()
		}
		if running || r.killed {
			return sqldriver.ErrBadConn
		}
		return nil
	})
	r.cut()
	if r.batcher != nil {
		r.batcher.Release()
	}
	_ = r.conn.Close()
}
