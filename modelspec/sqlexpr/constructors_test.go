package sqlexpr

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNewCall_IsWhatTheParserReads(t *testing.T) {
	column := &Column{Path: []Name{{Text: "a"}}}
	other := &Column{Path: []Name{{Text: "b"}}}
	text := func(s string) Expr { return &String{Value: s} }
	number := func(s string) Expr { return &Number{Text: s} }
	order := func(x Expr, desc bool) []OrderItem { return []OrderItem{{X: x, Desc: desc}} }
	for want, parts := range map[string]CallParts{
		"LOWER(a)":                     {Name: Name{Text: "lower"}, Args: []Expr{column}},
		"COUNT(DISTINCT a)":            {Name: Name{Text: "count"}, Distinct: true, Args: []Expr{column}},
		"TRIM(a, 'x')":                 {Name: Name{Text: "trim"}, Args: []Expr{column, text("x")}},
		"DATE_TRUNC('mons', a)":        {Name: Name{Text: "date_trunc"}, Args: []Expr{text("mons"), column}},
		"DATEADD('days', -1, a)":       {Name: Name{Text: "dateadd"}, Args: []Expr{text("days"), &Unary{Op: OpNeg, X: number("1")}, column}},
		"DATE_PART('doy', a)":          {Name: Name{Text: "date_part"}, Args: []Expr{text("doy"), column}},
		"CURRENT_DATE()":               {Name: Name{Text: "current_date"}},
		"NVL2(a, b, 1)":                {Name: Name{Text: "nvl2"}, Args: []Expr{column, other, number("1")}},
		"to_date(a, 'YYYY')":           {Name: Name{Text: "to_date"}, Args: []Expr{column, text("YYYY")}},
		"mystery(a)":                   {Name: Name{Text: "mystery"}, Args: []Expr{column}},
		"SUM(a) FILTER (WHERE b)":      {Name: Name{Text: "sum"}, Args: []Expr{column}, Filter: other},
		"COUNT_IF(a) FILTER (WHERE b)": {Name: Name{Text: "count_if"}, Args: []Expr{column}, Filter: other},
		"PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY a DESC)": {Name: Name{Text: "percentile_cont"}, Args: []Expr{number("0.5")}, Order: order(column, true)},
		"STRING_AGG(a, ',' ORDER BY b)":                       {Name: Name{Text: "string_agg"}, Args: []Expr{column, text(",")}, Order: order(other, false)},
		"LISTAGG(a, ',') WITHIN GROUP (ORDER BY a)":           {Name: Name{Text: "listagg"}, Args: []Expr{column, text(",")}, Order: order(column, false)},
		// Errors.
		"ABS(a, b)":               {Name: Name{Text: "abs"}, Args: []Expr{column, other}},
		"LOWER(DISTINCT a)":       {Name: Name{Text: "lower"}, Distinct: true, Args: []Expr{column}},
		"COUNT_IF(DISTINCT a)":    {Name: Name{Text: "count_if"}, Distinct: true, Args: []Expr{column}},
		"DATEDIFF('dow', a, b)":   {Name: Name{Text: "datediff"}, Args: []Expr{text("dow"), column, other}},
		"DATE_TRUNC()":            {Name: Name{Text: "date_trunc"}},
		"DATE_PART('epoch', a)":   {Name: Name{Text: "date_part"}, Args: []Expr{text("epoch"), column}},
		"PERCENTILE_CONT(0.5)":    {Name: Name{Text: "percentile_cont"}, Args: []Expr{number("0.5")}},
		"LISTAGG(a)":              {Name: Name{Text: "listagg"}, Args: []Expr{column}},
		"COUNT_IF(a, b)":          {Name: Name{Text: "count_if"}, Args: []Expr{column, other}},
		"APPROX_PERCENTILE(a, 2)": {Name: Name{Text: "approx_percentile"}, Args: []Expr{column, &Number{Position: 21, Text: "2"}}},
	} {
		read, wantErr := ParseLimited(want, QueryLimits())
		given := slices.Clone(parts.Args)
		got, err := NewCall(parts)
		if wantErr != nil || err != nil {
			if diff := cmp.Diff(wantErr, err); diff != "" {
				t.Errorf("%s: error (-parser +operands)\n%s", want, diff)
			}
			continue
		}
		if !Equal(got, read) || Format(got) != Format(read) {
			t.Errorf("%s: %s, of a text %s", want, Format(got), Format(read))
		}
		if !slices.Equal(given, parts.Args) {
			t.Errorf("%s: the arguments that were given are changed", want)
		}
	}
}

func TestNewCall_RejectsClausesOfOtherCalls(t *testing.T) {
	column := &Column{Path: []Name{{Text: "a"}}}
	for want, parts := range map[string]CallParts{
		"FILTER is only for aggregates; FILTER after LOWER at position 1":                                            {Name: Name{Text: "lower"}, Args: []Expr{column}, Filter: column},
		"WITHIN GROUP is only for ordered aggregates; the order of SUM at position 1":                                {Name: Name{Text: "sum"}, Args: []Expr{column}, Order: []OrderItem{{X: column}}},
		"DATE_PART takes 2 arguments and has 1 at position 1":                                                        {Name: Name{Text: "date_part"}, Args: []Expr{column}},
		"DATE_PART does not begin with a part of a date; the call at position 1: the parts are " + datePartNamesText: {Name: Name{Text: "date_part"}, Args: []Expr{column, column}},
	} {
		if _, err := NewCall(parts); err == nil || err.Error() != want {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
	long := CallParts{Name: Name{Text: "concat"}, Args: []Expr{&String{Value: string(make([]byte, QueryLimits().MaxBuilt+1))}}}
	if _, err := NewCall(long); err == nil {
		t.Error("a call that makes more text than the limit is accepted")
	}
}

func TestNewCast_IsWhatTheParserReadsAsAreExtractAndInterval(t *testing.T) {
	x := &Column{Path: []Name{{Text: "x"}}}
	for want, build := range map[string]func() (Expr, error){
		"CAST(x AS numeric(10, 2))":    func() (Expr, error) { return NewCast(0, x, "numeric", 10, 2) },
		"CAST(x AS double precision)":  func() (Expr, error) { return NewCast(0, x, "double precision") },
		"CAST(x AS json)":              func() (Expr, error) { return NewCast(0, x, "json") },
		"EXTRACT(DOW FROM x)":          func() (Expr, error) { return NewExtract(0, "DOW", x) },
		"EXTRACT(epoch FROM x)":        func() (Expr, error) { return NewExtract(0, "epoch", x) },
		"INTERVAL '3 months'":          func() (Expr, error) { return NewInterval(0, "3 months", "") },
		"INTERVAL '-03' day":           func() (Expr, error) { return NewInterval(0, "-03", "day") },
		"INTERVAL '1.5 days'":          func() (Expr, error) { return NewInterval(0, "1.5 days", "") },
		"INTERVAL 'a day'":             func() (Expr, error) { return NewInterval(0, "a day", "") },
		"INTERVAL '1 fortnight'":       func() (Expr, error) { return NewInterval(0, "1 fortnight", "") },
		"INTERVAL '1234567890' second": func() (Expr, error) { return NewInterval(0, "1234567890", "second") },
		"INTERVAL '3' ":                func() (Expr, error) { return NewInterval(0, "3", "") },
	} {
		read, wantErr := ParseLimited(want, QueryLimits())
		got, err := build()
		if wantErr != nil || err != nil {
			var wantSyntax *SyntaxError
			if errors.As(wantErr, &wantSyntax) {
				wantSyntax.Unsupported = false // no limit is chosen for operands
			}
			if diff := cmp.Diff(wantErr, err); diff != "" {
				t.Errorf("%s: error (-parser +operands)\n%s", want, diff)
			}
			continue
		}
		if !Equal(got, read) {
			t.Errorf("%s: %s, of a text %s", want, Format(got), Format(read))
		}
	}
	for _, failing := range []func() (Expr, error){
		func() (Expr, error) { return NewCast(0, x, "numeric", -3) },
		func() (Expr, error) { return NewInterval(0, "3 months", "month") },
	} {
		if got, err := failing(); err == nil {
			t.Errorf("%s is accepted", Format(got))
		}
	}
}
