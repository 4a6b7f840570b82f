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

// OssieLevel is the level of a function in the expression language of Apache Ossie, which is the meaning of OSSIE_SQL_2026.
type OssieLevel string

// The levels.
const (
	OssieRequired     OssieLevel = "required"
	OssieRecommended  OssieLevel = "recommended"
	OssieExperimental OssieLevel = "experimental"
)

// ossieFunctions are the names of each level that are functions of this language: those of core-spec/expression_language.md, version
// 0.2.0.dev of 2026-07-15.
var ossieFunctions = map[OssieLevel]string{
	OssieRequired: `SUM COUNT AVG MIN MAX STDDEV STDDEV_POP STDDEV_SAMP VARIANCE VAR_POP VAR_SAMP MEDIAN PERCENTILE_CONT PERCENTILE_DISC
		CURRENT_DATE CURRENT_TIMESTAMP CURRENT_TIME YEAR QUARTER MONTH DAY DAYOFYEAR HOUR MINUTE SECOND EXTRACT DATE_PART DATE_TRUNC DATEADD
		DATEDIFF TO_DATE TO_TIMESTAMP CONCAT LENGTH LOWER UPPER TRIM LTRIM RTRIM LEFT RIGHT SUBSTRING REPLACE SPLIT_PART POSITION CHARINDEX
		CONTAINS STARTSWITH ENDSWITH REGEXP_LIKE ABS ROUND FLOOR CEIL CEILING TRUNC TRUNCATE MOD SIGN POWER SQRT EXP LN LOG LOG10 GREATEST
		LEAST IF IFF NULLIF COALESCE IFNULL NVL NVL2 ZEROIFNULL NULLIFZERO CAST`,
	OssieRecommended:  `APPROX_COUNT_DISTINCT APPROX_PERCENTILE REGEXP_COUNT TRY_CAST`,
	OssieExperimental: `TO_CHAR`,
}

// ossieLevelOf returns the level of a function; "" for one that Ossie does not have.
func ossieLevelOf(canonicalName string) OssieLevel {
	for level, names := range ossieFunctions {
		for name := range strings.FieldsSeq(names) {
			if name == canonicalName {
				return level
			}
		}
	}
	return ""
}

// specialForm is a form with its own syntax, or one that the parser writes with other functions.
type specialForm struct {
	name  string
	class FunctionClass
	group FunctionGroup
	text  functionText
}

var specialForms = []specialForm{
	{"EXTRACT", ClassScalar, GroupTimes, functionText{"(part FROM x)", "null", "A part of a time, see [parts](#units-of-time).", "EXTRACT(ISODOW FROM DATE '2024-01-07')", "7", "Integer"}},
	{"DATE_PART", ClassScalar, GroupTimes, functionText{"('part', x)", "null", "The same as `EXTRACT`.", "DATE_PART('week', DATE '2024-01-01')", "1", "Integer"}},
	{"CHARINDEX", ClassScalar, GroupStrings, functionText{"(part, string)", "null", "The same as `POSITION`.", "CHARINDEX('b', 'abc')", "2", "Integer"}},
	{"INSTR", ClassScalar, GroupStrings, functionText{"(string, part)", "null", "`POSITION` with the arguments the other way.", "INSTR('abc', 'b')", "2", "Integer"}},
	{"LOG10", ClassScalar, GroupNumbers, functionText{"(x)", "null", "The logarithm to the base 10.", "LOG10(1000)", "3", "Float"}},
	{"CAST", ClassScalar, GroupConditions, functionText{"(x AS type)", "null", "The value in another type; `x::type` is the same. [Types](model.md#operators-and-types) has the rules.", "CAST(2.5 AS INTEGER)", "3", "the type"}},
	{"TRY_CAST", ClassScalar, GroupConditions, functionText{"(x AS type)", "null", "`CAST`, but null for a string that is not a value of the type: [strings](#strings-that-try_cast-reads).", "TRY_CAST('12 pieces' AS INTEGER)", "NULL", "the type"}},
	{"ISNULL", ClassScalar, GroupConditions, functionText{"(x, y)", "skipped; null if all are null", "`COALESCE` of two.", "ISNULL(NULL, 3)", "3", "as the arguments"}},
	{"NVL2", ClassScalar, GroupConditions, functionText{"(x, a, b)", "a null x gives b", "a if x is not null, else b.", "NVL2(NULL, 'a', 'b')", "'b'", "as a and b"}},
	{"NULLIFZERO", ClassScalar, GroupConditions, functionText{"(x)", "null", "Null if x is 0, else x.", "NULLIFZERO(0)", "NULL", "as x"}},
	{"ZEROIFNULL", ClassScalar, GroupConditions, functionText{"(x)", "0", "0 if x is null, else x.", "ZEROIFNULL(NULL)", "0", "as x"}},
	{"COUNT_IF", ClassAggregate, GroupAggregates, functionText{"(condition)", "skipped; 0 over no values", "The number of rows where the condition is true.", "COUNT_IF(x > 3)", "3", "Integer"}},
}
