package sqlexpr

import "strings"

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
