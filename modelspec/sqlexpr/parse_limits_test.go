package sqlexpr

import (
	"errors"
	"strings"
	"testing"
)

func TestLimits_QueryLimitsMatchContract(t *testing.T) {
	if got, want := QueryLimits(), (Limits{
		MaxText: 65536, MaxDepth: 100, MaxItems: 1000,
		MaxPattern: 1024, MaxWildcards: 32, MaxRuns: 2, MaxRegexpRepeats: 4, MaxBuilt: 32768, MaxSearch: 4194304, Portable: true,
	}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestLimits_HoldAtTheirEdge(t *testing.T) {
	rep := strings.Repeat
	list := func(n int) string { return "a IN (" + rep("1,", n-1) + "1)" }
	tests := []struct {
		name       string
		text       func(n int) string
		last       int // the last n that passes
		wantBeyond string
	}{
		{"bytes of text", func(n int) string { return rep(" ", n-1) + "a" }, 65536, "the text of 65537 bytes is longer than 65536 bytes, beginning at position 1"},
		{"parentheses", func(n int) string { return rep("(", n) + "a" + rep(")", n) }, 100, "the expression is nested more than 100 levels deep at position 102"},
		{"NOT", func(n int) string { return rep("NOT ", n) + "a" }, 100, "the expression is nested more than 100 levels deep at position 401"},
		{"signs", func(n int) string { return rep("- ", n) + "a" }, 100, "the expression is nested more than 100 levels deep at position 201"},
		{"calls", func(n int) string { return rep("f(", n) + "a" + rep(")", n) }, 100, "the expression is nested more than 100 levels deep at position 203"},
		{"CASE", func(n int) string { return rep("CASE WHEN a THEN ", n) + "a" + rep(" END", n) }, 100, "the expression is nested more than 100 levels deep at position 1711"},
		{"a chain of sums", func(n int) string { return "a" + rep("+a", n) }, 100, "the expression is nested more than 100 levels deep at position 1"},
		{"a chain of casts", func(n int) string { return "a" + rep("::int", n) }, 100, "the expression is nested more than 100 levels deep at position 1"},
		{"a chain of IS", func(n int) string { return "a" + rep(" IS NULL", n) }, 100, "the expression is nested more than 100 levels deep at position 1"},
		{"values of IN", list, 1000, "the IN list has more than 1000 values, the next one at position 2007"},
	}
	for _, test := range tests {
		if _, err := ParseLimited(test.text(test.last), QueryLimits()); err != nil {
			t.Errorf("%s: %d are refused: %v", test.name, test.last, err)
		}
		_, err := ParseLimited(test.text(test.last+1), QueryLimits())
		if err == nil || err.Error() != test.wantBeyond {
			t.Errorf("%s: beyond the limit\n got %v\nwant %s", test.name, err, test.wantBeyond)
		}
	}
}

func TestLimits_EscapeMustBeLiteral(t *testing.T) {
	t.Run("the ESCAPE of a LIKE in a query must be a literal", func(t *testing.T) {
		const text = "a LIKE b ESCAPE c"
		if _, err := ParseLimited(text, ModelLimits()); err != nil {
			t.Error(err)
		}
		if e, err := ParseLimited(text, QueryLimits()); err == nil {
			t.Errorf("got %s", Format(e))
		}
	})
}

func TestLimits_LongChainsAllowed(t *testing.T) {
	text := strings.Repeat("a = 1 AND ", 3000) + "(" + strings.Repeat("b = 2 OR ", 3000) + "c)"
	e, err := ParseLimited(text, QueryLimits())
	if err != nil {
		t.Fatal(err)
	}
	if got := len(SplitConjuncts(e)); got != 3001 {
		t.Errorf("%d conjuncts, want 3001", got)
	}
}

func TestLimits_DepthAcrossChains(t *testing.T) {
	// Fifty sums inside each of three parentheses: no one of them is deep.
	text := strings.Repeat("(", 3) + "a" + strings.Repeat(strings.Repeat("+a", 50)+")", 3)
	if _, err := ParseLimited(text, QueryLimits()); err == nil {
		t.Error("a tree of 150 levels passed a limit of 100")
	}
}

func TestLimits_ModelAboveQuery(t *testing.T) {
	text := "a IN (" + strings.Repeat("'value',", 20000) + "'value')"
	if _, err := Parse(text); err != nil {
		t.Errorf("a model's list is refused: %v", err)
	}
}

func TestLimits_QueryTypesAndDateParts(t *testing.T) {
	tests := []struct{ text, want string }{
		{"a::hugeint > 1", "HUGEINT is not a type of the expression language; the name at position 4: the types are " + typeNamesText},
		{"EXTRACT(epoch FROM a) > 1", "expected a part of a date in EXTRACT at position 9, found epoch: the parts are " + datePartNamesText},
		{"DATE_PART('epoch', a) > 1", "expected a part of a date in DATE_PART at position 11, found 'epoch': the parts are " + datePartNamesText},
		{"DATE_TRUNC('decade', a) > b", "DATE_TRUNC does not begin with a unit of time; the call at position 1: the units are " + intervalUnitsText},
		{"DATE_TRUNC('dow', a) > b", "DATE_TRUNC does not begin with a unit of time; the call at position 1: the units are " + intervalUnitsText},
		{"DATEADD(decade, 1, a) > b", "DATEADD does not begin with a unit of time; the call at position 1: the units are " + intervalUnitsText},
	}
	for _, test := range tests {
		if _, err := Parse(test.text); err != nil {
			t.Errorf("%s: refused in a model: %v", test.text, err)
		}
		_, err := ParseLimited(test.text, QueryLimits())
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || syntax.Error() != test.want {
			t.Errorf("%s: in a query\n got %v\nwant %s", test.text, err, test.want)
		}
	}
}
