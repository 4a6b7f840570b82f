package engine

import (
	"context"
	"errors"

	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/semsql/ossie"
)

// The types of the execute_query profile of Apache Ossie.
type (
	// OssieArguments are the arguments of a call of execute_query.
	OssieArguments = ossie.Arguments
	// OssieQuery is a query of the profile.
	OssieQuery = ossie.Query
	// OssieError is the error of a call, with a code of the profile.
	OssieError = ossie.Error
)

// OssieVersion is the version of the execute_query profile.
const OssieVersion = ossie.Version

// DecodeOssieArguments reads the JSON arguments of execute_query. The error is an *OssieError; the arguments are then
// what was read.
func DecodeOssieArguments(body []byte) (*OssieArguments, error) { return ossie.DecodeArguments(body) }

// OssieErrorOf returns the error of the profile for an error of the engine with a code.
func OssieErrorOf(err CodedError) *OssieError { return ossie.FromEngineError(err) }

// OssieResult is the result of a query of the profile.
type OssieResult struct {
	*Result
	// Headers are the names of the columns as the query gives them.
	Headers []string
	// Truncated means that the rows of a dataset reached the greatest number that a query returns.
	Truncated bool
}

// DataSourceID identifies the model at its revision for execute_query.
func (e *Engine) DataSourceID() string { return e.cat.Name + "@" + e.revision }

// CompileOssieQuery translates and compiles a query of the profile; no warehouse is touched. The error is an
// *OssieError; its replacement was compiled.
func (e *Engine) CompileOssieQuery(ctx context.Context, q *OssieQuery, connection string) (*Compiled, error) {
	t, err := e.translateOssieQuery(ctx, q, connection)
	if err != nil {
		return nil, err
	}
	c, err := e.compileOssieTranslation(ctx, t)
	if err != nil {
		return nil, e.toOssieError(ctx, t, err, connection)
	}
	return c, nil
}

// ExecuteOssieQuery translates a query of the profile and runs it; see Statement.Execute. connection is "" for the embedded
// database. Errors are as of CompileOssieQuery.
func (e *Engine) ExecuteOssieQuery(ctx context.Context, q *OssieQuery, connection string) (*OssieResult, error) {
	t, err := e.translateOssieQuery(ctx, q, connection)
	if err != nil {
		return nil, err
	}
	body := ossieBody(t)
	body.RequestHints()
	var result *Result
	prepared, err := e.Prepare(ctx, body)
	if err == nil {
		result, err = prepared.Execute(ctx)
	}
	if err != nil {
		return nil, e.toOssieError(ctx, t, err, connection)
	}
	headers := make([]string, len(result.Columns))
	for i, name := range result.Columns {
		if headers[i] = name; i < len(t.Headers) && t.Headers[i] != "" {
			headers[i] = t.Headers[i]
		}
	}
	return &OssieResult{Result: result, Headers: headers, Truncated: t.MayLackRows(result.RowCount)}, nil
}

// translateOssieQuery translates a query for a connection.
func (e *Engine) translateOssieQuery(ctx context.Context, q *OssieQuery, connection string) (*ossie.Translation, error) {
	t, err := ossie.Translate(e.cat, q)
	if err != nil {
		var refused *OssieError
		if errors.As(err, &refused) && refused.Replacement != nil && !e.compilesOrFailsWithOtherCode(ctx, refused.Replacement, connection, refused.Code) {
			refused.Replacement = nil
		}
		return nil, err
	}
	if t.Metric != nil {
		t.Metric.Connection = connection
	} else {
		t.Detail.Connection = connection
	}
	return t, nil
}

func (e *Engine) compileOssieTranslation(ctx context.Context, t *ossie.Translation) (*Compiled, error) {
	prepared, err := e.Prepare(ctx, ossieBody(t))
	if err != nil {
		return nil, err
	}
	return prepared.SQL(ctx)
}

// ossieBody returns the query of a translation.
func ossieBody(t *ossie.Translation) query.Body {
	if t.Metric != nil {
		return t.Metric
	}
	return t.Detail
}

// toOssieError returns the error of a translated query. A retry of the planner becomes a whole query, if that compiles or
// fails with another code.
func (e *Engine) toOssieError(ctx context.Context, t *ossie.Translation, err error, connection string) error {
	var coded CodedError
	if !errors.As(err, &coded) {
		return err
	}
	out := ossie.FromEngineError(coded)
	var refused *planerr.Error
	if !errors.As(err, &refused) || refused.SuggestedRetry == "" {
		return out
	}
	if refused.Fragment == nil {
		out.Advice = refused.SuggestedRetry
		return out
	}
	if q, ok := t.QueryWithRetryFragment(refused.Fragment); ok && e.compilesOrFailsWithOtherCode(ctx, q, connection, out.Code) {
		out.Replacement = q
	}
	return out
}

// compilesOrFailsWithOtherCode reports whether a query compiles, or fails with another code than one.
func (e *Engine) compilesOrFailsWithOtherCode(ctx context.Context, q *OssieQuery, connection, code string) bool {
	t, err := ossie.Translate(e.cat, q)
	if err == nil {
		if t.Metric != nil {
			t.Metric.Connection = connection
		} else {
			t.Detail.Connection = connection
		}
		_, err = e.compileOssieTranslation(ctx, t)
	}
	var coded CodedError
	return err == nil || errors.As(err, &coded) && ossie.FromEngineError(coded).Code != code
}
