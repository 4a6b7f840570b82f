package errcodes_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/cmd/internal/errcodes"
	"github.com/semlayer/semlayer/cmd/internal/warehouses"
	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/datacheck"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/planner/query"
)

// The tables of the base model, without a row.
const tables = `
CREATE TABLE orders (order_id INTEGER, customer_id INTEGER, order_date DATE, ship_date DATE, status VARCHAR, amount INTEGER);
CREATE TABLE customers (customer_id INTEGER, region VARCHAR, signup_month DATE);
CREATE TABLE calendar (day DATE, weekday VARCHAR);
CREATE TABLE targets (team VARCHAR);
CREATE TABLE visits (visit_id INTEGER, visitor INTEGER, pages INTEGER);`

func open(t *testing.T, basic bool) *engine.Engine {
	t.Helper()
	e, err := engine.Open(t.Context(), engine.Config{Drivers: warehouses.Drivers(), ModelPath: "base.yaml", ModelText: []byte(errcodes.BaseModelYAML), Basic: basic, Setup: []string{tables, "INSERT INTO orders VALUES (1, 1, DATE '2024-01-05', DATE '2024-01-06', 'paid', 10)"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// findings returns the findings about a model, as "stage code".
func findings(t *testing.T, e *engine.Engine, model string) []string {
	t.Helper()
	v, err := e.Validate(t.Context(), []byte(model))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, i := range v.Issues {
		out = append(out, engine.StageValidate+" "+i.Code)
	}
	for _, c := range v.CompileErrors {
		out = append(out, engine.StageCompile+" "+c.Code)
	}
	for _, w := range v.Warnings {
		stage := engine.StageCompile
		if w.Code == "unknown_model_key" {
			stage = engine.StageValidate // a finding of the text that is listed with the warnings
		}
		out = append(out, stage+" "+w.Code)
	}
	return out
}

// codeOf returns the error code of a request, or the code of its warning.
func codeOf(ctx context.Context, e *engine.Engine, x errcodes.Example) string {
	var err error
	compiled := new(engine.Compiled)
	switch x.Kind {
	case errcodes.ExampleKindQuery:
		var q *query.MetricQuery
		if q, err = query.DecodeMetric([]byte(x.Text)); err == nil {
			compiled, err = askSQL(ctx, e, q)
		}
		if err == nil && q.Hints != nil { // which are of an execution
			var result *engine.Result
			if result, err = askRows(ctx, e, q); err == nil {
				compiled.Warnings = append(compiled.Warnings, result.Warnings...)
			}
		}
	case errcodes.ExampleKindDetailQuery:
		var q *query.DetailQuery
		if q, err = query.DecodeDetail([]byte(x.Text)); err == nil {
			compiled, err = askSQL(ctx, e, q)
		}
	case errcodes.ExampleKindAttribute:
		var q *query.AttributeQuery
		if q, err = query.DecodeAttribute([]byte(x.Text)); err == nil {
			_, err = e.Attribute(ctx, q)
		}
	case errcodes.ExampleKindSQL:
		var q *query.SQLStatement
		if q, err = query.DecodeSQL([]byte(x.Text)); err == nil {
			_, err = askSQL(ctx, e, q)
		}
	}
	var coded engine.CodedError
	if errors.As(err, &coded) {
		return coded.ErrorCode()
	}
	if err == nil && len(compiled.Warnings) > 0 {
		return compiled.Warnings[0].Code
	}
	return "none"
}

func TestExamples_RaiseTheirCode(t *testing.T) {
	vendor, basic := open(t, false), open(t, true)
	for _, c := range errcodes.All() {
		x := c.Example
		if x == nil {
			continue
		}
		switch x.Kind {
		case errcodes.ExampleKindData:
			expectDataFinding(t, errcodes.BaseModelYAML, x.Text, c.Code)
		case errcodes.ExampleKindModel, errcodes.ExampleKindFields, errcodes.ExampleKindRelationships, errcodes.ExampleKindMetrics:
			if datacheck.IsDataFindingCode(c.Code) {
				expectDataFinding(t, x.ModelText(), x.Data, c.Code)
				continue
			}
			e := vendor
			if x.Basic {
				e = basic
			}
			if got := findings(t, e, x.ModelText()); !slices.Contains(got, c.Stage+" "+c.Code) {
				t.Errorf("%s %s is not raised, but %v by\n%s", c.Stage, c.Code, got, x.Text)
			}
		case errcodes.ExampleKindPolicies:
			if got := policiesFindings(t, x.Text); !slices.Equal(got, []string{c.Severity + " " + c.Code}) {
				t.Errorf("%s %s is not the finding, but %v of\n%s", c.Severity, c.Code, got, x.Text)
			}
		case errcodes.ExampleKindQuery, errcodes.ExampleKindDetailQuery, errcodes.ExampleKindAttribute, errcodes.ExampleKindSQL:
			if got := codeOf(t.Context(), vendor, *x); got != c.Code {
				t.Errorf("%s is not raised, but %s by\n%s", c.Code, got, x.Text)
			}
		case errcodes.ExampleKindSituation:
			// An example has tables, not files, and asks a query, not a command.
			if c.Code != datacheck.CodeCheckIncomplete && c.Code != datacheck.CodeAmbiguousDays && c.Stage != engine.StageExecute && c.Stage != engine.StageServer && c.Code != "internal" && !slices.Contains([]string{"unknown_rollup", "rollup_not_writable", "rollup_write_unsupported", "rollup_mismatch"}, c.Code) {
				t.Errorf("%s is told, not shown", c.Code)
			}
		default:
			t.Errorf("%s has an example of kind %q", c.Code, x.Kind)
		}
	}
}

// policiesFindings returns the findings about a policies file for the base model, as "severity code".
func policiesFindings(t *testing.T, policies string) []string {
	t.Helper()
	file, issues := access.Parse("policies.yaml", []byte(policies))
	if len(issues) == 0 {
		var err error
		c := engine.Config{Drivers: warehouses.Drivers(), ModelPath: "base.yaml", ModelText: []byte(errcodes.BaseModelYAML), Policies: file}
		if issues, err = engine.CheckPolicies(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	var out []string
	for _, i := range issues {
		out = append(out, string(i.Severity)+" "+i.Code)
	}
	return out
}

// expectDataFinding checks a model against its tables, changed by some SQL: the code is the only finding about data.
func expectDataFinding(t *testing.T, model, change, code string) {
	t.Helper()
	c := engine.Config{Drivers: warehouses.Drivers(), ModelText: []byte(model), Setup: []string{tables, change}}
	v, err := engine.ValidateData(t.Context(), c, "", datacheck.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, i := range v.Issues {
		if datacheck.IsDataFindingCode(i.Code) {
			got = append(got, i.Code)
		}
	}
	if d := cmp.Diff([]string{code}, got); d != "" {
		t.Errorf("%s after %s:\n%s", code, change, d)
	}
}

// The base model is valid, so that every finding comes from the example. The exception is
// the metric that a query is warned of.
func TestExamples_BaseModelHasNoFindings(t *testing.T) {
	t.Run("the base model has no finding but the warning that a query shows", func(t *testing.T) {
		if d := cmp.Diff([]string{"compile window_adds_non_additive"}, findings(t, open(t, false), errcodes.BaseModelYAML)); d != "" {
			t.Error(d)
		}
	})
}

func TestExamples_CoverEveryRaisedCode(t *testing.T) {
	var retired []string
	for _, c := range errcodes.All() {
		switch {
		case c.Retired != "":
			retired = append(retired, c.Code)
			if c.Example != nil {
				t.Errorf("%s is no longer raised and has an example", c.Code)
			}
		case c.Example == nil:
			t.Errorf("%s %s has no example", c.Stage, c.Code)
		}
	}
	if d := cmp.Diff([]string{"multi_column_count_distinct", "metric_time_conflict"}, retired); d != "" {
		t.Error(d)
	}
}

// Queries that raised a retired code return something else now.
func TestCodes_RetiredOnesNotRaised(t *testing.T) {
	e := open(t, false)
	several := errcodes.Example{Kind: errcodes.ExampleKindMetrics,
		Text: "- {name: pairs, expression: {dialects: [{dialect: ANSI_SQL, expression: 'COUNT(DISTINCT orders.status, orders.amount)'}]}}"}
	if d := cmp.Diff([]string{"compile unparseable_expression", "compile window_adds_non_additive"}, findings(t, e, several.ModelText())); d != "" {
		t.Error(d)
	}
	shipped := errcodes.Example{Kind: errcodes.ExampleKindMetrics, Text: `- name: shipped
  expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}
  custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "time_dimension": "orders.ship_date"}'}]`}
	two, err := engine.Open(t.Context(), engine.Config{Drivers: warehouses.Drivers(), ModelPath: "two.yaml", ModelText: []byte(shipped.ModelText())})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = two.Close() }()
	axes := errcodes.Example{Kind: errcodes.ExampleKindQuery, Text: `{"metrics":["revenue","shipped"],"group_by":[{"field":"metric_time","grain":"month"}]}`}
	if got := codeOf(t.Context(), two, axes); got != "none" {
		t.Errorf("metrics of two time axes are refused with %s", got)
	}
}

func TestFind_ByCode(t *testing.T) {
	stages := func(code string) (out []string) {
		found, nearest, _ := errcodes.Find(code)
		for _, e := range found {
			out = append(out, e.Stage)
		}
		return append(out, nearest...)
	}
	for code, want := range map[string][]string{
		"fan_out_risk":    {"plan"},
		"unknown_dataset": {"validate", "compile", "plan", "policies"},
		"timeout":         {"execute", "server"},
		"invalid_policy":  {"policies"},
	} {
		if d := cmp.Diff(want, stages(code)); d != "" {
			t.Errorf("%s: %s", code, d)
		}
	}
	found, nearest, _ := errcodes.Find("fanout_risk")
	if len(found) > 0 || len(nearest) != 3 || nearest[0] != "fan_out_risk" {
		t.Errorf("%v %v", found, nearest)
	}
}
