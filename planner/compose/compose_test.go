package compose_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/compose"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/sqltype"
)

// finished returns a query whose columns are named for their types: text, number, double, day, stamp, truth.
func finished() *plan.PlannedQuery {
	p := &plan.Project{Input: &plan.Scan{Dataset: "t", Alias: "t", Source: sqlexpr.DatasetTableOrQuery{Table: []sqlexpr.Name{{Text: "t"}}}}}
	for i, t := range []sqlexpr.Type{sqlexpr.TypeString, sqlexpr.TypeInt, sqlexpr.TypeFloat, sqlexpr.TypeDate, sqlexpr.TypeTimestamp, sqlexpr.TypeBool} {
		name := columnNames[i]
		var e sqlexpr.Expr = sqlexpr.NewTwoPartColumn("t", sqlexpr.Name{Text: name})
		if t == sqlexpr.TypeDate {
			e = &sqlexpr.Cast{X: e, To: sqlexpr.TypeName{Type: t}}
		}
		p.Cols = append(p.Cols, plan.NamedExpr{Name: name, Expr: e, Type: t})
	}
	return &plan.PlannedQuery{Root: p}
}

var columnNames = []string{"text", "number", "double", "day", "stamp", "truth"}

func newRows() (*compose.Composer, *compose.Rows) {
	c := compose.New(plan.Target{})
	return c, c.MakeCommonTable(c.RowsOfQuery(finished(), nil))
}

// expr reads an expression over the columns of finished; scalar is the first scalar subquery.
func expr(tb testing.TB, text string) sqlexpr.Expr {
	tb.Helper()
	e, err := sqlexpr.Parse(text)
	if err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
	replace := func(x sqlexpr.Expr) sqlexpr.Expr {
		column, ok := x.(*sqlexpr.Column)
		if !ok {
			return nil
		}
		for i, name := range append(columnNames[:len(columnNames):len(columnNames)], "scalar") {
			if strings.EqualFold(column.Path[0].Text, name) {
				return &sqlexpr.Ref{ID: i}
			}
		}
		return nil
	}
	return sqlexpr.Rewrite(e, replace)
}

func items(tb testing.TB, texts ...string) []compose.SelectItem {
	out := make([]compose.SelectItem, len(texts))
	for i, text := range texts {
		out[i] = compose.SelectItem{Name: fmt.Sprint("c", i), Expr: expr(tb, text)}
	}
	return out
}

func TestSelect_RefusesWhatHasNoMeaning(t *testing.T) {
	_, rows := newRows()
	one := int64(1)
	for name, test := range map[string]struct {
		s    compose.Select
		want compose.RefusalReason
	}{
		"a column that is not grouped":          {compose.Select{Items: items(t, "text", "COUNT(*)")}, compose.UngroupedColumn},
		"a sort key that is not grouped":        {compose.Select{Items: items(t, "COUNT(*)"), OrderBy: []compose.OrderKey{{Expr: expr(t, "number")}}}, compose.UngroupedColumn},
		"a condition that is not grouped":       {compose.Select{Items: items(t, "COUNT(*)"), Having: expr(t, "number > 1")}, compose.UngroupedColumn},
		"an aggregate of an aggregate":          {compose.Select{Items: items(t, "SUM(COUNT(number))")}, compose.NestedAggregate},
		"an aggregate in WHERE":                 {compose.Select{Items: items(t, "text"), Where: expr(t, "SUM(number) > 1")}, compose.MisplacedAggregate},
		"an aggregate as a group":               {compose.Select{Items: items(t, "COUNT(*)"), GroupBy: []sqlexpr.Expr{expr(t, "SUM(number)")}, Grouped: true}, compose.MisplacedAggregate},
		"a window in WHERE":                     {compose.Select{Items: items(t, "text"), Where: over(t, "RANK() OVER (ORDER BY number)")}, compose.MisplacedWindowCall},
		"a window in HAVING":                    {compose.Select{Items: items(t, "COUNT(*)"), Having: over(t, "RANK() OVER (ORDER BY number)")}, compose.MisplacedWindowCall},
		"a window without OVER":                 {compose.Select{Items: items(t, "RANK()")}, compose.UnsupportedFunction},
		"a median of texts":                     {compose.Select{Items: items(t, "MEDIAN(text)")}, compose.StringArgument},
		"a conjunction of numbers":              {compose.Select{Items: items(t, "BOOL_AND(number)")}, compose.ColumnTypeMismatch},
		"a percentile of truths":                {compose.Select{Items: items(t, "PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY truth)")}, compose.ColumnTypeMismatch},
		"a window function that counts by rows": {compose.Select{Items: []compose.SelectItem{{Name: "x", Expr: over(t, "LAG(number, number) OVER (ORDER BY number)")}}}, compose.UnsupportedFunction},
		"a frame of RANGE":                      {compose.Select{Items: []compose.SelectItem{{Name: "x", Expr: over(t, "SUM(number) OVER (ORDER BY number RANGE BETWEEN 1 PRECEDING AND CURRENT ROW)")}}}, compose.UnsupportedFunction},
		"a function that nobody has":            {compose.Select{Items: items(t, "frobnicate(number)")}, compose.UnsupportedFunction},
		"a name":                                {compose.Select{Items: items(t, "secret")}, compose.UnsupportedFunction},
		"a subquery":                            {compose.Select{Items: items(t, "(SELECT 1)")}, compose.UnsupportedFunction},
		"a parameter":                           {compose.Select{Items: items(t, ":p")}, compose.UnsupportedFunction},
		"a column beyond the last":              {compose.Select{Items: []compose.SelectItem{{Name: "x", Expr: &sqlexpr.Ref{ID: 99}}}}, compose.UnsupportedFunction},
		"a sum of texts":                        {compose.Select{Items: items(t, "SUM(text)")}, compose.StringArgument},
		"the largest condition":                 {compose.Select{Items: items(t, "MAX(truth)")}, compose.ColumnTypeMismatch},
		"a scalar of many rows":                 {compose.Select{Items: items(t, "text"), Scalars: []*compose.Rows{rows.FirstColumns(1)}}, compose.ScalarHasManyRows},
		"a scalar of many columns":              {compose.Select{Items: items(t, "text"), Scalars: []*compose.Rows{rows.LimitedRows(&one, 0)}}, compose.ColumnCountMismatch},
		"IN many columns":                       {compose.Select{Items: items(t, "text"), WhereIn: []compose.InCondition{{Value: expr(t, "text"), Rows: rows}}}, compose.ColumnCountMismatch},
		"DISTINCT ordered by another":           {compose.Select{Items: items(t, "text"), Distinct: true, OrderBy: []compose.OrderKey{{Expr: expr(t, "number")}}}, compose.DistinctOrderUnselected},
		"a text that grows":                     {compose.Select{Items: items(t, strings.Repeat("REPLACE(", 12)+"text"+strings.Repeat(", 'a', 'aaaaaaaaaa')", 12))}, compose.StatementTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			c, from := newRows()
			test.s.From = from
			_, err := c.Select(&test.s)
			var refused *compose.Error
			if !errors.As(err, &refused) || refused.Problem != test.want || refused.Message == "" {
				t.Errorf("got %v, want problem %d", err, test.want)
			}
		})
	}
}

// over returns an expression whose window is kept as it is written.
func over(tb testing.TB, text string) sqlexpr.Expr { return expr(tb, text) }

func TestSelect_RefusesOperandsThatDoNotFit(t *testing.T) {
	for _, condition := range []string{"text = number", "number", "day = truth", "text > day"} {
		c, rows := newRows()
		_, err := c.Select(&compose.Select{From: rows, Items: items(t, "text"), Where: expr(t, condition)})
		var refused *planerr.Error
		if !errors.As(err, &refused) || refused.Code != planerr.CodeUnsupportedFilter {
			t.Errorf("%s: got %v", condition, err)
		}
	}
}

func TestCombine_RefusesSidesThatDoNotMeet(t *testing.T) {
	for name, test := range map[string]struct {
		left, right []string
		want        compose.RefusalReason
	}{
		"another number of columns": {[]string{"text"}, []string{"text", "number"}, compose.ColumnCountMismatch},
		"texts and numbers":         {[]string{"text"}, []string{"number"}, compose.ColumnTypeMismatch},
		"days and conditions":       {[]string{"day"}, []string{"truth"}, compose.ColumnTypeMismatch},
	} {
		t.Run(name, func(t *testing.T) {
			c, rows := newRows()
			_, err := c.ApplySetOperation(compose.Union, clauseWithAggregatesAndWindows(t, c, rows, test.left), clauseWithAggregatesAndWindows(t, c, rows, test.right))
			var refused *compose.Error
			if !errors.As(err, &refused) || refused.Problem != test.want {
				t.Errorf("got %v, want problem %d", err, test.want)
			}
		})
	}
}

func clauseWithAggregatesAndWindows(tb testing.TB, c *compose.Composer, from *compose.Rows, texts []string) *compose.Rows {
	tb.Helper()
	rows, err := c.Select(&compose.Select{From: from, Items: items(tb, texts...)})
	if err != nil {
		tb.Fatal(err)
	}
	return rows
}

func TestRows_HaveTheTypesOfPostgreSQLThroughEveryLevel(t *testing.T) {
	c, rows := newRows()
	grouped, err := c.Select(&compose.Select{
		From: rows, Grouped: true, GroupBy: []sqlexpr.Expr{expr(t, "text"), expr(t, "day")},
		Items: items(t, "text", "day", "SUM(number)", "SUM(double)", "AVG(number)", "COUNT(*)", "MAX(stamp)", "SUM(number) / COUNT(*)", "COUNT(*) + 1", "MIN(number) > 3"),
	})
	if err != nil {
		t.Fatal(err)
	}
	joined, err := c.JoinRows(compose.LeftJoin, grouped, rows, []compose.JoinEquality{{Left: &sqlexpr.Ref{ID: 1}, Right: expr(t, "stamp")}})
	if err != nil {
		t.Fatal(err)
	}
	both, err := c.ApplySetOperation(compose.Intersect, clauseWithAggregatesAndWindows(t, c, rows, []string{"number", "day", "NULL"}), clauseWithAggregatesAndWindows(t, c, rows, []string{"double", "stamp", "text"}))
	if err != nil {
		t.Fatal(err)
	}
	types := func(r *compose.Rows) (out []string) {
		for _, column := range r.Columns() {
			out = append(out, column.Type.String())
		}
		return out
	}
	want := []string{"text", "date", "numeric", "double precision", "double precision", "bigint", "timestamp", "double precision", "bigint", "boolean"}
	if d := cmp.Diff(want, types(grouped)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(append(want, "text", "bigint", "double precision", "date", "timestamp", "boolean"), types(joined)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"double precision", "timestamp", "text"}, types(both)); d != "" {
		t.Error(d)
	}
	for _, r := range []*compose.Rows{grouped, joined, both} {
		if err := plan.CheckTree(r.Plan().Root); err != nil {
			t.Error(err)
		}
	}
}

// Each level doubles the last one. The plan must not double with it.
func TestSelect_OfLevelsThatDoubleStaysSmall(t *testing.T) {
	c, rows := newRows()
	r := clauseWithAggregatesAndWindows(t, c, rows, []string{"number", "text"})
	for range 200 {
		next, err := c.Select(&compose.Select{From: r, Items: []compose.SelectItem{
			{Name: "n", Expr: &sqlexpr.Binary{Op: sqlexpr.OpAdd, L: &sqlexpr.Ref{ID: 0}, R: &sqlexpr.Ref{ID: 0}}}, {Name: "t", Expr: &sqlexpr.Ref{ID: 1}},
		}})
		if err != nil {
			t.Fatal(err)
		}
		r = next
	}
	nodes := strings.Count(plan.Explain(r.Plan().Root), "\n")
	if nodes > 600 {
		t.Errorf("%d nodes", nodes)
	}
}

func TestSelect_OfManyAggregatesIsRefusedSoon(t *testing.T) {
	c, rows := newRows()
	for _, test := range []struct {
		text  string
		count int
	}{{"SUM(number + %d)", 2500}, {"SUM(number + %d) OVER ()", 2500}, {"SUM(number + %d)", 20_000}} {
		var sum sqlexpr.Expr = &sqlexpr.Number{Text: "0"}
		for i := range test.count {
			sum = &sqlexpr.Binary{Op: sqlexpr.OpAdd, L: sum, R: expr(t, fmt.Sprintf(test.text, i))}
		}
		started := time.Now()
		_, err := c.Select(&compose.Select{From: rows, Items: []compose.SelectItem{{Name: "x", Expr: sum}}})
		var refused *compose.Error
		if !errors.As(err, &refused) || refused.Problem != compose.StatementTooLarge {
			t.Errorf("got %v", err)
		}
		if took := time.Since(started); took > time.Minute {
			t.Errorf("refused after %s", took)
		}
	}
}

func TestSelect_OfLevelsWhoseTextDoublesIsRefused(t *testing.T) {
	c, rows := newRows()
	r := clauseWithAggregatesAndWindows(t, c, rows, []string{"text"})
	for range 40 {
		next, err := c.Select(&compose.Select{From: r, Items: []compose.SelectItem{
			{Name: "t", Expr: &sqlexpr.Binary{Op: sqlexpr.OpConcat, L: &sqlexpr.Ref{ID: 0}, R: &sqlexpr.Ref{ID: 0}}},
		}})
		var refused *compose.Error
		if errors.As(err, &refused) && refused.Problem == compose.StatementTooLarge {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		r = next
	}
	t.Error("a text that doubles forty times was accepted")
}

func TestRows_AreNotChangedByWhatIsMadeOfThem(t *testing.T) {
	c, rows := newRows()
	before := plan.Explain(rows.Plan().Root)
	one := int64(1)
	limited := rows.LimitedRows(&one, 2)
	_ = limited.FirstColumns(1)
	if _, err := c.Select(&compose.Select{From: rows, Items: items(t, "text"), Distinct: true, Limit: &one}); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(before, plan.Explain(rows.Plan().Root)); d != "" {
		t.Error(d)
	}
	if n := len(rows.Columns()); n != len(columnNames) {
		t.Errorf("%d columns", n)
	}
}

func TestQuery_KeepsTheOrderOfItsPlanAndDropsItInside(t *testing.T) {
	p := finished()
	p.Root = &plan.Sort{Input: p.Root, Keys: []plan.SortKey{{Col: 1, Desc: true, NullsFirst: true}}}
	c := compose.New(plan.Target{})
	rows := c.RowsOfQuery(p, []sqltype.Type{sqltype.Text})
	if d := cmp.Diff(plan.Explain(p.Root), plan.Explain(rows.Plan().Root)); d != "" {
		t.Error(d)
	}
	if inside := plan.Explain(c.MakeCommonTable(rows).Plan().Root); strings.Contains(inside, "Sort") {
		t.Errorf("an order that chooses no rows is kept inside:\n%s", inside)
	}
	shown := rows.FirstColumns(1).Plan()
	want := "FirstColumns 1 of 6: text\n  Sort number desc nulls first\n"
	if got := plan.Explain(shown.Root); !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
