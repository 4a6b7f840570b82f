package sqlexpr

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
