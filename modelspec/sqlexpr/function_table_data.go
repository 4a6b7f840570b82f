package sqlexpr

import (
	"maps"
	"strings"
)

// functionTable describes every function, by identity. The examples of aggregates read the column x with the values 2, 4, 4, 10
// and NULL, the column c with true, false, true, NULL and true, and the column town with 'oslo', 'oslo', 'bergen', 'bergen' and NULL.
var functionTable = [functionCount]FuncInfo{
	FnUnknown: {FnUnknown, "", ClassScalar, 0, -1, resultTypeUnknown, nullRuleUnknown, nil},

	FnSum:                 {FnSum, "SUM", ClassAggregate, 1, 1, resultTypeOfSummedArg, nullRuleUnknown, &functionText{arguments: "([DISTINCT] x)", meaning: "The sum.", example: "SUM(x)", value: "20"}},
	FnCount:               {FnCount, "COUNT", ClassAggregate, 1, 1, resultTypeInt, nullRuleUnknown, &functionText{arguments: "([DISTINCT] x)", nulls: "skipped; 0 over no values", meaning: "The number of values; `COUNT(*)` is the number of rows.", example: "COUNT(x)", value: "4"}},
	FnAvg:                 {FnAvg, "AVG", ClassAggregate, 1, 1, resultTypeFloat, nullRuleUnknown, &functionText{arguments: "([DISTINCT] x)", meaning: "The mean.", example: "AVG(x)", value: "5"}},
	FnMin:                 {FnMin, "MIN", ClassAggregate, 1, 1, resultTypeOfFirstArg, nullRuleUnknown, &functionText{arguments: "(x)", meaning: "The smallest value.", example: "MIN(x)", value: "2"}},
	FnMax:                 {FnMax, "MAX", ClassAggregate, 1, 1, resultTypeOfFirstArg, nullRuleUnknown, &functionText{arguments: "(x)", meaning: "The largest value.", example: "MAX(x)", value: "10"}},
	FnBoolAnd:             {FnBoolAnd, "BOOL_AND", ClassAggregate, 1, 1, resultTypeBool, nullRuleUnknown, &functionText{arguments: "(condition)", meaning: "Whether the condition is true in every row where it is not null.", example: "BOOL_AND(c)", value: "FALSE"}},
	FnBoolOr:              {FnBoolOr, "BOOL_OR", ClassAggregate, 1, 1, resultTypeBool, nullRuleUnknown, &functionText{arguments: "(condition)", meaning: "Whether the condition is true in at least one row.", example: "BOOL_OR(c)", value: "TRUE"}},
	FnAnyValue:            {FnAnyValue, "ANY_VALUE", ClassAggregate, 1, 1, resultTypeOfFirstArg, nullRuleUnknown, &functionText{arguments: "(x)", meaning: "The smallest value, so that two runs are equal.", example: "ANY_VALUE(town)", value: "'bergen'"}},
	FnStddevPop:           {FnStddevPop, "STDDEV_POP", ClassAggregate, 1, 1, resultTypeFloat, nullRuleUnknown, &functionText{arguments: "(x)", meaning: "The standard deviation of all values; 0 for one value.", example: "STDDEV_POP(x)", value: "3"}},
	FnStddevSamp:          {FnStddevSamp, "STDDEV_SAMP", ClassAggregate, 1, 1, resultTypeFloat, nullRuleUnknown, &functionText{arguments: "(x)", nulls: "skipped; null over fewer than two values", meaning: "The standard deviation of a sample.", example: "STDDEV_SAMP(x) * STDDEV_SAMP(x)", value: "12"}},
	FnVarPop:              {FnVarPop, "VAR_POP", ClassAggregate, 1, 1, resultTypeFloat, nullRuleUnknown, &functionText{arguments: "(x)", meaning: "The variance of all values; 0 for one value.", example: "VAR_POP(x)", value: "9"}},
	FnVarSamp:             {FnVarSamp, "VAR_SAMP", ClassAggregate, 1, 1, resultTypeFloat, nullRuleUnknown, &functionText{arguments: "(x)", nulls: "skipped; null over fewer than two values", meaning: "The variance of a sample.", example: "VAR_SAMP(x)", value: "12"}},
	FnMedian:              {FnMedian, "MEDIAN", ClassAggregate, 1, 1, resultTypeFloat, nullRuleUnknown, &functionText{arguments: "(x)", meaning: "The middle value, or the mean of the two in the middle.", example: "MEDIAN(x)", value: "4"}},
	FnPercentileCont:      {FnPercentileCont, "PERCENTILE_CONT", ClassAggregate, 2, 2, resultTypeFloat, nullRuleUnknown, &functionText{arguments: "(p) WITHIN GROUP (ORDER BY x [DESC])", meaning: "The value at position 1 + p · (n − 1) of n sorted values, linear between two neighbours.", example: "PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY x)", value: "8.2"}},
	FnPercentileDisc:      {FnPercentileDisc, "PERCENTILE_DISC", ClassAggregate, 2, 2, resultTypeOfFirstArg, nullRuleUnknown, &functionText{arguments: "(p) WITHIN GROUP (ORDER BY x [DESC])", meaning: "The first sorted value up to which at least the share p of the values lies.", example: "PERCENTILE_DISC(0.9) WITHIN GROUP (ORDER BY x)", value: "10"}},
	FnListagg:             {FnListagg, "LISTAGG", ClassAggregate, 2, 3, resultTypeString, nullRuleUnknown, &functionText{arguments: "([DISTINCT] x, separator) [WITHIN GROUP (ORDER BY y [DESC])]", meaning: "The values joined with the separator, by default in their own order; in a model and in SQL.", example: "LISTAGG(DISTINCT town, '+')", value: "'bergen+oslo'"}},
	FnCovarPop:            {FnCovarPop, "COVAR_POP", ClassAggregate, 2, 2, resultTypeFloat, nullRuleUnknown, nil},
	FnCovarSamp:           {FnCovarSamp, "COVAR_SAMP", ClassAggregate, 2, 2, resultTypeFloat, nullRuleUnknown, nil},
	FnCorr:                {FnCorr, "CORR", ClassAggregate, 2, 2, resultTypeFloat, nullRuleUnknown, nil},
	FnApproxCountDistinct: {FnApproxCountDistinct, "APPROX_COUNT_DISTINCT", ClassAggregate, 1, 1, resultTypeInt, nullRuleUnknown, &functionText{arguments: "(x)", nulls: "skipped; 0 over no values", meaning: "An estimate of the number of different values.", example: "APPROX_COUNT_DISTINCT(x)", value: "3"}},
	FnApproxPercentile:    {FnApproxPercentile, "APPROX_PERCENTILE", ClassAggregate, 2, 2, resultTypeFloat, nullRuleUnknown, &functionText{arguments: "(x, p)", meaning: "An estimate of the percentile p.", example: "APPROX_PERCENTILE(x, 0.5)", value: "4"}},
	FnOtherAggregate:      {FnOtherAggregate, "", ClassAggregate, 0, -1, resultTypeUnknown, nullRuleUnknown, nil},

	FnRowNumber:   {FnRowNumber, "ROW_NUMBER", ClassWindow, 0, 0, resultTypeInt, nullRuleUnknown, nil},
	FnRank:        {FnRank, "RANK", ClassWindow, 0, 0, resultTypeInt, nullRuleUnknown, nil},
	FnDenseRank:   {FnDenseRank, "DENSE_RANK", ClassWindow, 0, 0, resultTypeInt, nullRuleUnknown, nil},
	FnNtile:       {FnNtile, "NTILE", ClassWindow, 1, 1, resultTypeInt, nullRuleUnknown, nil},
	FnPercentRank: {FnPercentRank, "PERCENT_RANK", ClassWindow, 0, 0, resultTypeFloat, nullRuleUnknown, nil},
	FnCumeDist:    {FnCumeDist, "CUME_DIST", ClassWindow, 0, 0, resultTypeFloat, nullRuleUnknown, nil},
	FnFirstValue:  {FnFirstValue, "FIRST_VALUE", ClassWindow, 1, 1, resultTypeOfFirstArg, nullRuleUnknown, nil},
	FnLastValue:   {FnLastValue, "LAST_VALUE", ClassWindow, 1, 1, resultTypeOfFirstArg, nullRuleUnknown, nil},
	FnNthValue:    {FnNthValue, "NTH_VALUE", ClassWindow, 2, 2, resultTypeOfFirstArg, nullRuleUnknown, nil},
	FnLag:         {FnLag, "LAG", ClassWindow, 1, 3, resultTypeOfFirstArg, nullRuleUnknown, nil},
	FnLead:        {FnLead, "LEAD", ClassWindow, 1, 3, resultTypeOfFirstArg, nullRuleUnknown, nil},

	FnCurrentDate:      {FnCurrentDate, "CURRENT_DATE", ClassScalar, 0, 0, resultTypeDate, nullRuleUnknown, &functionText{nulls: "never null", meaning: "The present day; in a range, that of `as_of`.", example: "CURRENT_DATE = CAST(CURRENT_TIMESTAMP AS DATE)", value: "TRUE"}},
	FnCurrentTimestamp: {FnCurrentTimestamp, "CURRENT_TIMESTAMP", ClassScalar, 0, 0, resultTypeTimestampTZ, nullRuleUnknown, &functionText{nulls: "never null", meaning: "The present time; in a range, that of `as_of`.", example: "CURRENT_TIMESTAMP > TIMESTAMP '2024-01-01 00:00:00'", value: "TRUE"}},
	FnCurrentTime:      {FnCurrentTime, "CURRENT_TIME", ClassScalar, 0, 0, resultTypeTime, nullRuleUnknown, &functionText{nulls: "never null", meaning: "The present time of day.", example: "CURRENT_TIME >= TIME '00:00:00'", value: "TRUE"}},
	FnYear:             {FnYear, "YEAR", ClassScalar, 1, 1, resultTypeInt, nullWhenAnyArgIsNull, &functionText{arguments: "(x)", meaning: "The year.", example: "YEAR(DATE '2024-01-31')", value: "2024"}},
	FnQuarter:          {FnQuarter, "QUARTER", ClassScalar, 1, 1, resultTypeInt, nullWhenAnyArgIsNull, &functionText{arguments: "(x)", meaning: "The quarter, 1 to 4.", example: "QUARTER(DATE '2024-05-31')", value: "2"}},
	FnMonth:            {FnMonth, "MONTH", ClassScalar, 1, 1, resultTypeInt, nullWhenAnyArgIsNull, &functionText{arguments: "(x)", meaning: "The month, 1 to 12.", example: "MONTH(DATE '2024-01-31')", value: "1"}},
	FnDay:              {FnDay, "DAY", ClassScalar, 1, 1, resultTypeInt, nullWhenAnyArgIsNull, &functionText{arguments: "(x)", meaning: "The day of the month, 1 to 31.", example: "DAY(DATE '2024-01-31')", value: "31"}},
	FnDayOfYear:        {FnDayOfYear, "DAYOFYEAR", ClassScalar, 1, 1, resultTypeInt, nullWhenAnyArgIsNull, &functionText{arguments: "(x)", meaning: "The day of the year, 1 to 366.", example: "DAYOFYEAR(DATE '2024-03-01')", value: "61"}},
	FnDayOfWeek:        {FnDayOfWeek, "DAYOFWEEK", ClassScalar, 1, 1, resultTypeInt, nullWhenAnyArgIsNull, &functionText{arguments: "(x)", meaning: "The day of the week: 0 is Sunday, 6 is Saturday.", example: "DAYOFWEEK(DATE '2024-01-07')", value: "0"}},
	FnHour:             {FnHour, "HOUR", ClassScalar, 1, 1, resultTypeInt, nullWhenAnyArgIsNull, &functionText{arguments: "(x)", meaning: "The hour, 0 to 23.", example: "HOUR(TIMESTAMP '2024-01-31 14:35:10')", value: "14"}},
	FnMinute:           {FnMinute, "MINUTE", ClassScalar, 1, 1, resultTypeInt, nullWhenAnyArgIsNull, &functionText{arguments: "(x)", meaning: "The minute, 0 to 59.", example: "MINUTE(TIMESTAMP '2024-01-31 14:35:10')", value: "35"}},
	FnSecond:           {FnSecond, "SECOND", ClassScalar, 1, 1, resultTypeInt, nullWhenAnyArgIsNull, &functionText{arguments: "(x)", meaning: "The whole second, 0 to 59.", example: "SECOND(TIMESTAMP '2024-01-31 14:35:10.9')", value: "10"}},
	FnDateTrunc:        {FnDateTrunc, "DATE_TRUNC", ClassScalar, 2, 2, resultTypeOfShiftedOrTruncatedArg, nullWhenAnyArgIsNull, &functionText{arguments: "('unit', x)", meaning: "The beginning of the unit that x lies in; weeks begin on Monday.", example: "DATE_TRUNC('week', DATE '2024-01-07')", value: "DATE '2024-01-01'"}},
	FnDateAdd:          {FnDateAdd, "DATEADD", ClassScalar, 3, 3, resultTypeOfShiftedOrTruncatedArg, nullWhenAnyArgIsNull, &functionText{arguments: "(unit, n, x)", meaning: "The time n units later; a day that the month lacks is its last day.", example: "DATEADD(month, 1, DATE '2024-01-31')", value: "DATE '2024-02-29'"}},
	FnDateDiff:         {FnDateDiff, "DATEDIFF", ClassScalar, 3, 3, resultTypeInt, nullWhenAnyArgIsNull, &functionText{arguments: "(unit, a, b)", meaning: "The number of beginnings of a unit that are crossed from a to b; negative if b is earlier.", example: "DATEDIFF(year, DATE '2023-12-31', DATE '2024-01-01')", value: "1"}},
	FnElapsedSeconds:   {FnElapsedSeconds, "", ClassScalar, 2, 2, resultTypeFloat, nullWhenAnyArgIsNull, nil},
	FnToDate:           {FnToDate, "TO_DATE", ClassScalar, 1, 2, resultTypeDate, nullWhenAnyArgIsNull, &functionText{arguments: "(x[, format])", meaning: "The day of a string `yyyy-mm-dd` or of a time, or of a string of the [format](#formats-of-times); null for another string beside a format.", example: "TO_DATE('2024-01-31')", value: "DATE '2024-01-31'"}},
	FnToChar:           {FnToChar, "TO_CHAR", ClassScalar, 2, 2, resultTypeString, nullWhenAnyArgIsNull, &functionText{arguments: "(x, format)", meaning: "The time as a string of the [format](#formats-of-times).", example: "TO_CHAR(TIMESTAMP '2024-01-31 14:35:10', 'YYYY/MM/DD HH24:MI')", value: "'2024/01/31 14:35'"}},
	FnToTimestamp:      {FnToTimestamp, "TO_TIMESTAMP", ClassScalar, 1, 2, resultTypeTimestamp, nullWhenAnyArgIsNull, &functionText{arguments: "(x[, format])", meaning: "The time of a string `yyyy-mm-dd hh:mm:ss`, or of a string of the [format](#formats-of-times); null for another string beside a format.", example: "TO_TIMESTAMP('2024-01-31 10:00:00')", value: "TIMESTAMP '2024-01-31 10:00:00'"}},

	FnConcat:      {FnConcat, "CONCAT", ClassScalar, 1, -1, resultTypeString, nullRuleUnknown, &functionText{arguments: "(x, …)", nulls: "skipped; an empty string if all are null", meaning: "The strings joined; other values become strings.", example: "CONCAT('a', NULL, 1)", value: "'a1'"}},
	FnLength:      {FnLength, "LENGTH", ClassScalar, 1, 1, resultTypeInt, nullWhenAnyArgIsNull, &functionText{arguments: "(string)", meaning: "The number of characters.", example: "LENGTH('héllo')", value: "5"}},
	FnLower:       {FnLower, "LOWER", ClassScalar, 1, 1, resultTypeString, nullWhenAnyArgIsNull, &functionText{arguments: "(string)", meaning: "The string in lower case.", example: "LOWER('ABC')", value: "'abc'"}},
	FnUpper:       {FnUpper, "UPPER", ClassScalar, 1, 1, resultTypeString, nullWhenAnyArgIsNull, &functionText{arguments: "(string)", meaning: "The string in upper case.", example: "UPPER('abc')", value: "'ABC'"}},
	FnTrim:        {FnTrim, "TRIM", ClassScalar, 1, 2, resultTypeString, nullWhenAnyArgIsNull, &functionText{arguments: "(string[, characters])", meaning: "The string without the characters (by default spaces) at both ends, in any order.", example: "TRIM('xyaxy', 'xy')", value: "'a'"}},
	FnLTrim:       {FnLTrim, "LTRIM", ClassScalar, 1, 2, resultTypeString, nullWhenAnyArgIsNull, &functionText{arguments: "(string[, characters])", meaning: "As `TRIM`, at the start alone.", example: "LTRIM('xyaxy', 'xy')", value: "'axy'"}},
	FnRTrim:       {FnRTrim, "RTRIM", ClassScalar, 1, 2, resultTypeString, nullWhenAnyArgIsNull, &functionText{arguments: "(string[, characters])", meaning: "As `TRIM`, at the end alone.", example: "RTRIM('xyaxy', 'xy')", value: "'xya'"}},
	FnLeft:        {FnLeft, "LEFT", ClassScalar, 2, 2, resultTypeString, nullWhenAnyArgIsNull, &functionText{arguments: "(string, n)", meaning: "The first n characters; none if n is negative.", example: "LEFT('abc', 2)", value: "'ab'"}},
	FnRight:       {FnRight, "RIGHT", ClassScalar, 2, 2, resultTypeString, nullWhenAnyArgIsNull, &functionText{arguments: "(string, n)", meaning: "The last n characters; none if n is negative.", example: "RIGHT('abc', 2)", value: "'bc'"}},
	FnSubstring:   {FnSubstring, "SUBSTRING", ClassScalar, 2, 3, resultTypeString, nullWhenAnyArgIsNull, &functionText{arguments: "(string, start[, length])", meaning: "The characters from position start, which begins at 1; positions before the first count as empty. `SUBSTRING(string FROM start FOR length)` is the same.", example: "SUBSTRING('Hello', 2, 3)", value: "'ell'"}},
	FnReplace:     {FnReplace, "REPLACE", ClassScalar, 3, 3, resultTypeString, nullWhenAnyArgIsNull, &functionText{arguments: "(string, part, by)", meaning: "The string with every part replaced.", example: "REPLACE('banana', 'an', 'x')", value: "'bxxa'"}},
	FnSplitPart:   {FnSplitPart, "SPLIT_PART", ClassScalar, 3, 3, resultTypeString, nullWhenAnyArgIsNull, &functionText{arguments: "(string, separator, n)", meaning: "The part n, from 1, of a string that the separator divides; the empty string beyond the last.", example: "SPLIT_PART('a,b,c', ',', 2)", value: "'b'"}},
	FnPosition:    {FnPosition, "POSITION", ClassScalar, 2, 2, resultTypeInt, nullWhenAnyArgIsNull, &functionText{arguments: "(part, string)", meaning: "The first position of a part, from 1; 0 if the string lacks it. `POSITION(part IN string)` is the same.", example: "POSITION('b', 'abc')", value: "2"}},
	FnContains:    {FnContains, "CONTAINS", ClassScalar, 2, 2, resultTypeBool, nullWhenAnyArgIsNull, &functionText{arguments: "(string, part)", meaning: "Whether the string has the part; case matters, and `%` is a character.", example: "CONTAINS('abc', 'b')", value: "TRUE"}},
	FnRegexpLike:  {FnRegexpLike, "REGEXP_LIKE", ClassScalar, 2, 2, resultTypeBool, nullWhenAnyArgIsNull, &functionText{arguments: "(string, pattern)", meaning: "Whether a part of the string matches the [regular expression](#regular-expressions).", example: "REGEXP_LIKE('kiln 12', '[0-9]+$')", value: "TRUE"}},
	FnRegexpCount: {FnRegexpCount, "REGEXP_COUNT", ClassScalar, 2, 2, resultTypeInt, nullWhenAnyArgIsNull, &functionText{arguments: "(string, pattern)", meaning: "The number of parts that match the [regular expression](#regular-expressions), without those that overlap an earlier one.", example: "REGEXP_COUNT('banana', 'an')", value: "2"}},
	FnStartsWith:  {FnStartsWith, "STARTSWITH", ClassScalar, 2, 2, resultTypeBool, nullWhenAnyArgIsNull, &functionText{arguments: "(string, part)", meaning: "Whether the string begins with the part.", example: "STARTSWITH('abc', 'ab')", value: "TRUE"}},
	FnEndsWith:    {FnEndsWith, "ENDSWITH", ClassScalar, 2, 2, resultTypeBool, nullWhenAnyArgIsNull, &functionText{arguments: "(string, part)", meaning: "Whether the string ends with the part.", example: "ENDSWITH('abc', 'ab')", value: "FALSE"}},

	FnAbs:      {FnAbs, "ABS", ClassScalar, 1, 1, resultTypeOfFirstArg, nullWhenAnyArgIsNull, &functionText{arguments: "(x)", meaning: "The number without its sign.", example: "ABS(-7)", value: "7"}},
	FnCeil:     {FnCeil, "CEIL", ClassScalar, 1, 1, resultTypeOfFirstArg, nullWhenAnyArgIsNull, &functionText{arguments: "(x)", meaning: "The next integer up.", example: "CEIL(-2.1)", value: "-2"}},
	FnFloor:    {FnFloor, "FLOOR", ClassScalar, 1, 1, resultTypeOfFirstArg, nullWhenAnyArgIsNull, &functionText{arguments: "(x)", meaning: "The next integer down.", example: "FLOOR(-2.1)", value: "-3"}},
	FnRound:    {FnRound, "ROUND", ClassScalar, 1, 2, resultTypeOfFirstArg, nullWhenAnyArgIsNull, &functionText{arguments: "(x[, digits])", meaning: "The nearest number with so many decimals (by default none), half away from zero; -2 digits are hundreds.", example: "ROUND(-2.5)", value: "-3"}},
	FnTrunc:    {FnTrunc, "TRUNC", ClassScalar, 1, 2, resultTypeOfFirstArg, nullWhenAnyArgIsNull, &functionText{arguments: "(x[, digits])", meaning: "The number cut toward zero to so many decimals, by default none. It takes no time: that is `DATE_TRUNC`.", example: "TRUNC(-2.789, 2)", value: "-2.78"}},
	FnMod:      {FnMod, "MOD", ClassScalar, 2, 2, resultTypeOfArithmetic, nullWhenAnyArgIsNull, &functionText{arguments: "(a, b)", nulls: "null; null also if b is 0", meaning: "The remainder of a / b, with the sign of a.", example: "MOD(-7, 3)", value: "-1"}},
	FnPower:    {FnPower, "POWER", ClassScalar, 2, 2, resultTypeFloat, nullWhenAnyArgIsNull, &functionText{arguments: "(x, y)", meaning: "x to the power of y.", example: "POWER(2, 10)", value: "1024"}},
	FnSqrt:     {FnSqrt, "SQRT", ClassScalar, 1, 1, resultTypeFloat, nullWhenAnyArgIsNull, &functionText{arguments: "(x)", meaning: "The square root.", example: "SQRT(16)", value: "4"}},
	FnExp:      {FnExp, "EXP", ClassScalar, 1, 1, resultTypeFloat, nullWhenAnyArgIsNull, &functionText{arguments: "(x)", meaning: "e to the power of x.", example: "EXP(0)", value: "1"}},
	FnLn:       {FnLn, "LN", ClassScalar, 1, 1, resultTypeFloat, nullWhenAnyArgIsNull, &functionText{arguments: "(x)", meaning: "The natural logarithm.", example: "LN(1)", value: "0"}},
	FnLog:      {FnLog, "LOG", ClassScalar, 1, 2, resultTypeFloat, nullWhenAnyArgIsNull, &functionText{arguments: "([base, ]x)", nulls: "null; null also for the base 1", meaning: "The logarithm of x, by default to the base 10.", example: "LOG(2, 8)", value: "3"}},
	FnSign:     {FnSign, "SIGN", ClassScalar, 1, 1, resultTypeInt, nullWhenAnyArgIsNull, &functionText{arguments: "(x)", meaning: "1, 0 or -1.", example: "SIGN(-2.5)", value: "-1"}},
	FnGreatest: {FnGreatest, "GREATEST", ClassScalar, 1, -1, resultTypeCommonToArgs, nullWhenAllArgsAreNull, &functionText{arguments: "(x, …)", meaning: "The largest argument.", example: "GREATEST(1, NULL, 3)", value: "3"}},
	FnLeast:    {FnLeast, "LEAST", ClassScalar, 1, -1, resultTypeCommonToArgs, nullWhenAllArgsAreNull, &functionText{arguments: "(x, …)", meaning: "The smallest argument.", example: "LEAST(NULL, 3, 1)", value: "1"}},

	FnCoalesce: {FnCoalesce, "COALESCE", ClassScalar, 1, -1, resultTypeCommonToArgs, nullWhenAllArgsAreNull, &functionText{arguments: "(x, …)", meaning: "The first argument that is not null.", example: "COALESCE(NULL, 2, 3)", value: "2"}},
	FnNullIf:   {FnNullIf, "NULLIF", ClassScalar, 2, 2, resultTypeOfFirstArg, nullWhenFirstArgIsNull, &functionText{arguments: "(x, y)", meaning: "Null if x = y, else x.", example: "NULLIF(7, 7)", value: "NULL"}},
	FnIf:       {FnIf, "IF", ClassScalar, 3, 3, resultTypeCommonAfterFirstArg, nullRuleUnknown, &functionText{arguments: "(condition, a, b)", nulls: "a null condition gives b", meaning: "a if the condition is true, else b.", example: "IF(2 > 1, 'a', 'b')", value: "'a'"}},
}

// otherNames are the names of functions beside those of the table, folded to lower case.
var otherNames = map[string]Func{
	"stddev": FnStddevSamp, "variance": FnVarSamp,
	"every": FnBoolAnd, "logical_and": FnBoolAnd, "logical_or": FnBoolOr, "string_agg": FnListagg,
	"dayofmonth": FnDay,
	"len":        FnLength, "char_length": FnLength, "character_length": FnLength, "lcase": FnLower, "ucase": FnUpper,
	"substr": FnSubstring, "starts_with": FnStartsWith, "ends_with": FnEndsWith,
	"ceiling": FnCeil, "truncate": FnTrunc, "pow": FnPower,
	"nvl": FnCoalesce, "ifnull": FnCoalesce, "iff": FnIf,
}

// rejectedAggregates are aggregates of other languages.
const rejectedAggregates = `
	approx_distinct approx_quantile approx_quantiles arg_max arg_min array_agg arbitrary bit_and bit_or bit_xor booland_agg boolor_agg
	collect_list collect_set countif first group_concat hll json_agg json_arrayagg json_objectagg kurtosis last mad max_by min_by mode product
	quantile quantile_cont quantile_disc regr_slope regr_intercept regr_r2 regr_count skewness std sum_if sumif xmlagg`

// functionsByName maps every name, folded to lower case, to its function.
var functionsByName = func() map[string]Func {
	names := maps.Clone(otherNames)
	for name := range strings.FieldsSeq(rejectedAggregates) {
		names[name] = FnOtherAggregate
	}
	for _, info := range functionTable {
		if info.Name != "" {
			names[strings.ToLower(info.Name)] = info.Fn
		}
	}
	return names
}()
