package snowflake_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/importer/snowflake"
)

func readStatement(t *testing.T, text string) (*importer.Result, error) {
	t.Helper()
	imported, err := snowflake.Read([]importer.SourceFile{{Name: "view.sql", Text: []byte(text)}}, importer.Options{ModelName: "m"})
	if err != nil {
		return nil, err
	}
	return importer.FinishImport(t.Context(), imported, noPlan)
}

const statement = `CREATE SEMANTIC VIEW IF NOT EXISTS v
  TABLES (
    a AS db.s.a PRIMARY KEY (id) CONSTRAINT ranges DISTINCT RANGE BETWEEN x AND y EXCLUSIVE,
    b AS db.s."b b" PRIMARY KEY (id) WITH TAG (cost = 'high')
  )
  RELATIONSHIPS (r AS a (b_id, x) REFERENCES b (id, BETWEEN x AND y EXCLUSIVE), ok AS a (b_id) REFERENCES b, c (x) REFERENCES b (id), a (b_id, x) REFERENCES b)
  FACTS (a.worth AS n * fee)
  DIMENSIONS (a.day AS day, a.secret AS 'x', PUBLIC a.town AS town WITH CORTEX SEARCH SERVICE s USING t, nowhere.x AS x)
  METRICS (
    PRIVATE a.hidden AS SUM(n),
    a.stock NON ADDITIVE BY (a.day DESC NULLS LAST) AS SUM(worth) COMMENT = $$it's kept$$,
    a.using_r USING (ok) AS COUNT(b.id)
  )
  MAX_STALENESS = 60
  AI_VERIFIED_QUERIES (q AS (QUESTION 'How much?' VERIFIED_AT 1700000000 SQL 'SELECT 1'));
GRANT SELECT ON SEMANTIC VIEW v TO ROLE r;
`

func TestRead_StatementsReportWhatTheyLose(t *testing.T) {
	result, err := readStatement(t, statement)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range result.Entries {
		if e.Outcome != importer.OutcomeExact {
			got = append(got, fmt.Sprintf("%d: %s %s %s: %s", e.Line, e.Outcome, e.Construct, e.Name, e.Reason))
		}
	}
	want := []string{
		"3: dropped table key a.distinct_range: that the ranges of two columns do not overlap has no counterpart",
		"4: dropped table key b.tags: tags have no counterpart",
		"6: dropped relationship a_b: it has other numbers of columns on its two sides, or refers to a table without a primary key",
		"6: dropped relationship r: a pair of its columns has the key condition, and a relationship joins equal values",
		"6: dropped relationship c_b: the left_table c is not in the input",
		"8: dropped dimension nowhere.x: its table is not in TABLES",
		"8: dropped dimension key a.town.cortex_search_service: a search service has no counterpart",
		"8: approximated dimension a.day: it is taken for a time, by whose order a metric reads rows: the statement does not have its type",
		"10: approximated metric a.hidden: a private metric is offered as any other",
		"11: approximated metric a.stock: the rows of one first value of day count for all groups of a query, whose conditions do not move it, and rows without day never count",
		"12: dropped metric a.using_r: using_relationships has no counterpart",
		"14: dropped semantic_model key v.max_staleness: Snowflake keeps rows of the view until it ends, and a query here reads the tables",
		"15: approximated verified_query q: a statement has no semantic form: it is a test that is skipped, and its question an example",
		"16: dropped statement GRANT: only CREATE SEMANTIC VIEW is read",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	for _, part := range []string{"description: it's kept\n", `source: db.s."b b"`, "expression: SUM(a.worth)", "expression: {dialects: [{dialect: ANSI_SQL, expression: \"'x'\"}]}"} {
		if !strings.Contains(string(result.Model), part) {
			t.Errorf("no %s in\n%s", part, result.Model)
		}
	}
}

func TestRead_StatementsThatCannotBeReadAreRefusedWithTheirPlace(t *testing.T) {
	for text, want := range map[string]string{
		"CREATE SEMANTIC VIEW v\n  TABLES (a PRIMARY (id))":                          `view.sql:2: column 13: expected a comma, ), or a key, synonyms or a comment of the table, found PRIMARY`,
		"CREATE SEMANTIC VIEW v TABLES (a)\nMETRICS (a.x SUM(y))":                    `view.sql:2: column 14: expected AS and an expression, found SUM`,
		"CREATE SEMANTIC VIEW v TABLES (a) METRICS (a.x AS )":                        `view.sql:1: column 51: expected an expression, found )`,
		"CREATE SEMANTIC VIEW v TABLES (a) METRICS (a.x AS SUM(y)":                   `view.sql:1: column 57: expected a comma or ) after an expression, found the end of the file`,
		"CREATE SEMANTIC VIEW v TABLES (a) METRICS (a.x AS y COMMENT = z)":           `view.sql:1: column 63: expected a string, found z`,
		"CREATE SEMANTIC VIEW v TABLES (a) WISHES (b)":                               `view.sql:1: column 35: expected a clause of CREATE SEMANTIC VIEW, such as TABLES, METRICS or COMMENT, found WISHES`,
		"CREATE SEMANTIC VIEW v TABLES (a COMMENT = 'x":                              `view.sql:1: column 44: the string that begins here has no end`,
		"CREATE SEMANTIC VIEW v /* TABLES (a)":                                       `view.sql:1: column 24: the comment that begins here has no end`,
		"CREATE SEMANTIC VIEW v TABLES (a) RELATIONSHIPS (a (x) JOIN b)":             `view.sql:1: column 56: expected REFERENCES, found JOIN`,
		"CREATE SEMANTIC VIEW v TABLES (a) AI_VERIFIED_QUERIES (q AS (QUERY 'x'))":   `view.sql:1: column 62: expected QUESTION, SQL, VERIFIED_AT, VERIFIED_BY, ONBOARDING_QUESTION or ), found QUERY`,
		"CREATE SEMANTIC VIEW v TABLES (a) METRICS (a.x NON ADDITIVE BY (d x) AS y)": `view.sql:1: column 67: expected a comma or ) in NON ADDITIVE BY, found x`,
		"SELECT 1": "no part of the input can be imported; the first reason: view.sql:1: statement SELECT: only CREATE SEMANTIC VIEW is read",
		"CREATE SEMANTIC VIEW v EXTENSION (CA = 'x": `view.sql:1: column 40: the string that begins here has no end`,
		"CREATE SEMANTIC VIEW v EXTENSION (CA (":    `view.sql:1: column 34: the parenthesis that begins here has no end`,
	} {
		_, err := readStatement(t, text)
		var refused *importer.Error
		if !errors.As(err, &refused) || refused.Error() != want {
			t.Errorf("%s\n got %v\nwant %s", text, err, want)
		}
	}
}

// A statement in a file with another name is recognised by its first word.
func TestRead_StatementsInOtherFiles(t *testing.T) {
	for _, text := range []string{"-- a view\ncreate semantic view v tables (a) metrics (a.x as sum(y))", "/* c */ CREATE\nSEMANTIC VIEW v AS TABLES (a) METRICS (a.x AS SUM(y))"} {
		imported, err := snowflake.Read([]importer.SourceFile{{Name: "view", Text: []byte(text)}}, importer.Options{ModelName: "m", SourcePrefix: "lab.sea"})
		if err != nil {
			t.Fatal(err)
		}
		result, err := importer.FinishImport(t.Context(), imported, noPlan)
		if err != nil || !strings.Contains(string(result.Model), "source: lab.sea.a\n") || !strings.Contains(string(result.Model), "expression: SUM(a.y)") {
			t.Errorf("%v", err)
		}
	}
}

// FuzzReadStatement: any text is rejected with an error of the importer, or imported as a model that compiles.
func FuzzReadStatement(f *testing.F) {
	f.Add(statement)
	f.Add("CREATE SEMANTIC VIEW v TABLES (a AS b.c UNIQUE (x) UNIQUE (y)) METRICS (a.x AS SUM(y) OVER (PARTITION BY EXCLUDING a.d ORDER BY a.d), z AS a.x / 2)")
	f.Fuzz(func(t *testing.T, text string) {
		_, err := readStatement(t, text)
		if refused := (*importer.Error)(nil); err != nil && !errors.As(err, &refused) {
			t.Errorf("%v", err)
		}
	})
}
