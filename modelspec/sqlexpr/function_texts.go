package sqlexpr

// functionTexts describes each function that a condition, a field or a metric may call. The examples of aggregates read the
// column x with the values 2, 4, 4, 10 and NULL, the column c with true, false, true, NULL and true, and the column town with
// 'oslo', 'oslo', 'bergen', 'bergen' and NULL.
var functionTexts = map[Func]functionText{
	FnSum:                 {arguments: "([DISTINCT] x)", meaning: "The sum.", example: "SUM(x)", value: "20"},
	FnCount:               {arguments: "([DISTINCT] x)", nulls: "skipped; 0 over no values", meaning: "The number of values; `COUNT(*)` is the number of rows.", example: "COUNT(x)", value: "4"},
	FnAvg:                 {arguments: "([DISTINCT] x)", meaning: "The mean.", example: "AVG(x)", value: "5"},
	FnMin:                 {arguments: "(x)", meaning: "The smallest value.", example: "MIN(x)", value: "2"},
	FnMax:                 {arguments: "(x)", meaning: "The largest value.", example: "MAX(x)", value: "10"},
	FnBoolAnd:             {arguments: "(condition)", meaning: "Whether the condition is true in every row where it is not null.", example: "BOOL_AND(c)", value: "FALSE"},
	FnBoolOr:              {arguments: "(condition)", meaning: "Whether the condition is true in at least one row.", example: "BOOL_OR(c)", value: "TRUE"},
	FnAnyValue:            {arguments: "(x)", meaning: "The smallest value, so that two runs are equal.", example: "ANY_VALUE(town)", value: "'bergen'"},
	FnStddevPop:           {arguments: "(x)", meaning: "The standard deviation of all values; 0 for one value.", example: "STDDEV_POP(x)", value: "3"},
	FnStddevSamp:          {arguments: "(x)", nulls: "skipped; null over fewer than two values", meaning: "The standard deviation of a sample.", example: "STDDEV_SAMP(x) * STDDEV_SAMP(x)", value: "12"},
	FnVarPop:              {arguments: "(x)", meaning: "The variance of all values; 0 for one value.", example: "VAR_POP(x)", value: "9"},
	FnVarSamp:             {arguments: "(x)", nulls: "skipped; null over fewer than two values", meaning: "The variance of a sample.", example: "VAR_SAMP(x)", value: "12"},
	FnMedian:              {arguments: "(x)", meaning: "The middle value, or the mean of the two in the middle.", example: "MEDIAN(x)", value: "4"},
	FnPercentileCont:      {arguments: "(p) WITHIN GROUP (ORDER BY x [DESC])", meaning: "The value at position 1 + p · (n − 1) of n sorted values, linear between two neighbours.", example: "PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY x)", value: "8.2"},
	FnPercentileDisc:      {arguments: "(p) WITHIN GROUP (ORDER BY x [DESC])", meaning: "The first sorted value up to which at least the share p of the values lies.", example: "PERCENTILE_DISC(0.9) WITHIN GROUP (ORDER BY x)", value: "10"},
	FnApproxCountDistinct: {arguments: "(x)", nulls: "skipped; 0 over no values", meaning: "An estimate of the number of different values.", example: "APPROX_COUNT_DISTINCT(x)", value: "3"},
	FnApproxPercentile:    {arguments: "(x, p)", meaning: "An estimate of the percentile p.", example: "APPROX_PERCENTILE(x, 0.5)", value: "4"},
	FnListagg:             {arguments: "([DISTINCT] x, separator) [WITHIN GROUP (ORDER BY y [DESC])]", meaning: "The values joined with the separator, by default in their own order; only in a model.", example: "LISTAGG(DISTINCT town, '+')", value: "'bergen+oslo'"},

	FnCurrentDate:      {nulls: "never null", meaning: "The present day; in a range, that of `as_of`.", example: "CURRENT_DATE = CAST(CURRENT_TIMESTAMP AS DATE)", value: "TRUE"},
	FnCurrentTimestamp: {nulls: "never null", meaning: "The present time; in a range, that of `as_of`.", example: "CURRENT_TIMESTAMP > TIMESTAMP '2024-01-01 00:00:00'", value: "TRUE"},
	FnCurrentTime:      {nulls: "never null", meaning: "The present time of day.", example: "CURRENT_TIME >= TIME '00:00:00'", value: "TRUE"},
	FnYear:             {arguments: "(x)", meaning: "The year.", example: "YEAR(DATE '2024-01-31')", value: "2024"},
	FnQuarter:          {arguments: "(x)", meaning: "The quarter, 1 to 4.", example: "QUARTER(DATE '2024-05-31')", value: "2"},
	FnMonth:            {arguments: "(x)", meaning: "The month, 1 to 12.", example: "MONTH(DATE '2024-01-31')", value: "1"},
	FnDay:              {arguments: "(x)", meaning: "The day of the month, 1 to 31.", example: "DAY(DATE '2024-01-31')", value: "31"},
	FnDayOfYear:        {arguments: "(x)", meaning: "The day of the year, 1 to 366.", example: "DAYOFYEAR(DATE '2024-03-01')", value: "61"},
	FnDayOfWeek:        {arguments: "(x)", meaning: "The day of the week: 0 is Sunday, 6 is Saturday.", example: "DAYOFWEEK(DATE '2024-01-07')", value: "0"},
	FnHour:             {arguments: "(x)", meaning: "The hour, 0 to 23.", example: "HOUR(TIMESTAMP '2024-01-31 14:35:10')", value: "14"},
	FnMinute:           {arguments: "(x)", meaning: "The minute, 0 to 59.", example: "MINUTE(TIMESTAMP '2024-01-31 14:35:10')", value: "35"},
	FnSecond:           {arguments: "(x)", meaning: "The whole second, 0 to 59.", example: "SECOND(TIMESTAMP '2024-01-31 14:35:10.9')", value: "10"},
	FnDateTrunc:        {arguments: "('unit', x)", meaning: "The beginning of the unit that x lies in; weeks begin on Monday.", example: "DATE_TRUNC('week', DATE '2024-01-07')", value: "DATE '2024-01-01'"},
	FnDateAdd:          {arguments: "(unit, n, x)", meaning: "The time n units later; a day that the month lacks is its last day.", example: "DATEADD(month, 1, DATE '2024-01-31')", value: "DATE '2024-02-29'"},
	FnDateDiff:         {arguments: "(unit, a, b)", meaning: "The number of beginnings of a unit that are crossed from a to b; negative if b is earlier.", example: "DATEDIFF(year, DATE '2023-12-31', DATE '2024-01-01')", value: "1"},
	FnToChar:           {arguments: "(x, format)", meaning: "The time as a string of the [format](#formats-of-times).", example: "TO_CHAR(TIMESTAMP '2024-01-31 14:35:10', 'YYYY/MM/DD HH24:MI')", value: "'2024/01/31 14:35'"},
	FnToDate:           {arguments: "(x[, format])", meaning: "The day of a string `yyyy-mm-dd` or of a time, or of a string of the [format](#formats-of-times); null for another string beside a format.", example: "TO_DATE('2024-01-31')", value: "DATE '2024-01-31'"},
	FnToTimestamp:      {arguments: "(x[, format])", meaning: "The time of a string `yyyy-mm-dd hh:mm:ss`, or of a string of the [format](#formats-of-times); null for another string beside a format.", example: "TO_TIMESTAMP('2024-01-31 10:00:00')", value: "TIMESTAMP '2024-01-31 10:00:00'"},

	FnConcat:      {arguments: "(x, …)", nulls: "skipped; an empty string if all are null", meaning: "The strings joined; other values become strings.", example: "CONCAT('a', NULL, 1)", value: "'a1'"},
	FnLength:      {arguments: "(string)", meaning: "The number of characters.", example: "LENGTH('héllo')", value: "5"},
	FnLower:       {arguments: "(string)", meaning: "The string in lower case.", example: "LOWER('ABC')", value: "'abc'"},
	FnUpper:       {arguments: "(string)", meaning: "The string in upper case.", example: "UPPER('abc')", value: "'ABC'"},
	FnTrim:        {arguments: "(string[, characters])", meaning: "The string without the characters (by default spaces) at both ends, in any order.", example: "TRIM('xyaxy', 'xy')", value: "'a'"},
	FnLTrim:       {arguments: "(string[, characters])", meaning: "As `TRIM`, at the start alone.", example: "LTRIM('xyaxy', 'xy')", value: "'axy'"},
	FnRTrim:       {arguments: "(string[, characters])", meaning: "As `TRIM`, at the end alone.", example: "RTRIM('xyaxy', 'xy')", value: "'xya'"},
	FnLeft:        {arguments: "(string, n)", meaning: "The first n characters; none if n is negative.", example: "LEFT('abc', 2)", value: "'ab'"},
	FnRight:       {arguments: "(string, n)", meaning: "The last n characters; none if n is negative.", example: "RIGHT('abc', 2)", value: "'bc'"},
	FnSubstring:   {arguments: "(string, start[, length])", meaning: "The characters from position start, which begins at 1; positions before the first count as empty. `SUBSTRING(string FROM start FOR length)` is the same.", example: "SUBSTRING('Hello', 2, 3)", value: "'ell'"},
	FnReplace:     {arguments: "(string, part, by)", meaning: "The string with every part replaced.", example: "REPLACE('banana', 'an', 'x')", value: "'bxxa'"},
	FnSplitPart:   {arguments: "(string, separator, n)", meaning: "The part n, from 1, of a string that the separator divides; the empty string beyond the last.", example: "SPLIT_PART('a,b,c', ',', 2)", value: "'b'"},
	FnPosition:    {arguments: "(part, string)", meaning: "The first position of a part, from 1; 0 if the string lacks it. `POSITION(part IN string)` is the same.", example: "POSITION('b', 'abc')", value: "2"},
	FnContains:    {arguments: "(string, part)", meaning: "Whether the string has the part; case matters, and `%` is a character.", example: "CONTAINS('abc', 'b')", value: "TRUE"},
	FnRegexpLike:  {arguments: "(string, pattern)", meaning: "Whether a part of the string matches the [regular expression](#regular-expressions).", example: "REGEXP_LIKE('kiln 12', '[0-9]+$')", value: "TRUE"},
	FnRegexpCount: {arguments: "(string, pattern)", meaning: "The number of parts that match the [regular expression](#regular-expressions), without those that overlap an earlier one.", example: "REGEXP_COUNT('banana', 'an')", value: "2"},
	FnStartsWith:  {arguments: "(string, part)", meaning: "Whether the string begins with the part.", example: "STARTSWITH('abc', 'ab')", value: "TRUE"},
	FnEndsWith:    {arguments: "(string, part)", meaning: "Whether the string ends with the part.", example: "ENDSWITH('abc', 'ab')", value: "FALSE"},

	FnAbs:      {arguments: "(x)", meaning: "The number without its sign.", example: "ABS(-7)", value: "7"},
	FnCeil:     {arguments: "(x)", meaning: "The next integer up.", example: "CEIL(-2.1)", value: "-2"},
	FnFloor:    {arguments: "(x)", meaning: "The next integer down.", example: "FLOOR(-2.1)", value: "-3"},
	FnRound:    {arguments: "(x[, digits])", meaning: "The nearest number with so many decimals (by default none), half away from zero; -2 digits are hundreds.", example: "ROUND(-2.5)", value: "-3"},
	FnTrunc:    {arguments: "(x[, digits])", meaning: "The number cut toward zero to so many decimals, by default none. It takes no time: that is `DATE_TRUNC`.", example: "TRUNC(-2.789, 2)", value: "-2.78"},
	FnMod:      {arguments: "(a, b)", nulls: "null; null also if b is 0", meaning: "The remainder of a / b, with the sign of a.", example: "MOD(-7, 3)", value: "-1"},
	FnPower:    {arguments: "(x, y)", meaning: "x to the power of y.", example: "POWER(2, 10)", value: "1024"},
	FnSqrt:     {arguments: "(x)", meaning: "The square root.", example: "SQRT(16)", value: "4"},
	FnExp:      {arguments: "(x)", meaning: "e to the power of x.", example: "EXP(0)", value: "1"},
	FnLn:       {arguments: "(x)", meaning: "The natural logarithm.", example: "LN(1)", value: "0"},
	FnLog:      {arguments: "([base, ]x)", nulls: "null; null also for the base 1", meaning: "The logarithm of x, by default to the base 10.", example: "LOG(2, 8)", value: "3"},
	FnSign:     {arguments: "(x)", meaning: "1, 0 or -1.", example: "SIGN(-2.5)", value: "-1"},
	FnGreatest: {arguments: "(x, …)", meaning: "The largest argument.", example: "GREATEST(1, NULL, 3)", value: "3"},
	FnLeast:    {arguments: "(x, …)", meaning: "The smallest argument.", example: "LEAST(NULL, 3, 1)", value: "1"},

	FnCoalesce: {arguments: "(x, …)", meaning: "The first argument that is not null.", example: "COALESCE(NULL, 2, 3)", value: "2"},
	FnNullIf:   {arguments: "(x, y)", meaning: "Null if x = y, else x.", example: "NULLIF(7, 7)", value: "NULL"},
	FnIf:       {arguments: "(condition, a, b)", nulls: "a null condition gives b", meaning: "a if the condition is true, else b.", example: "IF(2 > 1, 'a', 'b')", value: "'a'"},
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
