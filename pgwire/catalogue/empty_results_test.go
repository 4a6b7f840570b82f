package catalogue

import (
	"fmt"
	"log/slog"
	"testing"

	"github.com/semlayer/semlayer/pgwire"
)

// pg_policy, pg_trigger and pg_inherits are empty in a database without policies, triggers and partitions.
func TestRowless_StatementsOverEmptyTablesHaveTheRowsOfPostgreSQL(t *testing.T) {
	c := New(slog.New(slog.DiscardHandler), nil)
	defer c.Close()
	s := pgwire.CatalogueSession{Model: servedModel{revision: "a"}, Database: "shop", User: "me"}
	const one = "(SELECT oid FROM pg_class WHERE relname = 'pg_class') c"
	for text, want := range map[string]string{
		"SELECT polname FROM pg_policy":                                                           "[]",
		"SELECT * FROM pg_policy ORDER BY 1":                                                      "[]",
		"SELECT count(*) FROM pg_policy":                                                          "[[0]]",
		"SELECT 1 FROM pg_policy ORDER BY count(*)":                                               "[[1]]",
		"SELECT 1 FROM pg_policy HAVING true":                                                     "[[1]]",
		"SELECT polname, count(*) FROM pg_policy GROUP BY polname":                                "[]",
		"SELECT max(polname), (SELECT 2 FROM pg_trigger) FROM pg_policy":                          "[[<nil> <nil>]]",
		"SELECT p.polname FROM pg_policies x, pg_policy p":                                        "[]",
		"SELECT polname FROM " + one + ", pg_policy":                                              "[]",
		"SELECT polname FROM " + one + " JOIN pg_policy ON polrelid = c.oid":                      "[]",
		"SELECT polname FROM " + one + " LEFT JOIN pg_policy ON polrelid = c.oid":                 "[[<nil>]]",
		"SELECT polname FROM pg_policy RIGHT JOIN " + one + " ON polrelid = c.oid":                "[[<nil>]]",
		"SELECT polname FROM pg_policy LEFT JOIN " + one + " ON polrelid = c.oid":                 "[]",
		"SELECT polname FROM " + one + " FULL JOIN pg_policy ON polrelid = c.oid":                 "[[<nil>]]",
		"SELECT tgname FROM pg_trigger FULL JOIN pg_policy ON polrelid = tgrelid":                 "[]",
		"SELECT (SELECT polname FROM pg_policy), EXISTS (SELECT 1 FROM pg_policy)":                "[[<nil> false]]",
		"SELECT 1 IN (SELECT polrelid FROM pg_policy), 1 NOT IN (SELECT polrelid FROM pg_policy)": "[[false true]]",
		"SELECT array(SELECT tgname FROM pg_trigger)":                                             "[[[]]]",
		"SELECT polname FROM pg_policy UNION SELECT 'a'":                                          "[[a]]",
		"SELECT 'a' UNION SELECT polname FROM pg_policy ORDER BY 1":                               "[[a]]",
		"SELECT polname FROM pg_policy UNION ALL SELECT tgname FROM pg_trigger":                   "[]",
		"SELECT 'a' EXCEPT SELECT polname FROM pg_policy":                                         "[[a]]",
		"SELECT polname FROM pg_policy EXCEPT SELECT 'a'":                                         "[]",
		"SELECT 'a' INTERSECT SELECT polname FROM pg_policy":                                      "[]",
		"WITH p AS (SELECT polname FROM pg_policy) SELECT count(*) FROM p":                        "[[0]]",
		"SELECT count(*) FROM (SELECT polname FROM pg_policy WHERE polcmd = 'r') p":               "[[0]]",
		"SELECT polname FROM pg_policy LIMIT 1 OFFSET 0":                                          "[]",
	} {
		rows, err := answer(t.Context(), c, s, text, nil)
		if got := fmt.Sprint(rows.Rows); err != nil || got != want {
			t.Errorf("%s: %s %v, want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"SELECT nothing FROM pg_policy", "SELECT polname FROM pg_policy WHERE nothing = 1", "SELECT nothing(polname) FROM pg_policy", "SELECT polname FROM pg_policy ORDER BY 2"} {
		if _, err := answer(t.Context(), c, s, text, nil); err == nil {
			t.Errorf("%s is answered", text)
		}
	}
}
