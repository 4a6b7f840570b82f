package sqlexpr

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// canonicalCase is a line of testdata/canonical.txt.
type canonicalCase struct{ text, want string }

func canonicalCases(t testing.TB) []canonicalCase {
	t.Helper()
	data, err := os.ReadFile("testdata/canonical.txt")
	if err != nil {
		t.Fatal(err)
	}
	var cases []canonicalCase
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		text, want, ok := strings.Cut(line, " => ")
		if !ok {
			t.Fatalf("testdata/canonical.txt: no => in %q", line)
		}
		if want == "=" {
			want = text
		}
		cases = append(cases, canonicalCase{text, want})
	}
	return cases
}

func mustParse(t testing.TB, text string) Expr {
	t.Helper()
	e, err := Parse(text)
	if err != nil {
		t.Fatalf("Parse(%q): %v", text, err)
	}
	return e
}

func TestFormat_Canonical(t *testing.T) {
	for _, c := range canonicalCases(t) {
		if got := Format(mustParse(t, c.text)); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestFormat_ParsesBackEqual(t *testing.T) {
	for _, c := range canonicalCases(t) {
		first := mustParse(t, c.text)
		again, err := Parse(Format(first))
		if err != nil {
			t.Errorf("%s: its canonical form does not parse: %v", c.text, err)
			continue
		}
		if !Equal(first, again) {
			t.Errorf("%s: parses to %s and then to %s", c.text, Format(first), Format(again))
		}
		if Format(again) != Format(first) {
			t.Errorf("%s: the canonical form changes from %s to %s", c.text, Format(first), Format(again))
		}
	}
}

func col(path ...string) *Column {
	c := &Column{}
	for _, p := range path {
		c.Path = append(c.Path, Name{Text: p})
	}
	return c
}

func num(text string) *Number { return &Number{Text: text} }

func bin(op BinaryOp, l, r Expr) *Binary { return &Binary{Op: op, L: l, R: r} }

// ignorePositions compares trees without their offsets.
var ignorePositions = cmpopts.IgnoreTypes(Position(0))

func TestParse_BuildsTree(t *testing.T) {
	tests := []struct {
		text string
		want Expr
	}{
		{"a", col("a")},
		{`Rel.rel."Field"`, &Column{Path: []Name{{Text: "Rel"}, {Text: "rel"}, {Text: "Field", Quoted: true}}}},
		{"order.amount", col("order", "amount")},
		{":t", &Param{Name: "t"}},
		{"1.50", num("1.50")},
		{"'o''clock\\'", &String{Value: "o'clock\\"}},
		{"date '2024-01-31'", &TypedLiteral{Type: TypeDate, Value: "2024-01-31"}},
		{"interval '3 months'", &Interval{Count: "3", Unit: "month"}},
		{"interval -3 weeks", &Interval{Count: "-3", Unit: "week"}},
		{"interval - 3", bin(OpSub, col("interval"), num("3"))},
		{"a - b - c", bin(OpSub, bin(OpSub, col("a"), col("b")), col("c"))},
		{"a or b and not c", bin(OpOr, col("a"), bin(OpAnd, col("b"), &Unary{Op: OpNot, X: col("c")}))},
		{"not a is null", &Unary{Op: OpNot, X: &IsNull{X: col("a")}}},
		{"not a = b", &Unary{Op: OpNot, X: bin(OpEq, col("a"), col("b"))}},
		{"a = b is null", &IsNull{X: bin(OpEq, col("a"), col("b"))}},
		{"a < b like c", bin(OpLt, col("a"), &Like{X: col("b"), Pattern: col("c")})},
		{"a || b + c", bin(OpConcat, col("a"), bin(OpAdd, col("b"), col("c")))},
		{"a like b || c", &Like{X: col("a"), Pattern: bin(OpConcat, col("b"), col("c"))}},
		{"-a::int", &Unary{Op: OpNeg, X: &Cast{X: col("a"), To: TypeName{Type: TypeInt, Name: "INT"}}}},
		{"-a * b", bin(OpMul, &Unary{Op: OpNeg, X: col("a")}, col("b"))},
		{"a between 1 and 2 and b", bin(OpAnd, &Between{X: col("a"), Lo: num("1"), Hi: num("2")}, col("b"))},
		{"a not in (1, 2)", &In{Not: true, X: col("a"), Items: []Expr{num("1"), num("2")}}},
		{"a not ilike b escape c", &Like{Not: true, Fold: true, X: col("a"), Pattern: col("b"), Escape: col("c")}},
		{"a like '!!!!' escape '!'", &Like{X: col("a"), Pattern: &String{Value: "!!!!"}, Escape: &String{Value: "!"}}},
		{"a is not false", &IsTruth{Not: true, Want: false, X: col("a")}},
		{"a is not unknown", &IsNull{Not: true, X: col("a")}},
		{"a is not distinct from b", bin(OpIsNotDistinctFrom, col("a"), col("b"))},
		{"case a when 1 then b else c end", &Case{Operand: col("a"), Whens: []When{{Cond: num("1"), Then: col("b")}}, Else: col("c")}},
		{"cast(a as numeric(10, 2))", &Cast{X: col("a"), To: TypeName{Type: TypeDecimal, Name: "NUMERIC", Args: []int{10, 2}}}},
		{"a::money", &Cast{X: col("a"), To: TypeName{Name: "MONEY"}}},
		{"date_part('dow', a)", &Extract{Part: "dayofweek", X: col("a")}},
		{"count(*)", &Call{Fn: FnCount, Name: Name{Text: "count"}, Star: true}},
		{"nvl(a, 0)", &Call{Fn: FnCoalesce, Name: Name{Text: "nvl"}, Args: []Expr{col("a"), num("0")}}},
		{"f(a)", &Call{Fn: FnUnknown, Name: Name{Text: "f"}, Args: []Expr{col("a")}}},
		{"median(distinct a)", &Call{Fn: FnMedian, Name: Name{Text: "median"}, Distinct: true, Args: []Expr{col("a")}}},
		{"to_date(a, 'DD.MM')", &Call{Fn: FnUnknown, Name: Name{Text: "to_date"}, Args: []Expr{col("a"), &String{Value: "DD.MM"}}}},
		{"dateadd(MONTHS, 1, a)", &Call{Fn: FnDateAdd, Name: Name{Text: "dateadd"}, Args: []Expr{&String{Value: "month"}, num("1"), col("a")}}},
		{"date_trunc(a, week)", &Call{Fn: FnDateTrunc, Name: Name{Text: "date_trunc"}, Args: []Expr{&String{Value: "week"}, col("a")}}},
		{"position(a in b)", &Call{Fn: FnPosition, Name: Name{Text: "position"}, Args: []Expr{col("a"), col("b")}}},
		{"trim(leading 'x' from a)", &Call{Fn: FnLTrim, Name: Name{Text: "LTRIM"}, Args: []Expr{col("a"), &String{Value: "x"}}}},
		{"substring(a for 2)", &Call{Fn: FnSubstring, Name: Name{Text: "substring"}, Args: []Expr{col("a"), num("1"), num("2")}}},
		{"a in (select 1)", &In{X: col("a"), Items: []Expr{&Subquery{Text: "(select 1)"}}}},
		{"exists (select 1)", &Subquery{Text: "exists (select 1)"}},
		{"sum(a) over (partition by b order by c desc rows 2 preceding)", &WindowCall{
			Call:      &Call{Fn: FnSum, Name: Name{Text: "sum"}, Args: []Expr{col("a")}},
			Partition: []Expr{col("b")}, Order: []OrderItem{{X: col("c"), Desc: true}},
			Frame: &Frame{Unit: FrameRows, Start: FrameBound{Offset: -2}},
		}},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, mustParse(t, test.text), ignorePositions); diff != "" {
			t.Errorf("%s (-want +got)\n%s", test.text, diff)
		}
	}
}

func TestParse_NodePositions(t *testing.T) {
	const text = "  (a + b) * SUM(c) IN (x::int, -1)"
	want := map[string]int{
		"(a + b) * SUM(c) IN (CAST(x AS INT), -1)": 2, "(a + b) * SUM(c)": 2, "a + b": 3, "a": 3, "b": 7,
		"SUM(c)": 12, "c": 16, "CAST(x AS INT)": 23, "x": 23, "-1": 31, "1": 32,
	}
	got := map[string]int{}
	Walk(mustParse(t, text), func(e Expr) bool {
		got[Format(e)] = e.Pos()
		return true
	})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("offsets (-want +got)\n%s", diff)
	}
}

func TestParse_OtherFormsInConditions(t *testing.T) {
	for text, want := range map[string]string{
		"NVL2(a, b, c)": "CASE WHEN a IS NOT NULL THEN b ELSE c END", "ISNULL(a, b)": "COALESCE(a, b)", "ZEROIFNULL(a)": "COALESCE(a, 0)",
		"NULLIFZERO(a)": "NULLIF(a, 0)", "CHARINDEX(a, b)": "POSITION(a IN b)", "INSTR(a, b)": "POSITION(b IN a)",
	} {
		e, err := ParseLimited(text, QueryLimits())
		if err != nil {
			t.Fatal(err)
		}
		if got := Format(e); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}
