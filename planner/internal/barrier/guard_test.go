package barrier_test

import (
	"slices"
	"testing"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/barrier"
	"github.com/semlayer/semlayer/planner/plan"
)

func parse(t *testing.T, text string) sqlexpr.Expr {
	t.Helper()
	e, err := sqlexpr.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// notesCatalog has a dataset with a text and a number.
func notesCatalog() *catalog.Catalog {
	d := &catalog.Dataset{Name: "notes"}
	for _, f := range []struct {
		name string
		typ  sqlexpr.Type
	}{{"note", sqlexpr.TypeString}, {"size", sqlexpr.TypeInt}} {
		d.Fields = append(d.Fields, &catalog.Field{
			Dataset: d, Name: f.name, Type: f.typ,
			Expr: catalog.DialectVariants[sqlexpr.Expr]{Default: &sqlexpr.Column{Path: []sqlexpr.Name{{Text: f.name}}}},
		})
	}
	c := &catalog.Catalog{Datasets: []*catalog.Dataset{d}, Fields: d.Fields}
	c.BuildIndexes()
	return c
}

func TestGuard_MakesConditionsThatCanFailWaitForTheRule(t *testing.T) {
	scan := &plan.Scan{Dataset: "notes", Alias: "notes"}
	ruled := &plan.Filter{Input: scan, Conds: []sqlexpr.Expr{parse(t, "notes.secret = 0")}, Why: "policy notes", Rule: true}
	admitted := &plan.Derived{
		Alias: "other", Admitted: &plan.AdmittedRows{Dataset: "notes", Column: "admitted"},
		Input: &plan.Project{Input: ruled, Cols: []plan.NamedExpr{{Name: "admitted", Expr: &sqlexpr.Bool{Value: true}}, {Name: "note", Expr: parse(t, "notes.note")}}},
	}
	joined := func(kind plan.JoinKind) plan.Node {
		return &plan.Join{Left: scan, Right: admitted, Kind: kind, On: []plan.JoinEquality{{Left: parse(t, "notes.size"), Right: parse(t, "other.note")}}}
	}
	for _, c := range []struct {
		name, cond string
		input      plan.Node
		want       string
	}{
		{"a cast", "CAST(notes.note AS INTEGER) > 5", ruled, "CASE WHEN notes.secret = 0 THEN CAST(notes.note AS INTEGER) > 5 END"},
		{"arithmetic", "notes.size * 2 > 5", ruled, "CASE WHEN notes.secret = 0 THEN notes.size * 2 > 5 END"},
		{"a comparison of two types", "notes.note = 5", ruled, "CASE WHEN notes.secret = 0 THEN notes.note = 5 END"},
		{"a column of unknown type", "notes.other = 5", ruled, "CASE WHEN notes.secret = 0 THEN notes.other = 5 END"},
		{"a comparison of one type", "notes.note = 'a' AND notes.size IN (1, 2) OR notes.note IS NULL", ruled, "notes.note = 'a' AND notes.size IN (1, 2) OR notes.note IS NULL"},
		{"an operand of another type", "CASE notes.note WHEN 5 THEN TRUE END", ruled, "CASE WHEN notes.secret = 0 THEN CASE notes.note WHEN 5 THEN TRUE END END"},
		{"NULLIF of another type", "NULLIF(notes.other, 5) IS NULL", ruled, "CASE WHEN notes.secret = 0 THEN NULLIF(notes.other, 5) IS NULL END"},
		{"results of two types", "COALESCE(notes.note, 5) = '5'", ruled, "CASE WHEN notes.secret = 0 THEN COALESCE(notes.note, 5) = '5' END"},
		{"a pattern of a row", "'a' LIKE notes.note", ruled, "CASE WHEN notes.secret = 0 THEN 'a' LIKE notes.note END"},
		{"the truth of a text", "notes.note IS TRUE", ruled, "CASE WHEN notes.secret = 0 THEN notes.note IS TRUE END"},
		{"a text as a condition", "notes.other", ruled, "CASE WHEN notes.secret = 0 THEN notes.other END"},
		{"a text among conditions", "NOT notes.note OR notes.size = 1", ruled, "CASE WHEN notes.secret = 0 THEN NOT notes.note OR notes.size = 1 END"},
		{"a text as a case", "CASE WHEN notes.note THEN 1 END = 1", ruled, "CASE WHEN notes.secret = 0 THEN CASE WHEN notes.note THEN 1 END = 1 END"},
		{"conditions of one type", "notes.size = 1 IS TRUE AND CASE WHEN notes.size = 1 THEN 'a' END = 'a' AND COALESCE(notes.note, 'b') = NULLIF('a', notes.note)", ruled, "notes.size = 1 IS TRUE AND CASE WHEN notes.size = 1 THEN 'a' END = 'a' AND COALESCE(notes.note, 'b') = NULLIF('a', notes.note)"},
		{"a joined table", "CAST(other.note AS INTEGER) > 5", joined(plan.InnerJoin), `CASE WHEN "other"."admitted" THEN CAST(other.note AS INTEGER) > 5 END`},
		{"a table that may lack a row", "CAST(other.note AS INTEGER) > 5", joined(plan.LeftJoin), `CASE WHEN "other"."admitted" IS NULL OR "other"."admitted" THEN CAST(other.note AS INTEGER) > 5 END`},
		{"without a rule", "CAST(notes.note AS INTEGER) > 5", scan, "CAST(notes.note AS INTEGER) > 5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := barrier.Guard(notesCatalog(), &plan.Filter{Input: c.input, Conds: []sqlexpr.Expr{parse(t, c.cond)}}, plan.Capabilities{})
			if got := sqlexpr.Format(root.(*plan.Filter).Conds[0]); got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
}

// The column of a rule that no condition waits for is left out.
func TestGuard_LeavesOutRulesThatNothingWaitsFor(t *testing.T) {
	table := func(cond string) *plan.Project {
		admitted := &plan.Derived{
			Alias: "other", Admitted: &plan.AdmittedRows{Dataset: "notes", Column: "admitted"},
			Input: &plan.Project{Input: &plan.Scan{Dataset: "notes", Alias: "notes"}, Cols: []plan.NamedExpr{{Name: "admitted", Expr: &sqlexpr.Bool{Value: true}}, {Name: "note", Expr: parse(t, "notes.note")}}},
		}
		root := barrier.Guard(notesCatalog(), &plan.Filter{Input: admitted, Conds: []sqlexpr.Expr{parse(t, cond)}}, plan.Capabilities{})
		return root.(*plan.Filter).Input.(*plan.Derived).Input.(*plan.Project)
	}
	if got := len(table("other.note = 'a'").Cols); got != 1 {
		t.Errorf("%d columns, want the note alone", got)
	}
	if got := len(table("CAST(other.note AS INTEGER) = 1").Cols); got != 2 {
		t.Errorf("%d columns, want the note and the rule", got)
	}
}

// The column of the rule is FALSE on a row that is not admitted, never NULL, which is a row that a join lacks.
func TestGuard_LeavesTheColumnOfTheRuleAsItIs(t *testing.T) {
	rule := parse(t, "CASE WHEN notes.size % 3 = 1 THEN TRUE ELSE FALSE END")
	admitted := &plan.Derived{
		Alias: "other", Admitted: &plan.AdmittedRows{Dataset: "notes", Column: "admitted"},
		Input: &plan.Project{
			Input: &plan.Filter{Input: &plan.Scan{Dataset: "notes", Alias: "notes"}, Conds: []sqlexpr.Expr{parse(t, "notes.size % 3 = 1")}, Rule: true},
			Cols:  []plan.NamedExpr{{Name: "admitted", Expr: rule, Type: sqlexpr.TypeBool}, {Name: "size", Expr: parse(t, "notes.size"), Type: sqlexpr.TypeInt}},
		},
	}
	root := barrier.Guard(notesCatalog(), &plan.Project{
		Input: &plan.Filter{
			Input: &plan.Join{Left: &plan.Scan{Dataset: "notes", Alias: "notes"}, Right: admitted, On: []plan.JoinEquality{{Left: parse(t, "notes.size"), Right: parse(t, "other.size")}}},
			Conds: []sqlexpr.Expr{parse(t, "other.size * 2 > 5")},
		},
		Cols: []plan.NamedExpr{{Name: "note", Expr: parse(t, "notes.note"), Type: sqlexpr.TypeString}},
	}, plan.Capabilities{})
	columns := root.(*plan.Project).Input.(*plan.Filter).Input.(*plan.Join).Right.(*plan.Derived).Input.(*plan.Project).Cols
	if got := sqlexpr.Format(columns[0].Expr); got != sqlexpr.Format(rule) {
		t.Errorf("got %s", got)
	}
}

// An engine that computes conditions on pairs of rows before it joins them reads the admitted rows of a rule over several tables apart.
func TestGuard_KeepsATableApart(t *testing.T) {
	scan := func(alias string) plan.Node { return &plan.Scan{Dataset: "notes", Alias: alias} }
	pair := &plan.Join{Left: scan("notes"), Right: scan("o"), On: []plan.JoinEquality{{Left: parse(t, "notes.size"), Right: parse(t, "o.size")}}}
	for _, c := range []struct {
		name, cond string
		of         plan.Node
		caps       plan.Capabilities
		want       bool
	}{
		{"a condition that can fail", "other.size * 2 > 5", pair, plan.Capabilities{FiltersBeforeJoins: true}, true},
		{"one that cannot", "other.size > 5", pair, plan.Capabilities{FiltersBeforeJoins: true}, false},
		{"a rule over one table", "other.size * 2 > 5", scan("notes"), plan.Capabilities{FiltersBeforeJoins: true}, false},
		{"another engine", "other.size * 2 > 5", pair, plan.Capabilities{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			admitted := &plan.Derived{
				Alias: "other", Admitted: &plan.AdmittedRows{Dataset: "notes", Column: "admitted"},
				Input: &plan.Project{
					Input: &plan.Filter{Input: c.of, Conds: []sqlexpr.Expr{parse(t, "notes.secret = 0")}, Rule: true},
					Cols:  []plan.NamedExpr{{Name: "admitted", Expr: &sqlexpr.Bool{Value: true}, Type: sqlexpr.TypeBool}, {Name: "size", Expr: parse(t, "notes.size"), Type: sqlexpr.TypeInt}},
				},
			}
			root := barrier.Guard(notesCatalog(), &plan.Filter{Input: admitted, Conds: []sqlexpr.Expr{parse(t, c.cond)}}, c.caps)
			if _, got := root.(*plan.Filter).Input.(*plan.Derived).Input.(*plan.Limit); got != c.want {
				t.Errorf("the table has a limit: %v", got)
			}
		})
	}
}

// A condition waits in the table that it reads, because engines move it there.
func TestGuard_MakesColumnsWaitThatConditionsRead(t *testing.T) {
	ruled := &plan.Filter{Input: &plan.Scan{Dataset: "notes", Alias: "notes"}, Conds: []sqlexpr.Expr{parse(t, "notes.secret = 0")}, Rule: true}
	groups := func(key string, of sqlexpr.Type) *plan.Aggregate {
		return &plan.Aggregate{Input: ruled, Keys: []plan.NamedExpr{{Name: "k", Expr: parse(t, key), Type: of}}, Measures: []plan.NamedExpr{{Name: "n", Expr: parse(t, "COUNT(*)"), Type: sqlexpr.TypeInt}}}
	}
	at := func(id int) sqlexpr.Expr { return &sqlexpr.Ref{ID: id} }
	more := func(x, y sqlexpr.Expr) []sqlexpr.Expr {
		return []sqlexpr.Expr{&sqlexpr.Binary{Op: sqlexpr.OpGt, L: x, R: y}}
	}
	twice := &sqlexpr.Binary{Op: sqlexpr.OpMul, L: at(0), R: parse(t, "2")}
	const computed, column = "notes.size * 2", "notes.size"
	for _, c := range []struct {
		name, key string
		over      func(*plan.Aggregate) plan.Node
		want      string
	}{
		{"no condition", computed, func(a *plan.Aggregate) plan.Node { return a }, computed},
		{"a condition on a measure", computed, func(a *plan.Aggregate) plan.Node { return &plan.Filter{Input: a, Conds: more(at(1), parse(t, "5"))} }, computed},
		{"a condition on a computed key", computed, func(a *plan.Aggregate) plan.Node { return &plan.Filter{Input: a, Conds: more(at(0), parse(t, "5"))} }, "CASE WHEN notes.secret = 0 THEN notes.size * 2 END"},
		{"a condition on a column", column, func(a *plan.Aggregate) plan.Node { return &plan.Filter{Input: a, Conds: more(at(0), parse(t, "5"))} }, column},
		{"a condition that can fail", column, func(a *plan.Aggregate) plan.Node { return &plan.Filter{Input: a, Conds: more(twice, parse(t, "5"))} }, "CASE WHEN notes.secret = 0 THEN notes.size END"},
		{"a column that can fail between", column, func(a *plan.Aggregate) plan.Node {
			return &plan.Filter{Input: &plan.Project{Input: a, Cols: []plan.NamedExpr{{Name: "m", Expr: twice, Type: sqlexpr.TypeInt}}}, Conds: more(at(0), parse(t, "5"))}
		}, "CASE WHEN notes.secret = 0 THEN notes.size END"},
		{"a table", computed, func(a *plan.Aggregate) plan.Node {
			return &plan.Project{
				Input: &plan.Filter{Input: &plan.Derived{Input: a, Alias: "t"}, Conds: []sqlexpr.Expr{parse(t, "t.k > 5")}},
				Cols:  []plan.NamedExpr{{Name: "m", Expr: parse(t, "t.k"), Type: sqlexpr.TypeInt}},
			}
		}, "CASE WHEN notes.secret = 0 THEN notes.size * 2 END"},
		{"a join", computed, func(a *plan.Aggregate) plan.Node {
			return &plan.Project{
				Input: &plan.Join{Left: &plan.Scan{Dataset: "notes", Alias: "o"}, Right: &plan.Derived{Input: a, Alias: "t"}, On: []plan.JoinEquality{{Left: parse(t, "o.size"), Right: parse(t, "t.k")}}},
				Cols:  []plan.NamedExpr{{Name: "m", Expr: parse(t, "t.n"), Type: sqlexpr.TypeInt}},
			}
		}, "CASE WHEN notes.secret = 0 THEN notes.size * 2 END"},
		{"a table that is only read", computed, func(a *plan.Aggregate) plan.Node {
			return &plan.Project{Input: &plan.Derived{Input: a, Alias: "t"}, Cols: []plan.NamedExpr{{Name: "m", Expr: parse(t, "t.k"), Type: sqlexpr.TypeInt}}}
		}, "CASE WHEN notes.secret = 0 THEN notes.size * 2 END"},
		{"grouping sets", computed, func(a *plan.Aggregate) plan.Node {
			return &plan.GroupingSets{Input: a.Input, Keys: a.Keys, Sets: [][]int{{0}, {}}, Level: "level", Measures: a.Measures}
		}, "CASE WHEN notes.secret = 0 THEN notes.size * 2 END"},
		{"a table with two readers", computed, func(a *plan.Aggregate) plan.Node {
			plain := &plan.Project{Input: &plan.Derived{Input: a, Alias: "t", Shared: true}, Cols: []plan.NamedExpr{{Name: "m", Expr: parse(t, "t.k"), Type: sqlexpr.TypeInt}}}
			filtered := &plan.Project{Input: &plan.Filter{Input: &plan.Derived{Input: a, Alias: "t", Shared: true}, Conds: []sqlexpr.Expr{parse(t, "t.k > 5")}}, Cols: plain.Cols}
			return &plan.Union{Rows: []plan.Node{plain, filtered}}
		}, "CASE WHEN notes.secret = 0 THEN notes.size * 2 END"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var found []string
			plan.Rewrite(barrier.Guard(notesCatalog(), c.over(groups(c.key, sqlexpr.TypeInt)), plan.Capabilities{}), func(n plan.Node) plan.Node {
				if s, ok := n.(*plan.GroupingSets); ok {
					found = append(found, sqlexpr.Format(s.Keys[0].Expr))
				}
				if a, ok := n.(*plan.Aggregate); ok {
					found = append(found, sqlexpr.Format(a.Keys[0].Expr))
				}
				return n
			})
			if !slices.Equal(found, []string{c.want}) {
				t.Errorf("got %q\nwant %s", found, c.want)
			}
		})
	}
}
