package sqlexpr

import (
	"fmt"
	goast "go/ast"
	goparser "go/parser"
	gotoken "go/token"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// everyNode holds each kind of node at least once.
func everyNode(t testing.TB) Expr {
	parsed := mustParse(t, `NOT -a.b + :p * 1.5 BETWEEN 'x' AND TRUE
		OR f(NULL, DATE '2024-01-31') IN (INTERVAL '3' MONTH, c) AND d LIKE 'y' ESCAPE '!'
		OR (e IS NULL) IS TRUE
		OR CASE g WHEN 1 THEN h ELSE i END = CAST(EXTRACT(YEAR FROM j) AS INT)
		OR SUM(k) OVER (PARTITION BY l ORDER BY m) > (SELECT 1)`)
	made := &SafeDivide{L: &Bucket{Grain: GrainDay, X: &DeclaredTypeExpr{X: &Ref{ID: 1}, Type: TypeTimestampTZ}}, R: &BucketOrdinal{Grain: GrainDay, X: &Ref{ID: 2}}}
	code := &TimeCode{Text: "yyyyMMdd", Fields: []TimeLayoutField{{"yyyy", 1, 4}, {"MM", 5, 2}, {"dd", 7, 2}}}
	return And(parsed, made, &DecodeTimeCodeExpr{Code: code, X: &Ref{ID: 3}}, &LocalTime{From: TypeTimestampTZ, X: &Ref{ID: 4}})
}

// A node that is added to ast.go and not to the passes is found here: the tests
// below rebuild and print every node of this tree.
func TestWalk_SampleTreeHoldsEveryNode(t *testing.T) {
	file, err := goparser.ParseFile(gotoken.NewFileSet(), "ast.go", nil, goparser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	declared := map[string]bool{}
	goast.Inspect(file, func(n goast.Node) bool {
		spec, ok := n.(*goast.TypeSpec)
		if !ok {
			return true
		}
		if st, ok := spec.Type.(*goast.StructType); ok {
			for _, f := range st.Fields.List {
				if id, ok := f.Type.(*goast.Ident); ok && len(f.Names) == 0 && id.Name == "Position" {
					declared[spec.Name.Name] = true
				}
			}
		}
		return true
	})
	used := map[string]bool{}
	Walk(everyNode(t), func(e Expr) bool {
		used[strings.TrimPrefix(fmt.Sprintf("%T", e), "*sqlexpr.")] = true
		if Format(e) == "" {
			t.Errorf("%T does not print", e)
		}
		if !Equal(e, e) {
			t.Errorf("%s does not equal itself", Format(e))
		}
		return true
	})
	if diff := cmp.Diff(declared, used); diff != "" {
		t.Errorf("nodes (-declared +in the tree)\n%s", diff)
	}
}

func TestWalk_VisitsInSourceOrder(t *testing.T) {
	var got []string
	Walk(mustParse(t, "a + f(b, c) IN (1, CASE d WHEN e THEN g ELSE h END)"), func(e Expr) bool {
		got = append(got, Format(e))
		return true
	})
	want := []string{
		"a + f(b, c) IN (1, CASE d WHEN e THEN g ELSE h END)", "a + f(b, c)", "a", "f(b, c)", "b", "c",
		"1", "CASE d WHEN e THEN g ELSE h END", "d", "e", "g", "h",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("visited (-want +got)\n%s", diff)
	}
}

func TestWalk_SkipsOperandsOnFalse(t *testing.T) {
	var got []string
	Walk(mustParse(t, "f(a) + b"), func(e Expr) bool {
		got = append(got, Format(e))
		_, call := e.(*Call)
		return !call
	})
	if diff := cmp.Diff([]string{"f(a) + b", "f(a)", "b"}, got); diff != "" {
		t.Errorf("visited (-want +got)\n%s", diff)
	}
}

func TestRewrite_NoChangeReturnsSameTree(t *testing.T) {
	e := everyNode(t)
	if got := Rewrite(e, func(Expr) Expr { return nil }); got != e {
		t.Errorf("a copy was made: %s", Format(got))
	}
}

func TestRewrite_ReachesEveryNode(t *testing.T) {
	e := everyNode(t)
	var walked, rewritten []Expr
	Walk(e, func(x Expr) bool {
		walked = append(walked, x)
		return true
	})
	Rewrite(e, func(x Expr) Expr {
		rewritten = append(rewritten, x)
		return nil
	})
	if len(walked) != len(rewritten) {
		t.Fatalf("Walk visits %d nodes, Rewrite %d", len(walked), len(rewritten))
	}
	for i := range walked {
		if walked[i] != rewritten[i] {
			t.Fatalf("node %d: Walk visits %s, Rewrite %s", i, Format(walked[i]), Format(rewritten[i]))
		}
	}
}

// replaceLeaf replaces the n-th leaf, counted from 0, with a mark.
func replaceLeaf(e Expr, n int) (Expr, bool) {
	seen := -1
	found := false
	out := Rewrite(e, func(x Expr) Expr {
		leaf := true
		VisitOperands(x, func(Expr) { leaf = false })
		if !leaf {
			return nil
		}
		if seen++; seen == n {
			found = true
			return &Param{Name: "mark"}
		}
		return x
	})
	return out, found
}

func TestRewrite_ReplacesEverywhereKeepsOriginal(t *testing.T) {
	e := everyNode(t)
	before := Format(e)
	for n := 0; ; n++ {
		out, found := replaceLeaf(e, n)
		if !found {
			if n < 20 {
				t.Fatalf("only %d leaves", n)
			}
			return
		}
		var marks int
		for _, p := range ParamSlots(out) {
			if p.Name == "mark" {
				marks++
			}
		}
		if marks != 1 || Equal(out, e) {
			t.Errorf("leaf %d: %d marks in %s", n, marks, Format(out))
		}
		if Format(e) != before {
			t.Fatalf("leaf %d: the original changed to %s", n, Format(e))
		}
	}
}

func TestRewrite_SharesUnchanged(t *testing.T) {
	e := mustParse(t, "f(a, b) AND g(c)").(*Binary)
	out := Rewrite(e, func(x Expr) Expr {
		if c, ok := x.(*Column); ok && c.Path[0].Text == "c" {
			return num("1")
		}
		return nil
	}).(*Binary)
	if out.L != e.L {
		t.Error("the left operand was copied")
	}
	if got := Format(out); got != "f(a, b) AND g(1)" {
		t.Errorf("got %s", got)
	}
}

func TestRewrite_SkipsReplacement(t *testing.T) {
	wrap := func(x Expr) Expr {
		if c, ok := x.(*Column); ok {
			return &Call{Fn: FnLower, Args: []Expr{c}}
		}
		return nil
	}
	if got := Format(Rewrite(mustParse(t, "a || b"), wrap)); got != "LOWER(a) || LOWER(b)" {
		t.Errorf("got %s", got)
	}
}

func TestConjuncts_SplitTopLevelAnds(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"a", []string{"a"}},
		{"a AND b AND c", []string{"a", "b", "c"}},
		{"a AND (b AND c) AND d", []string{"a", "b", "c", "d"}},
		{"a AND (b OR c AND d)", []string{"a", "b OR c AND d"}},
		{"a BETWEEN 1 AND 2 AND NOT (b AND c)", []string{"a BETWEEN 1 AND 2", "NOT (b AND c)"}},
	}
	for _, test := range tests {
		var got []string
		for _, c := range SplitConjuncts(mustParse(t, test.text)) {
			got = append(got, Format(c))
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", test.text, diff)
		}
	}
	if got := SplitConjuncts(nil); got != nil {
		t.Errorf("of nothing: %v", got)
	}
}

func TestAnd_JoinsConditions(t *testing.T) {
	if got := Format(And(nil, col("a"), mustParse(t, "b OR c"), nil, col("d"))); got != "a AND (b OR c) AND d" {
		t.Errorf("got %s", got)
	}
	if got := And(nil, nil); got != nil {
		t.Errorf("of nothing: %s", Format(got))
	}
	if a := col("a"); And(a) != Expr(a) {
		t.Error("one condition was wrapped")
	}
}
