package properties_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/integration/reference"
	"github.com/semlayer/semlayer/planner"
)

// subject is a random model as the engine serves it, and as the reference evaluates
// it.
type subject struct {
	engine   *engine.Engine
	planner  *planner.Planner
	model    *reference.CompiledModel
	data     reference.Data
	replicas []*replica // on servers besides DuckDB
}

// open serves a model over its data in DuckDB, and in copies on servers.
func open(ctx context.Context, m *model, on ...*servers.Server) (*subject, error) {
	return openText(ctx, []byte(m.yaml()), m, on...)
}

// openText serves a model, as a text declares it, over the data of m.
func openText(ctx context.Context, text []byte, m *model, on ...*servers.Server) (*subject, error) {
	e, err := engine.Open(ctx, engine.Config{
		Drivers:   []warehouse.Driver{duckdb.Driver()},
		ModelText: text, Setup: []string{m.sql("duckdb")}, MaxExecutions: 4, Logger: slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	if err != nil {
		return nil, err
	}
	known, err := reference.CompileModel(ctx, text)
	if err != nil {
		return nil, err
	}
	s := &subject{engine: e, planner: planner.New(known.Catalog), model: known, data: m.data()}
	for _, server := range on {
		if err := s.replicate(ctx, m, server); err != nil {
			s.close()
			return nil, err
		}
	}
	return s, nil
}

func (s *subject) close() {
	_ = s.engine.Close()
	for _, r := range s.replicas {
		r.close()
	}
}

// answer asks the engine for metrics. The error is what it rejects with.
func (s *subject) answer(ctx context.Context, body string) (*table.Table, string, error) {
	p, err := prepareMetric([]byte(body))
	if err != nil {
		return nil, "", err
	}
	return s.run(ctx, p)
}

// run executes a query. With an error of the database comes the SQL.
func (s *subject) run(ctx context.Context, p *prepared) (*table.Table, string, error) {
	result, err := p.execute(ctx, s.engine)
	if err != nil {
		sql := ""
		if c, compileErr := p.compile(ctx, s.engine, ""); compileErr == nil {
			sql = c.SQL
		}
		return nil, sql, err
	}
	t, err := table.FromJSON(result.Columns, result.Rows)
	return t, result.SQL, err
}

// verdict is the outcome of a query: how it ended, or how an engine and the
// reference differ.
type verdict struct {
	outcome string          // answered, rejected, unsure, or a defect of the database
	problem string          // "" when they agree
	on      *servers.Server // where they do not; nil for DuckDB
	sql     string
	err     error // the engine's error
	code    string
}

// compareWithReference asks the reference and every engine, and compares.
func (s *subject) compareWithReference(ctx context.Context, q planeQuery) verdict {
	p, err := q.plane().prepare(q.json())
	if err != nil {
		return verdict{problem: "the generator wrote no query: " + err.Error()}
	}
	want := s.expectationOf(p)
	got, sql, err := s.run(ctx, p)
	v := verdict{outcome: "answered", sql: sql, err: err, code: codeOf(err)}
	var execution *engine.ExecuteError
	switch {
	case errors.As(err, &execution) && strings.Contains(execution.Message, "INTERNAL Error"):
		v.outcome = "defects of DuckDB" // which fails at its own assertion, not at the SQL
		return v
	case errors.As(err, &execution) && want.allows(execution.Code):
		v.outcome, v.code = "refused", "" // by the database
	case errors.As(err, &execution):
		v.problem = fmt.Sprintf("the engine fails: %v", err)
	case want.unsure:
		v.outcome = "unsure"
	case err != nil:
		v.outcome = "refused"
	}
	if v.problem == "" {
		v.problem = want.differs(got, err)
	}
	if v.problem == "" && err == nil && want.result != nil && hasTotalRowsChecked(q) {
		v.problem = s.compareTotalRows(ctx, q, want)
	}
	for _, r := range s.replicas {
		if v.problem != "" {
			break
		}
		if v.problem, sql = s.compareOnServer(ctx, r, p, want); v.problem != "" {
			v.on, v.sql = r.server, sql
		}
	}
	return v
}

// expectation is the verdict of the reference on a query.
type expectation struct {
	result  *reference.Result    // nil when it rejects
	refusal *reference.Rejection // nil when it answers
	failure error                // of the reference itself
	unsure  bool
}

func (s *subject) expectationOf(p *prepared) expectation {
	result, err := p.answer(s.model, s.data)
	var o expectation
	var doubt *reference.Abstention
	switch {
	case errors.As(err, &doubt):
		o.unsure = true
	case errors.As(err, &o.refusal):
	case err != nil:
		o.failure = err
	default:
		o.result = result
	}
	return o
}

// allows reports whether a database may reject a query that the reference answers.
func (o expectation) allows(code string) bool {
	return o.result != nil && slices.Contains(o.result.May, code)
}

// differs describes how a result or an error is not one that the reference allows, ""
// when it is.
func (o expectation) differs(got *table.Table, err error) string {
	code := codeOf(err)
	switch {
	case err != nil && (code == "" || code == "internal"):
		return fmt.Sprintf("an error without a code: %v", err)
	case o.unsure:
	case o.failure != nil:
		return fmt.Sprintf("the reference fails: %v", o.failure)
	case o.refusal != nil && err == nil:
		return fmt.Sprintf("the reference refuses (%s), the engine answers\n%s", strings.Join(o.refusal.Must, ", "), printed(got))
	case o.refusal != nil:
		if !slices.Contains(o.refusal.Must, code) && !slices.Contains(o.refusal.May, code) {
			return fmt.Sprintf("the reference refuses (%s), the engine for another reason: %v", strings.Join(o.refusal.Must, ", "), err)
		}
	case err != nil:
		if !slices.Contains(o.result.May, code) {
			return fmt.Sprintf("the engine refuses: %v\nthe reference answers\n%s", err, printed(tableOf(o.result)))
		}
	case o.allows(executor.CodeSQLRejected):
		// A database that runs it chooses the type of a column of numbers and others.
	default:
		if diff := table.Diff(tableOf(o.result), got, o.result.Ordered); diff != "" {
			return "- is the reference, + is the engine\n" + diff
		}
	}
	return ""
}

// printed returns a table in the form of a rows.txt.
func printed(t *table.Table) string {
	var b strings.Builder
	b.WriteString(strings.Join(t.Columns, " | ") + "\n")
	for _, row := range t.Rows {
		var cells []string
		for _, c := range row {
			cells = append(cells, c.String())
		}
		b.WriteString(strings.Join(cells, " | ") + "\n")
	}
	return b.String()
}
