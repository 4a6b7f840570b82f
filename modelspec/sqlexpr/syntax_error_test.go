package sqlexpr

import (
	"errors"
	"testing"
)

func TestSyntaxError_NamesPlaceAndReason(t *testing.T) {
	tests := []struct {
		text   string
		offset int
		want   string
	}{
		// Expected and found.
		{"", 0, "expected an expression at position 1, found end of text"},
		{"  ", 2, "expected an expression at position 3, found end of text"},
		{"-- nothing", 10, "expected an expression at position 11, found end of text"},
		{"status = 1 and ", 15, "expected an expression after AND at position 16, found end of text"},
		{"a AND OR b", 6, "expected an expression after AND at position 7, found OR"},
		{"a +", 3, "expected an expression after + at position 4, found end of text"},
		{"größe = )", 10, "expected an expression after = at position 9, found )"},
		{"NOT", 3, "expected an expression after NOT at position 4, found end of text"},
		{"(a", 2, "expected an operator or ) at position 3, found end of text"},
		{"a b", 2, "expected an operator or the end of the text at position 3, found b"},
		{"a 'text'", 2, "expected an operator or the end of the text at position 3, found 'text'"},
		{"a.", 2, "expected a name after the dot at position 3, found end of text"},
		{"a.5", 1, "expected an operator or the end of the text at position 2, found .5"},
		{"a.1", 1, "expected an operator or the end of the text at position 2, found .1"},
		{"(a).b", 3, "expected an operator or the end of the text at position 4, found ."},
		{"a IS", 4, "expected NULL, TRUE, FALSE, UNKNOWN or DISTINCT FROM after IS at position 5, found end of text"},
		{"a IS NOT 3", 9, "expected NULL, TRUE, FALSE, UNKNOWN or DISTINCT FROM after IS NOT at position 10, found 3"},
		{"a IS DISTINCT b", 14, "expected FROM after DISTINCT at position 15, found b"},
		{"a BETWEEN 1", 11, "expected AND and the upper bound of BETWEEN at position 12, found end of text"},
		{"a BETWEEN 1 OR 2", 12, "expected AND and the upper bound of BETWEEN at position 13, found OR"},
		{"a IN 1", 5, "expected ( and a list of values after IN at position 6, found 1"},
		{"a IN ()", 6, "expected an expression after ( at position 7, found )"},
		{"a IN (1,)", 8, "expected an expression after , at position 9, found )"},
		{"a IN (1 2)", 8, "expected ) or a comma in the IN list at position 9, found 2"},
		{"a LIKE 'b' ESCAPE '!!'", 18, "what ESCAPE names is not one ASCII character at position 19: write one that does not occur otherwise, as in ESCAPE '!'"},
		{"a LIKE 'b' ESCAPE ''", 18, "what ESCAPE names is not one ASCII character at position 19: write one that does not occur otherwise, as in ESCAPE '!'"},
		{"a LIKE 'b' ESCAPE 'é'", 18, "what ESCAPE names is not one ASCII character at position 19: write one that does not occur otherwise, as in ESCAPE '!'"},
		{"a LIKE 'b!' ESCAPE '!'", 7, "the pattern ends in its escape character at position 8: double it where it stands for itself"},
		{"a NOT ILIKE '!!!' ESCAPE '!'", 12, "the pattern ends in its escape character at position 13: double it where it stands for itself"},
		{"a NOT b", 2, "expected an operator or the end of the text at position 3, found NOT"},
		{"CASE END", 5, `expected an expression after CASE at position 6, found END: a name that is a reserved word is written "END" or after its dataset`},
		{"CASE a END", 7, "expected WHEN in CASE at position 8, found END"},
		{"CASE WHEN a b END", 12, "expected THEN at position 13, found b"},
		{"CASE WHEN a THEN b", 18, "expected WHEN, ELSE or END in CASE at position 19, found end of text"},
		{"CAST(a)", 6, "expected AS and a type in CAST at position 7, found )"},
		{"CAST a", 5, "expected ( after CAST at position 6, found a"},
		{"CAST(a AS 'int')", 10, "expected a type name at position 11, found 'int'"},
		{"CAST(a AS INT b", 14, "expected ) after the type of CAST at position 15, found b"},
		{"a::", 3, "expected a type name at position 4, found end of text"},
		{`a::"int"`, 3, `expected a type name at position 4, found "int"`},
		{"a::decimal(x)", 11, "expected a length, or precision and scale, of the type at position 12, found x"},
		{"a::decimal(1,2,3)", 15, "expected a length, or precision and scale, of the type at position 16, found 3"},
		{"a::timestamp with b", 18, "expected TIME ZONE at position 19, found b"},
		{"EXISTS 1", 7, "expected ( after EXISTS at position 8, found 1"},
		{"EXISTS (a)", 7, "expected a subquery after EXISTS at position 8, found ("},
		{"(SELECT 1", 9, "expected ) at the end of the subquery at position 10, found end of text"},
		{"EXTRACT(1 FROM d)", 8, "expected a part of a date in EXTRACT at position 9, found 1"},
		{"EXTRACT('a b' FROM d)", 8, "expected a part of a date in EXTRACT at position 9, found 'a b': the parts are second, minute, hour, day, week, month, quarter, year, dayofyear, dayofweek and isodow"},
		{"EXTRACT(year, d)", 12, "expected FROM after the part in EXTRACT at position 13, found ,"},
		{"DATE_PART('year' FROM d)", 17, "expected a comma after the part in DATE_PART at position 18, found FROM"},
		{"POSITION(a)", 10, "expected IN and the text to search in POSITION at position 11, found )"},
		{"TRIM(LEADING 'x')", 16, "expected FROM in TRIM at position 17, found )"},
		{"LOWER(a", 7, "expected ) or a comma in the arguments of LOWER at position 8, found end of text"},
		{"COUNT(* )b", 9, "expected an operator or the end of the text at position 10, found b"},
		{"COUNT(* 1)", 8, "expected ) after the arguments of COUNT at position 9, found 1"},
		{"SUM(a) OVER", 11, "expected ( after OVER at position 12, found end of text"},
		{"SUM(a) OVER (PARTITION a)", 23, "expected BY after PARTITION at position 24, found a"},
		{"SUM(a) OVER (ORDER BY a NULLS)", 29, "expected FIRST or LAST after NULLS at position 30, found )"},
		{"SUM(a) OVER (ROWS x)", 18, "expected UNBOUNDED, CURRENT ROW or a number of rows at position 19, found x"},
		{"SUM(a) OVER (ROWS 1 x)", 20, "expected PRECEDING or FOLLOWING at position 21, found x"},
		{"SUM(a) OVER (ROWS UNBOUNDED FOLLOWING)", 28, "expected PRECEDING or FOLLOWING, away from the current row, after UNBOUNDED at position 29, found FOLLOWING"},
		{"INTERVAL '3'", 12, "expected a unit such as day or month after the number of the interval at position 13, found end of text: the units are second, minute, hour, day, week, month, quarter and year"},
		{"TIMESTAMP WITH TIME ZONE 3", 25, "expected a literal in single quotes at position 26, found 3"},
		{"DATE_TRUNC('month' d)", 19, "expected ) or a comma in the arguments of DATE_TRUNC at position 20, found d"},

		// Statements and the rest of SQL.
		{"SELECT 1", 0, "expected an expression at position 1, found SELECT: SELECT is not part of the expression language"},
		{"a = 1 FROM t", 6, "expected an operator or the end of the text at position 7, found FROM"},
		{"a > from", 4, "expected an expression after > at position 5, found from: FROM is not part of the expression language"},
		{"a = 1; DROP TABLE t", 5, "a semicolon is not allowed at position 6: the text is one expression, not a statement"},
		{"a = 1)", 5, "a closing parenthesis has no opening one at position 6"},
		{"ts AT TIME ZONE 'UTC'", 3, "expected an operator or the end of the text at position 4, found AT: AT TIME ZONE is not part of the expression language; sessions run in UTC"},
		{"a COLLATE x", 2, "expected an operator or the end of the text at position 3, found COLLATE: COLLATE is not part of the expression language"},
		{"d + 3 months", 6, "expected an operator or the end of the text at position 7, found months: an interval is written INTERVAL '3' MONTH"},
		{"a = as", 4, `expected an expression after = at position 5, found as: a name that is a reserved word is written "as" or after its dataset`},
		{"(a, b) IN (1)", 2, "a list of values in parentheses is not allowed here at position 3: it may only follow IN"},
		{"a = ANY (b)", 4, "ANY (…) is not part of the expression language at position 5: use IN (…) with a list of values"},
		{"a LIKE all ('x')", 7, "all (…) is not part of the expression language at position 8: use IN (…) with a list of values"},
		{"some(b)", 0, "some (…) is not part of the expression language at position 1: use IN (…) with a list of values"},
		{"a.*", 2, "a star after a dot is not allowed at position 3: name one column"},
		{"db.f(x)", 0, "a function name may not be qualified at position 1"},

		// Operators that do not chain.
		{"a < b < c", 6, "expected AND, OR or the end of the expression at position 7, found <: comparisons do not chain without parentheses"},
		{"a = b <> c", 6, "expected AND, OR or the end of the expression at position 7, found <>: comparisons do not chain without parentheses"},
		{"a LIKE b LIKE c", 9, "expected AND, OR or the end of the expression at position 10, found LIKE: comparisons do not chain without parentheses"},
		{"a IS DISTINCT FROM b IS NULL", 21, "expected AND, OR or the end of the expression at position 22, found IS: comparisons do not chain without parentheses"},
		{"a BETWEEN 1 AND 2 IN (3)", 18, "expected AND, OR or the end of the expression at position 19, found IN: comparisons do not chain without parentheses"},

		// Calls.
		{"LEFT(a)", 0, "LEFT takes 2 arguments and has 1 at position 1"},
		{"1 + substr(a)", 4, "SUBSTRING takes 2 or 3 arguments and has 1 at position 5"},
		{"DATEDIFF(a, b)", 0, "DATEDIFF takes 3 arguments and has 2 at position 1"},
		{"COALESCE()", 0, "COALESCE takes at least 1 argument and has 0 at position 1"},
		{"ABS(a, b)", 0, "ABS takes 1 argument and has 2 at position 1"},
		{"COUNT(DISTINCT a, b)", 0, "COUNT takes 1 argument and has 2 at position 1"},
		{"LAG() OVER ()", 0, "LAG takes 1 to 3 arguments and has 0 at position 1"},
		{"RANK(a) OVER ()", 0, "RANK takes no arguments and has 1 at position 1"},
		{"DATE_TRUNC('month')", 0, "DATE_TRUNC takes 2 arguments and has 1 at position 1"},
		{"DATE_TRUNC()", 0, "DATE_TRUNC takes 2 arguments and has 0 at position 1"},
		{"DATEADD(o.a, 1, b)", 0, "DATEADD does not begin with a unit of time; the call at position 1: the units are second, minute, hour, day, week, month, quarter and year"},
		{"DATE_TRUNC('no part', d)", 0, "DATE_TRUNC does not begin with a unit of time; the call at position 1: the units are second, minute, hour, day, week, month, quarter and year"},
		{"SUM(*)", 4, "a star is only an argument of COUNT; the star at position 5"},
		{"LOWER(DISTINCT a)", 6, "DISTINCT is only for aggregates; DISTINCT in LOWER at position 7"},
		{"ABS(a) FILTER (WHERE b)", 7, "FILTER is only for aggregates; FILTER after ABS at position 8"},
		{"revenue FILTER (WHERE b)", 8, "expected an operator or the end of the text at position 9, found FILTER"},
		{"SUM(a) FILTER (b)", 15, "expected WHERE after FILTER ( at position 16, found b"},
		{"SUM(a) FILTER (WHERE b", 22, "expected ) after the condition of FILTER at position 23, found end of text"},
		{"SUM(a) FILTER (WHERE b) FILTER (WHERE c)", 24, "an aggregate takes one FILTER; the second at position 25: join the conditions with AND"},
		{"COUNT_IF()", 0, "COUNT_IF takes one condition; the call at position 1"},
		{"COUNT_IF(a, b)", 0, "COUNT_IF takes one condition; the call at position 1"},
		{"COUNT_IF(*)", 9, "a star is only an argument of COUNT; the star at position 10"},
		{"COUNT_IF(DISTINCT a)", 9, "COUNT_IF counts rows; DISTINCT in it at position 10"},
		{"PERCENTILE_CONT(0.5)", 20, "expected WITHIN GROUP (ORDER BY …) after PERCENTILE_CONT at position 21, found end of text"},
		{"PERCENTILE_CONT() WITHIN GROUP (ORDER BY a)", 0, "PERCENTILE_CONT takes one fraction, as in PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x); the call at position 1"},
		{"PERCENTILE_CONT(0.5) WITHIN GROUP (a)", 35, "expected ORDER BY at position 36, found a"},
		{"PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY a, b)", 35, "one key after ORDER BY; the order of PERCENTILE_DISC at position 36"},
		{"PERCENTILE_CONT(1.1) WITHIN GROUP (ORDER BY a)", 16, "the fraction of PERCENTILE_CONT is a number from 0 to 1 with at most 9 digits; the argument at position 17"},
		{"PERCENTILE_CONT(-0.5) WITHIN GROUP (ORDER BY a)", 16, "the fraction of PERCENTILE_CONT is a number from 0 to 1 with at most 9 digits; the argument at position 17"},
		{"PERCENTILE_DISC(a) WITHIN GROUP (ORDER BY a)", 16, "the fraction of PERCENTILE_DISC is a number from 0 to 1 with at most 9 digits; the argument at position 17"},
		{"PERCENTILE_DISC('0.5') WITHIN GROUP (ORDER BY a)", 16, "the fraction of PERCENTILE_DISC is a number from 0 to 1 with at most 9 digits; the argument at position 17"},
		{"PERCENTILE_DISC(1e-99999999999) WITHIN GROUP (ORDER BY a)", 16, "the fraction of PERCENTILE_DISC is a number from 0 to 1 with at most 9 digits; the argument at position 17"},
		{"APPROX_PERCENTILE(a, 0.1234567891)", 21, "the fraction of APPROX_PERCENTILE is a number from 0 to 1 with at most 9 digits; the argument at position 22"},
		{"LISTAGG(a, b)", 11, "the separator of LISTAGG is a text; the argument at position 12: write it in single quotes: LISTAGG(x, ', ')"},
		{"LISTAGG(a, 5) WITHIN GROUP (ORDER BY b)", 11, "the separator of LISTAGG is a text; the argument at position 12: write it in single quotes: LISTAGG(x, ', ')"},
		{"LISTAGG(DISTINCT a, ',') WITHIN GROUP (ORDER BY b)", 48, "LISTAGG(DISTINCT x, …) orders by x only; the order at position 49"},
		{"LISTAGG(a, ',') WITHIN GROUP (ORDER BY b DESC NULLS FIRST)", 46, "LISTAGG has rows without a value of the order last; NULLS FIRST at position 47: order by COALESCE(y, …) with a value before all others"},
		{"STRING_AGG(a, ',' ORDER BY b NULLS FIRST)", 29, "LISTAGG has rows without a value of the order last; NULLS FIRST at position 30: order by COALESCE(y, …) with a value before all others"},
		{"STRING_AGG(a, ',' ORDER BY b) WITHIN GROUP (ORDER BY c)", 44, "LISTAGG takes one order and has two; the second at position 45"},
		{"LISTAGG(a, ',', b)", 16, "LISTAGG takes 2 arguments; the third at position 17"},
		{"LISTAGG(a)", 0, "LISTAGG takes 2 or 3 arguments and has 1 at position 1"},

		// Literals.
		{"DATE '2024-02-30'", 5, "'2024-02-30' is not a date at position 6: write DATE 'YYYY-MM-DD'"},
		{"DATE '2024-1-5'", 5, "'2024-1-5' is not a date at position 6: write DATE 'YYYY-MM-DD'"},
		{"DATE '0000-01-01'", 5, "'0000-01-01' is not a date at position 6: write DATE 'YYYY-MM-DD'"},
		{"TIME '24:00'", 5, "'24:00' is not a time at position 6: write TIME 'HH:MM:SS'"},
		{"TIME '1:05:06'", 5, "'1:05:06' is not a time at position 6: write TIME 'HH:MM:SS'"},
		{"TIME '01:05:06.1234567'", 5, "'01:05:06.1234567' is not a time at position 6: write TIME 'HH:MM:SS'"},
		{"TIMESTAMP 'now'", 10, "'now' is not a timestamp at position 11: write TIMESTAMP 'YYYY-MM-DD HH:MM:SS'"},
		{"TIMESTAMP '2024-01-31 10:00Z'", 10, "'2024-01-31 10:00Z' is not a timestamp at position 11: write TIMESTAMPTZ for a literal with a time zone"},
		{"TIMESTAMPTZ '2024-01-31 10:00+25'", 12, "'2024-01-31 10:00+25' is not a timestamptz at position 13: write TIMESTAMPTZ 'YYYY-MM-DD HH:MM:SS+00:00'"},
		{"INTERVAL '1 day 2 hours'", 9, "'1 day 2 hours' is not an interval of one integer and one unit at position 10: write INTERVAL '3' MONTH"},
		{"INTERVAL 1.5 DAY", 9, "1.5 is not an interval of one integer and one unit at position 10: write INTERVAL '3' MONTH"},
		{"INTERVAL '1234567890' DAY", 9, "'1234567890' is not an interval of one integer and one unit at position 10: write INTERVAL '3' MONTH"},
		{"E'a'", 0, "a text literal may not have a prefix; E at position 1: text literals are written 'text', with '' for a quote inside"},
		{"12abc", 0, "12abc is neither a number nor a name at position 1"},
		{"1e", 0, "1e is neither a number nor a name at position 1"},
		{"0x1F", 0, "0x1F is neither a number nor a name at position 1"},

		// Characters.
		{"a = 'b", 4, "the text literal that begins has no end at position 5"},
		{"a = 'b''", 4, "the text literal that begins has no end at position 5"},
		{`"a`, 0, "the quoted name that begins has no end at position 1"},
		{`""`, 0, "a quoted name may not be empty at position 1: text literals stand in single quotes"},
		{"a /* b", 2, "the comment that begins has no end at position 3"},
		{"a /* /* */ */", 5, "a comment inside a comment is not allowed at position 6"},
		{"`a`", 0, `a backtick is not allowed at position 1: a quoted name is written "name"`},
		{"[a]", 0, `a square bracket is not allowed at position 1: a quoted name is written "name"`},
		{"$$a$$", 0, "a dollar sign is not allowed at position 1: text literals are written 'text', parameters :name"},
		{"a = ?", 4, "a question mark is not allowed at position 5: parameters are written :name"},
		{"a = : b", 4, "a colon is not followed by a parameter name at position 5: a parameter is written :name"},
		{"a == b", 2, "the operator == is not part of the expression language at position 3: equality is written ="},
		{"a <=> b", 2, "the operator <=> is not part of the expression language at position 3: write IS NOT DISTINCT FROM"},
		{"a ~ 'x'", 2, "the operator ~ is not part of the expression language at position 3: text is matched with LIKE"},
		{"a ^ 2", 2, "the operator ^ is not part of the expression language at position 3: write POWER(x, y)"},
		{"!a", 0, "the operator ! is not part of the expression language at position 1: write NOT"},
		{"a -> 'x'", 2, "the operator -> is not part of the expression language at position 3"},
		{"f(a => 1)", 4, "the operator => is not part of the expression language at position 5"},
		{"a | b", 2, "the character | is not allowed at position 3"},
		{"a\x01", 1, "a control character is not allowed at position 2"},
		{"a = “b”", 4, "the character “ is not allowed at position 5"},
		{"a\x00b", 1, "a NUL byte is not allowed at position 2"},
		{"a = '\xff'", 5, "the text is not valid UTF-8 at position 6"},
	}
	for _, test := range tests {
		e, err := Parse(test.text)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%q: parsed to %s, error %v", test.text, Format(e), err)
			continue
		}
		if e != nil {
			t.Errorf("%q: an expression beside the error", test.text)
		}
		if syntax.Error() != test.want || syntax.Offset != test.offset {
			t.Errorf("%q\n got %d: %s\nwant %d: %s", test.text, syntax.Offset, syntax, test.offset, test.want)
		}
	}
}

func TestSyntaxError_ShortensLongTokens(t *testing.T) {
	_, err := Parse("a 'äbcdefghijklmnopqrstuvwxyzäbcdefghijklmnopqrstuvwxyz'")
	const want = "expected an operator or the end of the text at position 3, found 'äbcdefghijklmnopqrstuvwxyzäbc…"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
