package sqlexpr

import (
	"slices"
	"strings"
)

// FunctionReference describes a function of the language to people and to programs.
type FunctionReference struct {
	Fn    Func     // FnUnknown for a form with its own syntax, and for one that is written with other functions
	Names []string // the canonical name, then the others, sorted
	Class FunctionClass
	Group FunctionGroup

	Arguments string // what follows the name: "(string, start[, length])"; "" for CURRENT_DATE
	Result    string // the datatype of the result, or the words "as x"
	Nulls     string // the result for NULL
	Meaning   string // one sentence
	Example   string // a call; that of an aggregate reads a table
	Value     string // the value of the example, as SQL writes it
	// Ossie is the level of the function in the expression language of Apache Ossie; "" where that does not have it.
	Ossie OssieLevel
}

// FunctionGroup is the subject of a function.
type FunctionGroup string

// The groups of functions.
const (
	GroupTimes      FunctionGroup = "times"
	GroupStrings    FunctionGroup = "strings"
	GroupNumbers    FunctionGroup = "numbers"
	GroupConditions FunctionGroup = "conditions"
	GroupAggregates FunctionGroup = "aggregates"
)

// functionText is what the tables of the parser do not determine.
type functionText struct {
	arguments string
	nulls     string // "" where the null rule of the function determines it
	meaning   string
	example   string
	value     string
	result    string // "" where the result rule of the function determines it
}

// FunctionReferences lists the scalar functions and the aggregates of metrics, by group and then by name.
func FunctionReferences() []FunctionReference {
	names := map[Func][]string{}
	for name, fn := range functionsByName {
		names[fn] = append(names[fn], strings.ToUpper(name))
	}
	var out []FunctionReference
	for _, info := range functionTable {
		if info.text == nil {
			continue
		}
		others := slices.DeleteFunc(names[info.Fn], func(name string) bool { return name == info.Name })
		slices.Sort(others)
		text := *info.text
		text.nulls, text.result = nullsOf(info, text), resultOf(info, text)
		out = append(out, text.reference(info.Fn, append([]string{info.Name}, others...), info.Class, groupOf(info.Fn)))
	}
	for _, special := range specialForms {
		out = append(out, special.text.reference(FnUnknown, []string{special.name}, special.class, special.group))
	}
	order := []FunctionGroup{GroupTimes, GroupStrings, GroupNumbers, GroupConditions, GroupAggregates}
	slices.SortFunc(out, func(a, b FunctionReference) int {
		if d := slices.Index(order, a.Group) - slices.Index(order, b.Group); d != 0 {
			return d
		}
		return slices.Compare(a.Names, b.Names)
	})
	return out
}

func (t functionText) reference(fn Func, names []string, class FunctionClass, group FunctionGroup) FunctionReference {
	return FunctionReference{
		Fn: fn, Names: names, Class: class, Group: group, Arguments: t.arguments, Result: t.result, Nulls: t.nulls,
		Meaning: t.meaning, Example: t.example, Value: t.value, Ossie: ossieLevelOf(names[0]),
	}
}

func groupOf(fn Func) FunctionGroup {
	switch {
	case InfoOfFunction(fn).Class == ClassAggregate:
		return GroupAggregates
	case fn <= FnToTimestamp:
		return GroupTimes
	case fn <= FnEndsWith:
		return GroupStrings
	case fn <= FnLeast:
		return GroupNumbers
	}
	return GroupConditions
}

func nullsOf(f FuncInfo, text functionText) string {
	switch {
	case text.nulls != "":
		return text.nulls
	case f.Class == ClassAggregate:
		return "skipped; null over no values"
	case f.nulls == nullWhenAnyArgIsNull:
		return "null"
	case f.nulls == nullWhenAllArgsAreNull:
		return "skipped; null if all are null"
	}
	return "null if the first argument is"
}

// datatypesOfResultRules names the results in the datatypes of models.
var datatypesOfResultRules = map[resultTypeRule]string{
	resultTypeBool: "Boolean", resultTypeInt: "Integer", resultTypeFloat: "Float", resultTypeString: "String",
	resultTypeDate: "Date", resultTypeTime: "Time", resultTypeTimestamp: "DateTime", resultTypeTimestampTZ: "DateTimeTz",
	resultTypeOfFirstArg: "as x", resultTypeOfSummedArg: "as x", resultTypeCommonToArgs: "as the arguments",
	resultTypeCommonAfterFirstArg: "as a and b", resultTypeOfArithmetic: "Integer, Decimal or Float",
	resultTypeOfShiftedOrTruncatedArg: "as x; DateTime for a Date by less than a day",
}

func resultOf(f FuncInfo, text functionText) string {
	if text.result != "" {
		return text.result
	}
	return datatypesOfResultRules[f.result]
}
