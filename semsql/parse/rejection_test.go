package parse

import (
	"errors"
	"strings"
	"testing"
)

// rejection is a statement and the error that it gets. Its position is that of the mark § in the text.
type rejection struct {
	text    string
	message string // a part of the message
}

// checkRejections parses each statement without its mark and compares the error.
func checkRejections(t *testing.T, code Code, state string, list []rejection) {
	t.Helper()
	for _, tc := range list {
		before, after, marked := strings.Cut(tc.text, "§")
		text := before + after
		q, err := Parse(text, DefaultLimits())
		if err == nil {
			t.Errorf("%s\nis accepted as %s", text, Format(q))
			continue
		}
		var e *Error
		switch {
		case !errors.As(err, &e):
			t.Errorf("%s\nfails with %T", text, err)
		case e.Code != code || e.SQLState != state:
			t.Errorf("%s\nis %s %s, want %s %s: %v", text, e.Code, e.SQLState, code, state, err)
		case !strings.Contains(e.Message, tc.message):
			t.Errorf("%s\nsays %q, want %q", text, e.Message, tc.message)
		case !marked || e.Position != len([]rune(before))+1:
			t.Errorf("%s\nfails at %d, want %d", text, e.Position, len([]rune(before))+1)
		}
	}
}

// What PostgreSQL's SELECT has and this grammar lacks is rejected by its name.
func TestParse_NamesWhatItDoesNotSupport(t *testing.T) {
	checkRejections(t, CodeUnsupported, "0A000", []rejection{
		// Clauses of a select.
		{"SELECT DISTINCT §ON (a) a FROM t", "DISTINCT ON"},
		{"SELECT a FROM t GROUP BY §ALL a", "GROUP BY ALL"},
		{"SELECT a FROM t GROUP BY §DISTINCT a", "GROUP BY DISTINCT"},
		{"SELECT a FROM t §WINDOW w AS (ORDER BY a)", "WINDOW"},
		{"SELECT a FROM t WHERE §CURRENT OF c", "CURRENT OF"},
		{"SELECT a FROM t ORDER BY a §USING <", "USING"},
		{"SELECT a FROM t FETCH FIRST 3 ROWS §WITH TIES", "WITH TIES"},
		{"SELECT a FROM t §FOR XML", "FOR after a query"},

		// Common tables, set operations and whole queries.
		{"WITH §RECURSIVE x AS (SELECT 1) SELECT * FROM x", "RECURSIVE"},
		{"WITH x AS §MATERIALIZED (SELECT 1) SELECT * FROM x", "MATERIALIZED"},
		{"WITH x AS §NOT MATERIALIZED (SELECT 1) SELECT * FROM x", "MATERIALIZED"},
		{"WITH x AS (SELECT 1) §SEARCH DEPTH FIRST BY a SET b SELECT * FROM x", "SEARCH"},
		{"WITH x AS (SELECT 1) §CYCLE a SET b USING c SELECT * FROM x", "CYCLE"},
		{"WITH x AS (§VALUES (1)) SELECT * FROM x", "VALUES"},
		{"§VALUES (1), (2)", "VALUES"},
		{"§TABLE orders", "TABLE"},
		{"SELECT a FROM t UNION §TABLE u", "TABLE"},
		{"SELECT a FROM t UNION §VALUES (1)", "VALUES"},
		{"SELECT a FROM t UNION §CORRESPONDING SELECT a FROM u", "CORRESPONDING"},
		{"§(SELECT a FROM t LIMIT 1) ORDER BY a", "clauses around a query"},
		{"§(SELECT a FROM t LIMIT 1) LIMIT 2", "clauses around a query"},
		{"SELECT 1; §SELECT 2", "second statement"},

		// Relations.
		{"SELECT a FROM §VALUES (1)", "VALUES"},
		{"SELECT a FROM (§VALUES (1), (2)) AS t (a)", "VALUES"},
		{"SELECT a FROM §ONLY t", "ONLY"},
		{"SELECT a FROM t §* ", "star after a relation"},
		{"SELECT a FROM t §TABLESAMPLE SYSTEM (1)", "TABLESAMPLE"},
		{"SELECT a FROM (SELECT 1) t §TABLESAMPLE SYSTEM (1)", "TABLESAMPLE"},
		{"SELECT a FROM §generate_series(1, 3)", "function in FROM"},
		{"SELECT a FROM §public.f(1)", "function in FROM"},
		{"SELECT a FROM t, LATERAL §unnest(t.a) u", "function in FROM"},
		{"SELECT a FROM §ROWS FROM (f(1))", "ROWS FROM"},
		{"SELECT a FROM §XMLTABLE('x' PASSING y COLUMNS z int)", "function in FROM"},
		{"SELECT a FROM §JSON_TABLE(x, '$')", "function in FROM"},
		{"SELECT a FROM (x JOIN y ON TRUE) §AS z", "alias of a join"},
		{"SELECT a FROM x JOIN y USING (a) §AS z", "alias after USING"},

		// Operators.
		{"SELECT a §^ 2 FROM t", "operator ^"},
		{"SELECT a §~ 'x' FROM t", "operator ~"},
		{"SELECT a §!~* 'x' FROM t", "operator !~*"},
		{"SELECT a §& 1, b FROM t", "operator &"},
		{"SELECT a §->> 'x' FROM t", "operator ->>"},
		{"SELECT a §||-1 FROM t", "operator ||-"},
		{"SELECT §@ a FROM t", "operator @"},
		{"SELECT a §OPERATOR(public.+) b FROM t", "OPERATOR"},
		{"SELECT a §COLLATE \"C\" FROM t", "COLLATE"},
		{"SELECT a §AT LOCAL FROM t", "AT TIME ZONE"},
		{"SELECT a §SIMILAR TO 'x' FROM t", "SIMILAR TO"},
		{"SELECT a §NOT SIMILAR TO 'x' FROM t", "SIMILAR TO"},
		{"SELECT b §OVERLAPS a FROM t", "OVERLAPS"},
		{"SELECT a BETWEEN §SYMMETRIC 1 AND 2 FROM t", "SYMMETRIC"},
		{"SELECT a IS §DOCUMENT FROM t", "IS DOCUMENT"},
		{"SELECT a IS NOT §NFC NORMALIZED FROM t", "IS NFC"},
		{"SELECT a IS §JSON FROM t", "IS JSON"},
		{"SELECT a IS §OF (int) FROM t", "IS OF"},
		{"SELECT a < §ANY (ARRAY[1]) FROM t", "operator < ANY"},
		{"SELECT a = §ALL (SELECT 1) FROM t", "operator = ALL"},
		{"SELECT a <> §SOME (SELECT 1) FROM t", "operator <> SOME"},
		{"SELECT a = ANY (§b) FROM t", "ANY and ALL of a value"},
		{"SELECT a = ANY ('{1,2}'::text§) FROM t", "ANY and ALL of a value"},
		{"SELECT a = ANY ('{1,' §|| '2}') FROM t", "ANY and ALL of an expression"},
		{"SELECT a = ANY (ARRAY[§[1], [2]]) FROM t", "several dimensions"},
		{"SELECT a::text§[] FROM t", "array type"},
		{"SELECT a = ANY (ARRAY§(SELECT 1)) FROM t", "ARRAY"},
		{"SELECT a LIKE §ANY (ARRAY['x']) FROM t", "LIKE ANY"},

		// Operands.
		{"SELECT §ARRAY[1, 2] FROM t", "ARRAY"},
		{"SELECT §ARRAY(SELECT 1) FROM t", "ARRAY"},
		{"SELECT a§[1] FROM t", "subscript"},
		{"SELECT §ROW(1, 2) FROM t", "ROW"},
		{"SELECT (1§, 2) FROM t", "row of several values"},
		{"SELECT a FROM t WHERE (a§, b) IN (SELECT 1, 2)", "row of several values"},
		{"SELECT a IN (VALUES (1§, 2)) FROM t", "row of several values"},
		{"SELECT (a)§.b FROM t", "field of an expression"},
		{"SELECT f(a)§.b FROM t", "field of an expression"},
		{"SELECT §public.f(a) FROM t", "function with a schema"},
		{"SELECT f(§VARIADIC a) FROM t", "VARIADIC"},
		{"SELECT f(a, §VARIADIC b) FROM t", "VARIADIC"},
		{"SELECT f(§x => 1) FROM t", "argument by name"},
		{"SELECT f(a, §x := 1) FROM t", "argument by name"},
		{"SELECT §OVERLAY(a PLACING b FROM 1) FROM t", "OVERLAY"},
		{"SELECT §NORMALIZE(a) FROM t", "NORMALIZE"},
		{"SELECT §TREAT(a AS int) FROM t", "TREAT"},
		{"SELECT §XMLELEMENT(NAME a) FROM t", "XMLELEMENT"},
		{"SELECT SUBSTRING(a §SIMILAR 'x' ESCAPE '!') FROM t", "SIMILAR"},
		{"SELECT §CURRENT_TIMESTAMP(3) FROM t", "argument of CURRENT_TIMESTAMP"},
		{"SELECT §text 'x' FROM t", "type before a text literal"},
		{"SELECT §timetz '10:00' FROM t", "type before a text literal"},
		{"SELECT §TIME WITH TIME ZONE '10:00' FROM t", "time with a zone"},
		{"SELECT §bigint(a) FROM t", "call of BIGINT"},
		{"SELECT INTERVAL '1' YEAR §TO MONTH FROM t", "several units"},
		{"SELECT INTERVAL §(3) '1 day' FROM t", "precision of an interval"},
		{"SELECT INTERVAL '1' SECOND §(3) FROM t", "precision of an interval"},

		// Types.
		{"SELECT a::int§[] FROM t", "array type"},
		{"SELECT CAST(a AS int §ARRAY) FROM t", "array type"},
		{"SELECT CAST(a AS §SETOF int) FROM t", "SETOF"},
		{"SELECT a::§public.kind FROM t", "type with a schema"},
		{`SELECT a::§"char" FROM t`, `the type "char"`},
		{"SELECT a::§bit(3) FROM t", "type bit"},

		// Aggregates and windows.
		{"SELECT SUM(a) OVER §w FROM t", "named window"},
		{"SELECT SUM(a) OVER (§w) FROM t", "named window"},
		{"SELECT SUM(a) OVER (§w ORDER BY b) FROM t", "named window"},
		{"SELECT SUM(a) OVER (ORDER BY b §RANGE UNBOUNDED PRECEDING) FROM t", "frame of RANGE"},
		{"SELECT SUM(a) OVER (ORDER BY b §GROUPS 1 PRECEDING) FROM t", "frame of GROUPS"},
		{"SELECT SUM(a) OVER (ORDER BY b ROWS 1 PRECEDING §EXCLUDE TIES) FROM t", "EXCLUDE"},
		{"SELECT FIRST_VALUE(a) §IGNORE NULLS OVER (ORDER BY b) FROM t", "IGNORE NULLS"},
		{"SELECT MEASURE(m) §OVER (ORDER BY b) FROM t", "window over MEASURE"},
	})
}

func TestParse_NamesStatementsThatWrite(t *testing.T) {
	checkRejections(t, CodeReadOnly, "25006", []rejection{
		{"§INSERT INTO t VALUES (1)", "INSERT"},
		{" /* x */ §update t SET a = 1", "UPDATE"},
		{"§DELETE FROM t", "DELETE"},
		{"§MERGE INTO t USING u ON TRUE", "MERGE"},
		{`§CREATE LOCAL TEMPORARY TABLE "#Tableau_1" (a int)`, "CREATE"},
		{"§DROP TABLE t", "DROP"},
		{"§TRUNCATE t", "TRUNCATE"},
		{"§LOCK TABLE t", "LOCK"},
		{"§CALL p()", "CALL"},
		{"§DO $$ BEGIN END $$", "DO"},
		{"§GRANT SELECT ON t TO u", "GRANT"},
		{"§VACUUM", "VACUUM"},
		{"§NOTIFY c", "NOTIFY"},
		{"§COPY t FROM STDIN", "COPY"},
		{"§COPY (SELECT 1) TO '/tmp/x'", "COPY"},
		{"§COPY (SELECT f(1)) TO PROGRAM 'x'", "COPY"},
		{"§PREPARE TRANSACTION 'x'", "PREPARE"},
		{"§COMMIT PREPARED 'x'", "COMMIT"},
		{"SELECT a §INTO u FROM t", "SELECT INTO"},
		{"SELECT a FROM t §INTO u", "SELECT INTO"},
		{"SELECT a FROM (SELECT b §INTO u FROM t) v", "SELECT INTO"},
		{"SELECT a FROM t §FOR UPDATE", "FOR UPDATE"},
		{"SELECT a FROM t LIMIT 1 §FOR SHARE", "FOR SHARE"},
		{"SELECT a FROM t §FOR NO KEY UPDATE OF t NOWAIT", "FOR UPDATE"},
		{"WITH x AS (§DELETE FROM t RETURNING a) SELECT * FROM x", "DELETE"},
		{"WITH x AS (SELECT 1) §INSERT INTO t SELECT * FROM x", "INSERT"},
	})
}

func TestParse_NamesSessionAndCatalogueStatements(t *testing.T) {
	checkRejections(t, CodeUnsupported, "0A000", []rejection{
		{"§SET application_name = 'x'", "session statement SET"},
		{"§RESET ALL", "session statement RESET"},
		{"§show all", "session statement SHOW"},
		{"§DISCARD ALL", "DISCARD"},
		{"§BEGIN READ ONLY", "BEGIN"},
		{"§START TRANSACTION", "START"},
		{"§COMMIT;", "COMMIT"},
		{"§END", "END"},
		{"§ROLLBACK TO x", "ROLLBACK"},
		{"§ABORT", "ABORT"},
		{"§SAVEPOINT x", "SAVEPOINT"},
		{"§RELEASE x", "RELEASE"},
		{"§PREPARE x AS SELECT 1", "PREPARE"},
		{"§EXECUTE x", "EXECUTE"},
		{"§DEALLOCATE x", "DEALLOCATE"},
		{"§DECLARE c CURSOR FOR SELECT 1", "DECLARE"},
		{"§FETCH 10 FROM c", "FETCH"},
		{"§MOVE 10 FROM c", "MOVE"},
		{"§CLOSE c", "CLOSE"},
		{"§LISTEN c", "LISTEN"},
		{"§UNLISTEN c", "UNLISTEN"},
		{"§EXPLAIN SELECT 1", "EXPLAIN"},
		{"§COPY (SELECT (1)) TO STDOUT", "COPY"},

		{"SELECT c.oid::§pg_catalog.regclass FROM pg_catalog.pg_class c", "catalogue"},
		{"SELECT * FROM §pg_catalog.pg_class c WHERE c.relname OPERATOR(pg_catalog.~) '^(t)$' COLLATE pg_catalog.default", "catalogue"},
		{"SELECT t.x[1] FROM §information_schema.tables t", "catalogue"},
	})
}

func TestParse_RefusesWhatIsNotSQL(t *testing.T) {
	checkRejections(t, CodeSyntax, "42601", []rejection{
		{"§", "no statement"},
		{" ;; §", "no statement"},
		{"§SELEKT a FROM t", "expected SELECT, found SELEKT"},
		{"§1", "expected SELECT"},
		{"SELECT §FROM t", "expected an item of SELECT"},
		{"SELECT§", "expected an item of SELECT, found the end of the text"},
		{"SELECT a, §FROM t", "expected an item"},
		{"SELECT a FROM §WHERE b", "expected a relation"},
		{"SELECT a FROM §", "expected a relation"},
		{"SELECT a FROM t WHERE a AND §", "expected an expression after AND"},
		{"SELECT a FROM t GROUP §a", "BY after GROUP"},
		{"SELECT a FROM t §)", "closing parenthesis"},
		{"SELECT a FROM (SELECT b FROM t§", "or )"},
		{"SELECT (a §FROM t", "operator or )"},
		{"SELECT a b §c FROM t", "clause of SELECT"},
		{"SELECT §order FROM t", "expected an expression"},
		{"SELECT §user.a FROM t", "expected an expression"},
		{"SELECT a FROM §order", "expected a relation"},
		{"SELECT a FROM §a.b.c.d", "at most three"},
		{"SELECT a = b §= c FROM t", "do not chain"},
		{"SELECT a < b §> c FROM t", "do not chain"},
		{"SELECT a LIKE b §LIKE c FROM t", "do not chain"},
		{"SELECT a BETWEEN 1 AND 2 §BETWEEN 3 AND 4 FROM t", "do not chain"},
		{"SELECT a BETWEEN 1 §FROM t", "upper bound of BETWEEN"},
		{"SELECT a IS §5 FROM t", "after IS"},
		{"SELECT CASE a §END FROM t", "WHEN in CASE"},
		{"SELECT CASE WHEN a §1 END FROM t", "THEN"},
		{"SELECT CAST(a §, int) FROM t", "AS in CAST"},
		{"SELECT a::§5 FROM t", "a type"},
		{"SELECT a::numeric(§x) FROM t", "integer as argument"},
		{"SELECT SUM(§*) FROM t", "argument of COUNT alone"},
		{"SELECT COUNT(a, §t.*) FROM t", "argument of COUNT alone"},
		{"SELECT COUNT(DISTINCT §*) FROM t", "expression and not a star"},
		{"SELECT 1 + §* FROM t", "star"},
		{"SELECT 1 + §t.* FROM t", "star"},
		{"SELECT a FROM t LIMIT 1§, 2", "LIMIT takes one number"},
		{"SELECT a FROM t LIMIT 1 §LIMIT 2", "one LIMIT"},
		{"SELECT a FROM t OFFSET 1 §OFFSET 2", "one OFFSET"},
		{"SELECT a FROM x JOIN y §", "ON or USING"},
		{"SELECT a FROM x JOIN y §WHERE b", "ON or USING"},
		{"SELECT a FROM §x NATURAL CROSS JOIN y", "NATURAL and CROSS"},
		{"SELECT a FROM (t§)", "a query or a join"},
		{"SELECT a FROM §LATERAL (x JOIN y ON TRUE)", "LATERAL"},
		{"SELECT MEASURE(§1) FROM t", "name of a metric"},
		{"SELECT MEASURE(§a + b) FROM t", "name of one metric"},
		{"SELECT MEASURE(a, §5) FROM t", "parameter => value"},
		{"SELECT SUM(a) OVER (ROWS BETWEEN §CURRENT ROW AND 1 PRECEDING) FROM t", "after its end"},
		{"SELECT SUM(a) OVER (ROWS §UNBOUNDED FOLLOWING) FROM t", "does not start"},
		{"SELECT SUM(a) OVER (ROWS §x PRECEDING) FROM t", "in the frame"},
		{"SELECT COUNT(DISTINCT a) §WITHIN GROUP (ORDER BY b) FROM t", "exclude each other"},
		{"SELECT 'a' §'b' FROM t", "follows a text literal"},

		// Tokens.
		{"SELECT §'it FROM t", "no end"},
		{"SELECT §E'it\\' FROM t", "no end"},
		{`SELECT §"it FROM t`, "no end"},
		{"SELECT §`it FROM t", "no end"},
		{"SELECT §$x$ it $y$ FROM t", "no end"},
		{"SELECT §/* a FROM t", "no end"},
		{`SELECT §"" FROM t`, "may not be empty"},
		{"SELECT §1a FROM t", "neither a number nor a name"},
		{"SELECT §$0 FROM t", "1 to 65535"},
		{"SELECT §$65536 FROM t", "1 to 65535"},
		{"SELECT §$1a FROM t", "not a parameter"},
		{"SELECT §$a FROM t", "dollar sign"},
		{"SELECT §x'1F' FROM t", "prefix x"},
		{"SELECT §B'1' FROM t", "prefix B"},
		{"SELECT §N'a' FROM t", "prefix N"},
		{"SELECT §U&'a' FROM t", "prefix U&"},
		{`SELECT §u&"a" FROM t`, "prefix U&"},
		{`SELECT §E'\u00' FROM t`, "escapes no character"},
		{`SELECT §E'\0' FROM t`, "escapes no character"},
		{`SELECT §E'\xff' FROM t`, "escapes no character"},
		{"SELECT §:name FROM t", "character :"},
		{"SELECT é, §\\ FROM t", "character \\"},
		{"SELECT §€ FROM t", "character €"},
		{"SELECT a§\x00 FROM t", "NUL"},
		{"SELECT 'é§\xff' FROM t", "UTF-8"},
	})
}

// SEMANTIC_VIEW has the codes of its draft.
func TestParse_RefusesSemanticViewsWithTheirCodes(t *testing.T) {
	for _, tc := range []struct {
		rejection
		code  Code
		state string
		ossie string
	}{
		{rejection{"SELECT * FROM SEMANTIC_VIEW(shop§)", "no DIMENSIONS"}, CodeSyntax, "42601", "E1201"},
		{rejection{"SELECT * FROM SEMANTIC_VIEW(shop WHERE a = 1§)", "no DIMENSIONS"}, CodeSyntax, "42601", "E1201"},
		{rejection{"SELECT * FROM SEMANTIC_VIEW(shop METRICS m §DIMENSIONS d)", "after a later clause"}, CodeSyntax, "42601", "E1202"},
		{rejection{"SELECT * FROM SEMANTIC_VIEW(shop WHERE a §METRICS m)", "after a later clause"}, CodeSyntax, "42601", "E1202"},
		{rejection{"SELECT * FROM SEMANTIC_VIEW(shop METRICS m §METRICS n)", "twice"}, CodeSyntax, "42601", "E1202"},
		{rejection{"SELECT * FROM SEMANTIC_VIEW(shop FACTS f §METRICS m)", "both FACTS and METRICS"}, CodeSyntax, "42601", "E1207"},
		{rejection{"SELECT * FROM SEMANTIC_VIEW(shop METRICS m §LIMIT 5)", "LIMIT is not a clause"}, CodeSyntax, "42601", "E1211"},
		{rejection{"SELECT * FROM SEMANTIC_VIEW(shop METRICS m §ORDER BY m)", "ORDER is not a clause"}, CodeSyntax, "42601", "E1211"},
		{rejection{"SELECT * FROM SEMANTIC_VIEW(shop DIMENSIONS d METRICS m WHERE a §HAVING m > 1)", "HAVING is not a clause"}, CodeSyntax, "42601", "E1211"},
		{rejection{"SELECT * FROM SEMANTIC_VIEW(shop DIMENSIONS §shop.orders.status)", "more than two names"}, CodeUnsupported, "0A000", "E1203"},
		{rejection{"SELECT * FROM SEMANTIC_VIEW(shop METRICS MEASURE(§shop.orders.m))", "more than two names"}, CodeUnsupported, "0A000", "E1203"},
		{rejection{"SELECT * FROM SEMANTIC_VIEW(shop METRICS SUM(a) §OVER (ORDER BY b))", "OVER in SEMANTIC_VIEW"}, CodeUnsupported, "0A000", "E1210"},
		{rejection{"SELECT * FROM SEMANTIC_VIEW(shop METRICS MEASURE(a) §OVER ())", "window over MEASURE"}, CodeUnsupported, "0A000", "E1210"},
		{rejection{"SELECT * FROM SEMANTIC_VIEW(shop METRICS m, §DIMENSIONS d)", "expected an item"}, CodeSyntax, "42601", ""},
		{rejection{"SELECT * FROM SEMANTIC_VIEW(shop DIMENSIONS §*)", "star without a dataset"}, CodeSyntax, "42601", ""},
		{rejection{"SELECT * FROM SEMANTIC_VIEW(§)", "name of the model"}, CodeSyntax, "42601", ""},
		{rejection{"SELECT * FROM SEMANTIC_VIEW(shop §a)", "a clause of SEMANTIC_VIEW"}, CodeSyntax, "42601", ""},
		{rejection{"SELECT * FROM SEMANTIC_VIEW(shop METRICS §)", "expected an item"}, CodeSyntax, "42601", ""},
	} {
		checkRejections(t, tc.code, tc.state, []rejection{tc.rejection})
		_, err := Parse(strings.Replace(tc.text, "§", "", 1), DefaultLimits())
		var e *Error
		if errors.As(err, &e) && e.Ossie != tc.ossie {
			t.Errorf("%s\nhas the Ossie code %q, want %q", tc.text, e.Ossie, tc.ossie)
		}
	}
}
