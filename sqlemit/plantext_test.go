package sqlemit_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// Plans in tests are written as text, one node a line, an input indented under
// its node:
//
//	limit 3
//	  sort 1 desc, 0
//	    project region = ref(0); share:double = ratio(ref(1), ref(2))
//	      aggregate region = c.region | m = SUM(o.x); n = COUNT(*)
//	        filter o.x > 1; o.y = 2
//	          join left o.cid = c.id
//	            scan orders o
//	            scan customers c
//
// numbers n 31 counts from 0 to 30.
//
// In expressions, ref(i), bucket(grain, type, x), ordinal(grain, x), ratio(a, b)
// and decode(format, stored, x) stand for the nodes without source syntax.
func readPlan(tb testing.TB, text string) plan.Node {
	tb.Helper()
	p := &planText{tb: tb}
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if strings.TrimSpace(line) != "" {
			p.lines = append(p.lines, line)
		}
	}
	n := p.node(0)
	if len(p.lines) > 0 {
		tb.Fatalf("lines left over: %q", p.lines)
	}
	return n
}

type planText struct {
	tb     testing.TB
	lines  []string
	shared plan.Node
}

func indent(line string) int { return (len(line) - len(strings.TrimLeft(line, " "))) / 2 }

func (p *planText) node(depth int) plan.Node {
	if len(p.lines) == 0 || indent(p.lines[0]) != depth {
		p.tb.Fatalf("an input at depth %d is missing before %q", depth, p.lines)
	}
	line := strings.TrimSpace(p.lines[0])
	p.lines = p.lines[1:]
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "scan":
		table, alias, _ := strings.Cut(rest, " ")
		return &plan.Scan{Dataset: table, Alias: alias, Source: sqlexpr.DatasetTableOrQuery{Table: names(table)}}
	case "query":
		alias, text, _ := strings.Cut(rest, " ")
		return &plan.Scan{Dataset: alias, Alias: alias, Source: sqlexpr.DatasetTableOrQuery{Query: strings.ReplaceAll(text, `\n`, "\n")}}
	case "numbers":
		name, count, _ := strings.Cut(rest, " ")
		return &plan.Numbers{Name: name, Count: int64(p.int(count))}
	case "derived":
		return &plan.Derived{Alias: rest, Input: p.node(depth + 1)}
	case "shared": // the input is written once, under the first of them
		if indent(append(p.lines, "")[0]) == depth+1 {
			p.shared = p.node(depth + 1)
		}
		return &plan.Derived{Alias: rest, Input: p.shared, Shared: true}
	case "join":
		return p.join(rest, depth)
	case "filter":
		return &plan.Filter{Conds: p.exprs(rest), Input: p.node(depth + 1)}
	case "aggregate":
		keys, measures, _ := strings.Cut(rest, "|")
		return &plan.Aggregate{Keys: p.named(keys), Measures: p.named(measures), Input: p.node(depth + 1)}
	case "levels":
		return p.levels(rest, depth)
	case "window":
		return &plan.Window{Funcs: p.named(rest), Input: p.node(depth + 1)}
	case "project":
		return &plan.Project{Cols: p.named(rest), Input: p.node(depth + 1)}
	case "combine":
		return p.combine(rest, depth)
	case "first":
		return &plan.FirstColumns{Count: p.int(rest), Input: p.node(depth + 1)}
	case "in", "notin":
		return &plan.SemiJoin{Value: parse(p.tb, rest), Not: word == "notin", Input: p.node(depth + 1), Rows: p.node(depth + 1)}
	case "union":
		u := &plan.Union{}
		for len(p.lines) > 0 && indent(p.lines[0]) == depth+1 {
			u.Rows = append(u.Rows, p.node(depth+1))
		}
		return u
	case "sort":
		return &plan.Sort{Keys: p.sortKeys(rest), Input: p.node(depth + 1)}
	case "limit":
		return &plan.Limit{N: int64(p.int(rest)), Input: p.node(depth + 1)}
	}
	p.tb.Fatalf("unknown node %q", line)
	return nil
}

func names(table string) []sqlexpr.Name {
	var out []sqlexpr.Name
	for _, part := range strings.Split(table, ".") {
		quoted := strings.Trim(part, `"`)
		out = append(out, sqlexpr.Name{Text: strings.ReplaceAll(quoted, "·", " "), Quoted: quoted != part})
	}
	return out
}

func (p *planText) join(rest string, depth int) plan.Node {
	kind, on, _ := strings.Cut(rest, " ")
	j := &plan.Join{Kind: plan.LeftJoin}
	if kind == "inner" {
		j.Kind = plan.InnerJoin
	}
	for _, pair := range splitList(on) {
		l, r, nullSafe := strings.Cut(pair, " <=> ")
		if !nullSafe {
			l, r, _ = strings.Cut(pair, " = ")
		}
		j.On = append(j.On, plan.JoinEquality{Left: parse(p.tb, l), Right: parse(p.tb, r), NullSafe: nullSafe})
	}
	j.Left, j.Right = p.node(depth+1), p.node(depth+1)
	return j
}

// levels reads "levels <keys> | <sets> | <measures>", each set as positions of keys or -.
func (p *planText) levels(rest string, depth int) plan.Node {
	parts := strings.Split(rest, " | ")
	n := &plan.GroupingSets{Keys: p.named(parts[0]), Level: "level", Measures: p.named(parts[2])}
	for _, text := range strings.Fields(parts[1]) {
		set := []int{}
		for _, key := range strings.Split(text, ",") {
			if key != "-" {
				set = append(set, p.int(key))
			}
		}
		n.Sets = append(n.Sets, set)
	}
	n.Input = p.node(depth + 1)
	return n
}

// combine reads "combine <keys> <zero columns>".
func (p *planText) combine(rest string, depth int) plan.Node {
	keys, zeros, _ := strings.Cut(rest, " ")
	c := &plan.Combine{Keys: p.int(keys)}
	for len(p.lines) > 0 && indent(p.lines[0]) == depth+1 {
		c.Branches = append(c.Branches, p.node(depth+1))
	}
	c.Zero = make([]bool, len(c.Schema())-c.Keys)
	for _, z := range strings.Fields(zeros) {
		c.Zero[p.int(z)] = true
	}
	return c
}

func (p *planText) sortKeys(rest string) []plan.SortKey {
	var out []plan.SortKey
	for _, k := range strings.Split(rest, ", ") {
		k, first := strings.CutSuffix(k, " nulls first")
		col, desc := strings.CutSuffix(k, " desc")
		out = append(out, plan.SortKey{Col: p.int(col), Desc: desc, NullsFirst: first})
	}
	return out
}

func (p *planText) int(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		p.tb.Fatal(err)
	}
	return n
}

func (p *planText) exprs(text string) []sqlexpr.Expr {
	var out []sqlexpr.Expr
	for _, s := range splitList(text) {
		out = append(out, parse(p.tb, s))
	}
	return out
}

func splitList(text string) []string {
	var out []string
	for _, s := range strings.Split(text, ";") {
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}

func (p *planText) named(text string) []plan.NamedExpr {
	var out []plan.NamedExpr
	for _, s := range splitList(text) {
		name, e, ok := strings.Cut(s, " = ")
		if !ok {
			p.tb.Fatalf("%q is no name = expression", s)
		}
		name, typ, _ := strings.Cut(name, ":")
		out = append(out, plan.NamedExpr{Name: name, Expr: parse(p.tb, e), Type: typeNamed(typ)})
	}
	return out
}

// parse reads an expression and puts the nodes without source syntax in place.
func parse(tb testing.TB, text string) sqlexpr.Expr {
	tb.Helper()
	e, err := sqlexpr.Parse(text)
	if err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
	return nativeNode(e)
}

func nativeNode(e sqlexpr.Expr) sqlexpr.Expr {
	return sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		c, ok := x.(*sqlexpr.Call)
		if !ok || c.Fn != sqlexpr.FnUnknown {
			return nil
		}
		arg := func(i int) string { return c.Args[i].(*sqlexpr.String).Value }
		grain := func(i int) sqlexpr.Grain {
			g, ok := sqlexpr.ParseGrain(arg(i))
			if !ok {
				panic(fmt.Sprintf("%q is no grain", arg(i)))
			}
			return g
		}
		switch c.Name.Text {
		case "ref":
			id, _ := strconv.Atoi(c.Args[0].(*sqlexpr.Number).Text)
			return &sqlexpr.Ref{ID: id}
		case "bucket":
			return &sqlexpr.Bucket{Grain: grain(0), From: typeNamed(arg(1)), X: nativeNode(c.Args[2])}
		case "ordinal":
			return &sqlexpr.BucketOrdinal{Grain: grain(0), X: nativeNode(c.Args[1])}
		case "ratio":
			return &sqlexpr.SafeDivide{L: nativeNode(c.Args[0]), R: nativeNode(c.Args[1])}
		case "decode":
			return &sqlexpr.DecodeTimeCodeExpr{Code: timeCode(arg(0), arg(1) == "number"), X: nativeNode(c.Args[2])}
		}
		return nil
	})
}

func typeNamed(name string) sqlexpr.Type {
	for t := sqlexpr.TypeUnknown; t <= sqlexpr.TypeInterval; t++ {
		if t.String() == name {
			return t
		}
	}
	return sqlexpr.TypeUnknown
}

func timeCode(format string, numeric bool) *sqlexpr.TimeCode {
	code := &sqlexpr.TimeCode{Text: format, Numeric: numeric}
	if unit, ok := strings.CutPrefix(format, "epoch_"); ok {
		code.Epoch = unit
		return code
	}
	for i := 0; i < len(format); {
		step := 1
		for _, token := range []string{"yyyy", "MM", "dd", "HH", "mm", "ss", "Q", "ww"} {
			if strings.HasPrefix(format[i:], token) {
				code.Fields = append(code.Fields, sqlexpr.TimeLayoutField{Token: token, Start: i + 1, Len: len(token)})
				step = len(token)
			}
		}
		i += step
	}
	return code
}
