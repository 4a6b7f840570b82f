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
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/integration/reference"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/planner/query"
)

// subject is a random model as the engine serves it, and as the reference knows
// it.
type subject struct {
	engine *engine.Engine
	cat    *catalog.Catalog
	data   reference.Data
}

func open(ctx context.Context, m *model) (*subject, error) {
	text := []byte(m.yaml())
	doc, err := modelspec.Parse(text)
	if err != nil {
		return nil, err
	}
	e, err := engine.Open(ctx, engine.Config{
		ModelText: text, Setup: []string{m.sql()}, MaxExecutions: 4, Logger: slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	if err != nil {
		return nil, err
	}
	return &subject{e, compile.Compile(doc, compile.Options{}), m.data()}, nil
}

func (s *subject) close() { _ = s.engine.Close() }

// answer asks the engine. The error is what the engine refuses with.
func (s *subject) answer(ctx context.Context, body string) (*table.Table, string, error) {
	q, err := engine.DecodeMetric([]byte(body))
	if err != nil {
		return nil, "", err
	}
	result, err := s.engine.ExecuteMetrics(ctx, q)
	if err != nil {
		sql := ""
		if c, compileErr := s.engine.CompileMetrics(ctx, q); compileErr == nil {
			sql = c.SQL
		}
		return nil, sql, err
	}
	t, err := table.FromJSON(result.Columns, result.Rows)
	return t, result.SQL, err
}

// verdict is what became of a query: which way it went, or how engine and
// reference differ.
type verdict struct {
	outcome string // answered, refused, unsure, or a defect of the database
	problem string // "" when they agree
	sql     string
	err     error // the engine's refusal
	code    string
}

// judge asks both and compares.
func (s *subject) judge(ctx context.Context, body string) verdict {
	q, err := query.DecodeMetric([]byte(body))
	if err != nil {
		return verdict{problem: "the generator wrote no query: " + err.Error()}
	}
	want, wantErr := reference.Metrics(s.cat, s.data, q)
	got, sql, err := s.answer(ctx, body)
	v := verdict{outcome: "answered", sql: sql, err: err}
	var doubt *reference.Unsure
	var refusal *reference.Refusal
	code := ""
	if err != nil {
		v.outcome = "refused"
		var coded engine.Coded
		if !errors.As(err, &coded) {
			v.problem = fmt.Sprintf("an error without a code: %v", err)
			return v
		}
		code = coded.ErrorCode()
		v.code = code
		var execution *engine.ExecuteError
		if errors.As(err, &execution) && strings.Contains(execution.Message, "INTERNAL Error") {
			v.outcome = "defects of DuckDB" // which fails at its own assertion, not at the SQL
			return v
		}
		if code == "internal" || errors.As(err, &execution) {
			v.problem = fmt.Sprintf("the engine fails: %v", err)
			return v
		}
	}
	switch {
	case errors.As(wantErr, &doubt):
		v.outcome = "unsure"
	case errors.As(wantErr, &refusal):
		if err == nil {
			v.problem = fmt.Sprintf("the reference refuses (%s), the engine answers\n%s", strings.Join(refusal.Must, ", "), printed(got))
		} else if !slices.Contains(refusal.Must, code) && !slices.Contains(refusal.May, code) {
			v.problem = fmt.Sprintf("the reference refuses (%s), the engine for another reason: %v", strings.Join(refusal.Must, ", "), err)
		}
	case wantErr != nil:
		v.problem = fmt.Sprintf("the reference fails: %v", wantErr)
	case err != nil && slices.Contains(want.May, code):
	case err != nil:
		v.problem = fmt.Sprintf("the engine refuses: %v\nthe reference answers\n%s", err, printed(tableOf(want)))
	default:
		if diff := table.Diff(tableOf(want), got, want.Ordered); diff != "" {
			v.problem = "- is the reference, + is the engine\n" + diff
		}
	}
	return v
}

// printed is a table in the form of a rows.txt.
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
