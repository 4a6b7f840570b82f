package sqlexpr

import (
	"fmt"
	"slices"
)

// Class is where a function may be used.
type Class uint8

// The classes.
const (
	Scalar    Class = iota // row by row
	Aggregate              // over a group
	Window                 // only with OVER
)

// FuncInfo describes a function of the language.
type FuncInfo struct {
	Fn      Func
	Name    string // canonical, upper case
	Class   Class
	MinArgs int
	MaxArgs int // -1: any number

	result resultTypeRule
	nulls  nullRule
}

// nullRule is when a function of NULL arguments is certainly NULL.
type nullRule uint8

const (
	nullsUnknown nullRule = iota // no promise
	nullsStrict                  // NULL when any argument is
	nullsAll                     // NULL when every argument is
	nullsFirst                   // NULL when the first argument is
)

// arity is "2 arguments", "1 or 2 arguments", "at least 1 argument".
func (f FuncInfo) arity() string {
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
	var buf [longestWord]byte
	b, ok := foldASCII(&buf, name)
	if !ok {
		return FuncInfo{}, false
	}
	fn, ok := funcNames[string(b)]
	if !ok {
		return FuncInfo{}, false
	}
	return InfoOf(fn), true
}

// InfoOf describes a function. FnUnknown and FnOtherAggregate have no name and
// take any number of arguments.
func InfoOf(fn Func) FuncInfo { return funcs[fn] }

// ScalarNames lists every name of a scalar function in upper case, sorted:
// what a query's condition may call, and what may be suggested.
func ScalarNames() []string {
	names := []string{"CAST", "DATE_PART", "EXTRACT"}
	for name, fn := range funcNames {
		if funcs[fn].Class == Scalar {
			names = append(names, upperASCII(name))
		}
	}
	slices.Sort(names)
	return names
}

func upperASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'a' <= c && c <= 'z' {
			b[i] = c - ('a' - 'A')
		}
	}
	return string(b)
}
