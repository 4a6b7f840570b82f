package sqlexpr

import (
	"fmt"
	"slices"
	"strings"
)

// FunctionClass is where a function may be used.
type FunctionClass uint8

// The classes.
const (
	ClassScalar    FunctionClass = iota // row by row
	ClassAggregate                      // over a group
	ClassWindow                         // only with OVER
)

// FuncInfo describes a function of the language.
type FuncInfo struct {
	Fn      Func
	Name    string // canonical, upper case
	Class   FunctionClass
	MinArgs int
	MaxArgs int // -1: any number

	result resultTypeRule
	nulls  nullArgumentRule
	text   *functionText // nil for one that no condition, field or metric may call
}

// nullArgumentRule is when a function of NULL arguments is certainly NULL.
type nullArgumentRule uint8

const (
	nullRuleUnknown        nullArgumentRule = iota // no promise
	nullWhenAnyArgIsNull                           // NULL when any argument is
	nullWhenAllArgsAreNull                         // NULL when every argument is
	nullWhenFirstArgIsNull                         // NULL when the first argument is
)

// arityText is "2 arguments", "1 or 2 arguments", "at least 1 argument".
func (f FuncInfo) arityText() string {
	plural := func(n int) string {
		if n == 1 {
			return "argument"
		}
		return "arguments"
	}
	switch {
	case f.MaxArgs < 0:
		return fmt.Sprintf("at least %d %s", f.MinArgs, plural(f.MinArgs))
	case f.MaxArgs == 0:
		return "no arguments"
	case f.MinArgs == f.MaxArgs:
		return fmt.Sprintf("%d %s", f.MinArgs, plural(f.MinArgs))
	case f.MaxArgs == f.MinArgs+1:
		return fmt.Sprintf("%d or %d %s", f.MinArgs, f.MaxArgs, plural(f.MaxArgs))
	}
	return fmt.Sprintf("%d to %d %s", f.MinArgs, f.MaxArgs, plural(f.MaxArgs))
}

// LookupFunc finds a function by any of its names, in any case. DATE_PART and
// EXTRACT are not in the table: they have their own node.
func LookupFunc(name string) (FuncInfo, bool) {
	var buf [maxKeywordOrFunctionNameLength]byte
	b, ok := lowerASCII(&buf, name)
	if !ok {
		return FuncInfo{}, false
	}
	fn, ok := functionsByName[string(b)]
	if !ok {
		return FuncInfo{}, false
	}
	return InfoOfFunction(fn), true
}

// String returns the function's name in lower case, as a model writes it; "" for FnUnknown.
func (fn Func) String() string { return strings.ToLower(functionTable[fn].Name) }

// InfoOfFunction describes a function. FnUnknown and FnOtherAggregate have no name and
// take any number of arguments.
func InfoOfFunction(fn Func) FuncInfo { return functionTable[fn] }

// ScalarFunctionNames lists every name of a scalar function in upper case, sorted:
// what a query's condition may call, and what may be suggested.
func ScalarFunctionNames() []string {
	names := []string{"CAST", "DATE_PART", "EXTRACT", "TRY_CAST"}
	for name, fn := range functionsByName {
		if functionTable[fn].Class == ClassScalar {
			names = append(names, strings.ToUpper(name))
		}
	}
	slices.Sort(names)
	return names
}
