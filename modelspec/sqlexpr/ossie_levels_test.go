package sqlexpr

import (
	"slices"
	"strings"
	"testing"
)

// ossieTexts has one expression for each row of the tables of Ossie's expression language that are required.
var ossieTexts = []string{
	"SUM(x)", "COUNT(x)", "COUNT(DISTINCT x)", "AVG(x)", "MIN(x)", "MAX(x)", "STDDEV(x)", "STDDEV_POP(x)", "STDDEV_SAMP(x)", "VARIANCE(x)",
	"VAR_POP(x)", "VAR_SAMP(x)", "MEDIAN(x)", "PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x)", "PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY x)",
	"SUM(CASE WHEN status = 'completed' THEN x ELSE 0 END)",
	"CURRENT_DATE", "CURRENT_DATE()", "CURRENT_TIMESTAMP", "CURRENT_TIMESTAMP()", "CURRENT_TIME", "CURRENT_TIME()",
	"YEAR(d)", "QUARTER(d)", "MONTH(d)", "DAY(d)", "DAYOFYEAR(d)", "HOUR(d)", "MINUTE(d)", "SECOND(d)",
	"EXTRACT(YEAR FROM d)", "EXTRACT(WEEK FROM d)", "EXTRACT(DAYOFWEEK FROM d)", "DATE_PART('year', d)", "DATE_TRUNC('week', d)",
	"DATEADD(month, -1, d)", "DATEDIFF(year, d, e)",
	"DATE '2024-01-15'", "TIMESTAMP_NTZ '2024-01-15 10:30:00'", "TIME '10:30:00'", "CAST('2024-01-15' AS DATE)",
	"CAST('2024-01-15 10:30:00' AS TIMESTAMP_NTZ)", "CAST('10:30:00' AS TIME)", "TO_DATE(s)", "TO_TIMESTAMP(s)",
	"CONCAT(s, s, s)", "s || s", "LENGTH(s)", "LOWER(s)", "UPPER(s)", "TRIM(s)", "LTRIM(s)", "RTRIM(s)", "LEFT(s, 2)", "RIGHT(s, 2)",
	"SUBSTRING(s, 1, 2)", "REPLACE(s, 'a', 'b')", "SPLIT_PART(s, ',', 1)", "POSITION('a' IN s)", "CHARINDEX('a', s)", "CONTAINS(s, 'a')",
	"STARTSWITH(s, 'a')", "ENDSWITH(s, 'a')", "s LIKE 'a%'", "s ILIKE 'a%'", "REGEXP_LIKE(s, '^a')",
	"ABS(x)", "ROUND(x, 2)", "FLOOR(x)", "CEIL(x)", "CEILING(x)", "TRUNC(x, 2)", "TRUNCATE(x, 2)", "MOD(x, 2)", "SIGN(x)",
	"POWER(x, 2)", "SQRT(x)", "EXP(x)", "LN(x)", "LOG(2, x)", "LOG10(x)", "GREATEST(x, 1)", "LEAST(x, 1)",
	"CASE x WHEN 1 THEN 'a' ELSE 'b' END", "IF(b, 1, 2)", "IFF(b, 1, 2)", "NULLIF(x, 0)", "COALESCE(x, 0)", "IFNULL(x, 0)", "NVL(x, 0)",
	"NVL2(x, 1, 0)", "ZEROIFNULL(x)", "NULLIFZERO(x)", "TRUE", "NOT b", "b AND b", "b OR b",
	"CAST(x AS STRING)", "CAST(x AS INT)", "CAST(x AS NUMERIC)", "CAST(x AS FLOAT)", "CAST(x AS BOOLEAN)", "CAST(x AS TIMESTAMP)",
	"x IS NOT DISTINCT FROM 1", "x % 2", "x <> 1", "x != 1", "x BETWEEN 1 AND 2", "x NOT IN (1, 2)",
}

func TestOssie_RequiredExpressionsAreOfTheLanguage(t *testing.T) {
	for _, text := range append(ossieTexts, "TRY_CAST(s AS DATE)", "REGEXP_COUNT(s, 'a')", "APPROX_COUNT_DISTINCT(x)", "APPROX_PERCENTILE(x, 0.5)",
		"TO_CHAR(d, 'YYYY-MM-DD HH24:MI:SS')", "TO_DATE(s, 'YYYYMMDD')", "CAST(x AS TIMESTAMP_LTZ)", "CAST(x AS TIMESTAMP_TZ)") {
		e, err := ParseLimited(text, QueryLimits())
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if unknown := UnknownFunctionCalls(e); len(unknown) > 0 {
			t.Errorf("%s: %s is not a function of the language", text, Format(unknown[0]))
		}
	}
}

func TestOssie_EachLevelNamesFunctions(t *testing.T) {
	var names []string
	for _, f := range FunctionReferences() {
		names = append(names, f.Names...)
	}
	for level, list := range ossieFunctions {
		for name := range strings.FieldsSeq(list) {
			if !slices.Contains(names, name) {
				t.Errorf("%s, which is %s, is not on the page of functions", name, level)
			}
		}
	}
}

// A form of a function that only some engines read has its own advice.
func TestHint_ForEngineForms(t *testing.T) {
	for text, part := range map[string]string{
		"TO_CHAR(d, 'Day')":        "literal of YYYY",
		"TO_CHAR(x)":               "CAST",
		"TO_DATE(s, f)":            "literal of YYYY",
		"REGEXP_LIKE(s, 'a', 'i')": "without flags",
		"SOUNDEX(s)":               "",
		"REGEXP_COUNT(s, 'a', 2)":  "without flags",
		"TO_TIMESTAMP(s, 'MM/YY')": "literal of YYYY",
	} {
		unknown := UnknownFunctionCalls(mustParse(t, text))
		if len(unknown) != 1 {
			t.Errorf("%s: %d calls of unknown functions", text, len(unknown))
			continue
		}
		if got := HintForEngineForm(unknown[0]); (part == "") != (got == "") || !strings.Contains(got, part) {
			t.Errorf("%s: the hint is %q", text, got)
		}
	}
}
