package postgres

import (
	"context"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/driver"
)

type resultRows struct {
	driver.Rows
	conn *pgxpool.Conn
	// statement is the context of the running statement. It ends when a call's
	// own context ends, or with the rows.
	statement context.Context
	cancel    context.CancelFunc
	// shared and canceller are nil on a connection of the executor's own pool, which has
	// the settings and asks the server to cancel by itself.
	shared    *settingsTransactions
	canceller *ctxwatch.ContextWatcher
	session   *executor.Session // nil for none

	result   *pgconn.ResultReader
	schema   *arrow.Schema
	batcher  *driver.BatchBuilder
	decoders []valueDecoder
}

func newRows(ctx context.Context, conn *pgxpool.Conn) *resultRows {
	r := &resultRows{conn: conn, session: executor.SessionFrom(ctx)}
	r.SetStatement(r)
	r.statement, r.cancel = context.WithCancel(context.WithoutCancel(ctx))
	return r
}

// cancelOnContextEnd prepares for a connection of a foreign pool: with any configuration of the pool, the
// end of the statement's context becomes a cancel request.
func (r *resultRows) cancelOnContextEnd(t *settingsTransactions) {
	r.shared = t
	r.canceller = ctxwatch.NewContextWatcher(newCancelRequestHandler(r.conn.Conn().PgConn()))
	r.canceller.Watch(r.statement)
	r.statement = context.WithoutCancel(r.statement)
}

// runWithContext makes one blocking call and cancels the statement when ctx ends. A call
// that ends together with its context counts as cut short, because the cancel
// request may already be under way.
func (r *resultRows) runWithContext(ctx context.Context, call func() error) error {
	if err := driver.ContextError(ctx); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, r.cancel)
	err := call()
	if !stop() {
		return driver.ContextError(ctx)
	}
	return err
}

// startStatement begins the statement. The server gets the tag in front of the statement; the key of
// the cache is the statement without it.
func (r *resultRows) startStatement(tag, sql string, limit time.Duration, cache *resultColumnCache) error {
	if err := r.applySettingsAndLimit(limit); err != nil {
		return classifyStatementError(err)
	}
	if columns := cache.columnsOfStatement(sql); len(columns) > 0 {
		if started, err := r.startCachedStatement(tag+sql, columns); started || err != nil {
			return err
		}
		cache.evictStatement(sql)
	}
	pg := r.conn.Conn().PgConn()
	statement, err := pg.Prepare(r.statement, "", tag+sql, nil)
	if err != nil {
		return classifyStatementError(err)
	}
	columns := resultColumnsOf(statement.Fields)
	types := r.setSchemaFromColumns(columns)
	r.result = pg.ExecStatement(r.statement, statement, nil, nil, wireFormatsOf(types))
	if len(columns) == 0 {
		return r.closeResultWithoutColumns()
	}
	cache.rememberColumns(sql, columns)
	r.prepareBatcherAndDecoders(types)
	return nil
}

// applySettingsAndLimit gives the statement its settings and its limit.
func (r *resultRows) applySettingsAndLimit(limit time.Duration) error {
	pg := r.conn.Conn().PgConn()
	var err error
	if r.shared != nil {
		err = r.shared.beginTransaction(r.statement, pg, limit)
	} else {
		err = setStatementTimeLimit(r.statement, pg, limit)
	}
	if err != nil || r.session == nil {
		return err
	}
	if r.shared == nil {
		if err := beginSessionTransaction(r.statement, pg); err != nil {
			return err
		}
	}
	return applySession(r.statement, pg, r.session)
}

// startCachedStatement starts a statement whose columns are in the cache. It returns false when the
// columns have changed or the server rejects the statement: the full sequence then runs and
// returns the reason.
func (r *resultRows) startCachedStatement(sql string, columns []resultColumn) (started bool, err error) {
	pg := r.conn.Conn().PgConn()
	types := r.setSchemaFromColumns(columns)
	result := pg.ExecParams(r.statement, sql, nil, nil, nil, wireFormatsOf(types))
	if hasSameColumns(columns, result.FieldDescriptions()) {
		r.result = result
		r.prepareBatcherAndDecoders(types)
		return true, nil
	}
	_, err = result.Close()
	if pg.IsClosed() || pg.TxStatus() == 'E' { // in a transaction the full sequence would fail for the failure of this one
		return false, classifyStatementError(err)
	}
	return false, nil
}

func (r *resultRows) setSchemaFromColumns(columns []resultColumn) []columnDecoding {
	fields := make([]arrow.Field, len(columns))
	types := make([]columnDecoding, len(columns))
	for i, c := range columns {
		types[i] = decodingForType(c.oid, c.modifier)
		fields[i] = types[i].arrowField(c.name)
	}
	r.schema = arrow.NewSchema(fields, nil)
	return types
}

func wireFormatsOf(types []columnDecoding) []int16 {
	formats := make([]int16, len(types))
	for i, t := range types {
		formats[i] = t.format
	}
	return formats
}

// prepareBatcherAndDecoders prepares for the rows.
func (r *resultRows) prepareBatcherAndDecoders(types []columnDecoding) {
	r.batcher = driver.NewBatchBuilder(r.schema)
	r.decoders = make([]valueDecoder, len(types))
	for i := range types {
		r.decoders[i] = types[i].decoder(r.batcher.FieldBuilder(i))
	}
}

// closeResultWithoutColumns ends a statement that has no columns. An empty one has no
// command either.
func (r *resultRows) closeResultWithoutColumns() error {
	tag, err := r.result.Close()
	if err != nil {
		return classifyStatementError(err)
	}
	if tag.String() == "" {
		return driver.EmptyStatementError()
	}
	return nil
}

func (r *resultRows) Schema() *arrow.Schema { return r.schema }

// Fetch reads the next batch. See driver.Statement.
func (r *resultRows) Fetch(ctx context.Context) (batch arrow.RecordBatch, err error) {
	err = r.runWithContext(ctx, func() (err error) {
		if r.batcher != nil {
			batch, err = r.batcher.BuildNextBatch(r.appendRow)
		}
		return err
	})
	return batch, err
}

// appendRow appends the next row to the batch.
func (r *resultRows) appendRow() (bytes int, more bool, err error) {
	if !r.result.NextRow() {
		if _, err := r.result.Close(); err != nil {
			return 0, false, classifyStatementError(err)
		}
		return 0, false, nil
	}
	for i, raw := range r.result.Values() {
		if raw == nil {
			r.batcher.FieldBuilder(i).AppendNull()
			continue
		}
		if err := r.decoders[i](raw); err != nil {
			return 0, false, driver.DriverFailureError("column "+r.schema.Field(i).Name+" cannot be carried: "+err.Error(), err)
		}
		bytes += len(raw)
	}
	return bytes, true, nil
}

// EndAndRelease waits until the statement is over and gives the connection back. See
// driver.Statement.
func (r *resultRows) EndAndRelease(ctx context.Context, _ error) {
	pg := r.conn.Conn().PgConn()
	if r.shared != nil && !pg.IsBusy() {
		r.canceller.Unwatch() // there is nothing to cancel
	}
	r.cancel()
	if r.result != nil {
		_, _ = r.result.Close()
	}
	if r.batcher != nil {
		r.batcher.Release()
	}
	if r.shared != nil {
		r.canceller.Unwatch()
	}
	if r.shared != nil || r.session != nil {
		endTransaction(context.WithoutCancel(ctx), pg)
	}
	r.conn.Release()
}
