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
		class     FunctionClass
		min, max  int
	}{
		{"SUM", FnSum, "SUM", ClassAggregate, 1, 1},
		{"Count", FnCount, "COUNT", ClassAggregate, 1, 1},
		{"median", FnMedian, "MEDIAN", ClassAggregate, 1, 1}, {"every", FnBoolAnd, "BOOL_AND", ClassAggregate, 1, 1}, {"mode", FnOtherAggregate, "", ClassAggregate, 0, -1},
		{"corr", FnCorr, "CORR", ClassAggregate, 2, 2},
		{"row_number", FnRowNumber, "ROW_NUMBER", ClassWindow, 0, 0},
		{"NVL", FnCoalesce, "COALESCE", ClassScalar, 1, -1},
		{"ifnull", FnCoalesce, "COALESCE", ClassScalar, 1, -1},
		{"IFF", FnIf, "IF", ClassScalar, 3, 3},
		{"substr", FnSubstring, "SUBSTRING", ClassScalar, 2, 3},
		{"CEILING", FnCeil, "CEIL", ClassScalar, 1, 1},
		{"pow", FnPower, "POWER", ClassScalar, 2, 2},
		{"LCASE", FnLower, "LOWER", ClassScalar, 1, 1},
		{"ucase", FnUpper, "UPPER", ClassScalar, 1, 1},
		{"CHARACTER_LENGTH", FnLength, "LENGTH", ClassScalar, 1, 1},
		{"DateDiff", FnDateDiff, "DATEDIFF", ClassScalar, 3, 3},
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
	for name, fn := range functionsByName {
		named[fn] = true
		if name != strings.ToLower(name) || len(name) > maxKeywordOrFunctionNameLength {
			t.Errorf("%q cannot be looked up", name)
		}
	}
	for fn := range functionCount {
		info := InfoOfFunction(fn)
		if info.Fn != fn {
			t.Errorf("entry %d is of function %d", fn, info.Fn)
		}
		if fn == FnUnknown || fn == FnOtherAggregate || fn == FnElapsedSeconds {
			continue
		}
		if got, ok := LookupFunc(info.Name); !ok || got.Fn != fn {
			t.Errorf("function %d is not found by its canonical name %q", fn, info.Name)
		}
		if !named[fn] || info.MinArgs > info.MaxArgs && info.MaxArgs >= 0 {
			t.Errorf("%s: %+v", info.Name, info)
		}
	}
	for word := range keywordsByText {
		if len(word) > maxKeywordOrFunctionNameLength {
			t.Errorf("keyword %q cannot be looked up", word)
		}
	}
}

func TestFunctions_ScalarNames(t *testing.T) {
	names := ScalarFunctionNames()
	if !slices.IsSorted(names) {
		t.Errorf("not sorted: %v", names)
	}
	for _, want := range strings.Fields(`
		CURRENT_DATE CURRENT_TIMESTAMP EXTRACT DATE_PART YEAR QUARTER MONTH DAY DAYOFYEAR DAYOFWEEK HOUR MINUTE SECOND
		DATE_TRUNC DATEADD DATEDIFF TO_DATE TO_CHAR TO_TIMESTAMP
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
