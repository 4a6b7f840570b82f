package sqlexpr

import (
	"slices"
	"strings"
	"testing"
)

func TestFunctionReferences_DescribeEachFunctionOnce(t *testing.T) {
	// No metric and no condition has these: windows and rejected aggregates.
	without := []Func{FnUnknown, FnOtherAggregate, FnCovarPop, FnCovarSamp, FnCorr}
	named := map[string]int{}
	for _, f := range FunctionReferences() {
		for _, name := range f.Names {
			named[name]++
		}
		if f.Result == "" || f.Nulls == "" || f.Meaning == "" || f.Example == "" || f.Value == "" {
			t.Errorf("%s is not described: %+v", f.Names[0], f)
		}
	}
	for name, fn := range functionsByName {
		want := 1
		if slices.Contains(without, fn) || functionTable[fn].Class == ClassWindow {
			want = 0
		}
		if got := named[strings.ToUpper(name)]; got != want {
			t.Errorf("%s is described %d times, want %d", name, got, want)
		}
	}
	for name := range rewritesByNameAndArgCount {
		if named[strings.ToUpper(name)] != 1 {
			t.Errorf("%s is described %d times", name, named[strings.ToUpper(name)])
		}
	}
	for _, name := range ScalarFunctionNames() {
		if named[name] != 1 {
			t.Errorf("%s is described %d times", name, named[name])
		}
	}
}

func TestFunctionReferences_ArgumentsHaveTheNumberThatTheParserTakes(t *testing.T) {
	for _, f := range FunctionReferences() {
		if f.Fn == FnUnknown || f.Class != ClassScalar {
			continue
		}
		info := InfoOfFunction(f.Fn)
		optional := strings.Count(f.Arguments, "[")
		max := 0
		if f.Arguments != "" {
			max = 1 + strings.Count(f.Arguments, ",")
		}
		min := max - optional
		if strings.HasSuffix(f.Arguments, ", …)") {
			min, max = 1, -1
		}
		if min != info.MinArgs || max != info.MaxArgs {
			t.Errorf("%s%s: %d to %d arguments, the parser takes %d to %d", f.Names[0], f.Arguments, min, max, info.MinArgs, info.MaxArgs)
		}
	}
}

func TestFunctionReferences_ExamplesCallTheFunction(t *testing.T) {
	for _, f := range FunctionReferences() {
		if !strings.HasPrefix(f.Example, f.Names[0]) {
			t.Errorf("%s: the example is %s", f.Names[0], f.Example)
		}
		for _, text := range []string{f.Example, f.Value} {
			if _, err := Parse(text); err != nil {
				t.Errorf("%s: %s: %v", f.Names[0], text, err)
			}
		}
	}
}
