package sqlexpr

import (
	"slices"
	"strings"
	"testing"
)

func TestFunctions_FoundByEveryName(t *testing.T) {
	tests := []struct {
		name      string
		fn        Func
		canonical string
		class     Class
		min, max  int
	}{
		{"SUM", FnSum, "SUM", Aggregate, 1, 1},
		{"Count", FnCount, "COUNT", Aggregate, 1, 1},
		{"median", FnOtherAggregate, "", Aggregate, 0, -1},
		{"corr", FnCorr, "CORR", Aggregate, 2, 2},
		{"row_number", FnRowNumber, "ROW_NUMBER", Window, 0, 0},
		{"NVL", FnCoalesce, "COALESCE", Scalar, 1, -1},
		{"ifnull", FnCoalesce, "COALESCE", Scalar, 1, -1},
		{"IFF", FnIf, "IF", Scalar, 3, 3},
		{"substr", FnSubstring, "SUBSTRING", Scalar, 2, 3},
		{"CEILING", FnCeil, "CEIL", Scalar, 1, 1},
		{"pow", FnPower, "POWER", Scalar, 2, 2},
		{"LCASE", FnLower, "LOWER", Scalar, 1, 1},
		{"ucase", FnUpper, "UPPER", Scalar, 1, 1},
		{"CHARACTER_LENGTH", FnLength, "LENGTH", Scalar, 1, 1},
		{"DateDiff", FnDateDiff, "DATEDIFF", Scalar, 3, 3},
	}
	for _, test := range tests {
		got, ok := LookupFunc(test.name)
		if !ok || got.Fn != test.fn || got.Name != test.canonical || got.Class != test.class || got.MinArgs != test.min || got.MaxArgs != test.max {
			t.Errorf("%s: %+v, %v", test.name, got, ok)
		}
	}
	for _, name := range []string{"", "pg_sleep", "date_add", "sum ", strings.Repeat("x", 1000)} {
		if got, ok := LookupFunc(name); ok {
			t.Errorf("%q is found as %s", name, got.Name)
		}
	}
}

func TestFunctions_TableIsComplete(t *testing.T) {
	named := map[Func]bool{}
	for name, fn := range funcNames {
		named[fn] = true
		if name != strings.ToLower(name) || len(name) > longestWord {
			t.Errorf("%q cannot be looked up", name)
		}
	}
	for fn := range funcCount {
		info := InfoOf(fn)
		if info.Fn != fn {
			t.Errorf("entry %d is of function %d", fn, info.Fn)
		}
		if fn == FnUnknown || fn == FnOtherAggregate {
			continue
		}
		if got, ok := LookupFunc(info.Name); !ok || got.Fn != fn {
			t.Errorf("function %d is not found by its canonical name %q", fn, info.Name)
		}
		if !named[fn] || info.MinArgs > info.MaxArgs && info.MaxArgs >= 0 {
			t.Errorf("%s: %+v", info.Name, info)
		}
	}
	for word := range keywords {
		if len(word) > longestWord {
			t.Errorf("keyword %q cannot be looked up", word)
		}
	}
}

func TestFunctions_ScalarNames(t *testing.T) {
	names := ScalarNames()
	if !slices.IsSorted(names) {
		t.Errorf("not sorted: %v", names)
	}
	for _, want := range strings.Fields(`
		CURRENT_DATE CURRENT_TIMESTAMP EXTRACT DATE_PART YEAR QUARTER MONTH DAY DAYOFYEAR DAYOFWEEK HOUR MINUTE SECOND
		DATE_TRUNC DATEADD DATEDIFF TO_DATE TO_TIMESTAMP
		CONCAT LENGTH LOWER UPPER TRIM LTRIM RTRIM LEFT RIGHT SUBSTRING REPLACE SPLIT_PART POSITION CONTAINS STARTSWITH ENDSWITH
		ABS CEIL FLOOR ROUND TRUNC MOD POWER SQRT EXP LN LOG SIGN GREATEST LEAST
		COALESCE NULLIF IFNULL NVL IF IFF`) {
		if !slices.Contains(names, want) {
			t.Errorf("%s is missing", want)
		}
	}
	for _, no := range []string{"SUM", "COUNT", "MEDIAN", "RANK"} {
		if slices.Contains(names, no) {
			t.Errorf("%s is no scalar", no)
		}
	}
}
