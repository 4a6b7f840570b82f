package access

import (
	"fmt"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/planner/query"
)

const lettersModel = `version: 0.2.0.dev0
semantic_model:
  - name: post
    datasets:
      - name: letters
        source: post.letters
        fields:
          - {name: tenant, expression: {dialects: [{dialect: ANSI_SQL, expression: tenant}]}, datatype: String}
    metrics:
      - {name: written, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(*)}]}}
`

const lettersPolicies = `version: 1
attributes: {tenant: {type: string}, warehouse_role: {type: string}, areas: {type: string, list: true}}
roles: {reader: {all: true}}
`

// lettersScript makes a table whose policy shows the role emea the rows of a tenant.
const lettersScript = `CREATE ROLE emea; CREATE ROLE apac;
CREATE SCHEMA post; CREATE TABLE post.letters (tenant text);
INSERT INTO post.letters SELECT 't' || n % 4 FROM generate_series(1, 40) n;
ALTER TABLE post.letters ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON post.letters TO emea USING (tenant = current_setting('app.tenant', true));
GRANT USAGE ON SCHEMA post TO emea, apac; GRANT SELECT ON post.letters TO emea`

func openLetters(t *testing.T, session, policies string) *engine.Engine {
	t.Helper()
	s := shared.Postgres(t)
	connections := "datasources:\n" + fmt.Sprintf("  pg: {type: postgres, host: '%s', port: %d, username: '%s', password: '%s', database: '%s', session: %s}\n",
		s.Host, s.Port, s.User, s.Password, s.Database, session)
	c := engine.Config{ModelText: []byte(lettersModel), ConnectionsText: []byte(connections), PoolSize: 2}
	if policies != "" {
		c.PoliciesPath, c.PoliciesText = "policies.yaml", []byte(policies)
	}
	e, err := engine.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

const written = `{"metrics":["written"],"connection":"pg"}`

// Rules of the warehouse apply to the reader whose statement it is.
func TestSession_StatementsRunAsTheReader(t *testing.T) {
	db, err := servers.PostgreSQL(t, shared).Load(t.Context(), "letters", lettersScript)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	e := openLetters(t, `{role: ":user.warehouse_role", allowed_roles: [emea, apac], set: {app.tenant: ":user.tenant", app.fixed: x}}`, lettersPolicies)
	const refused = "forbidden the attribute "
	for attributes, want := range map[string]string{
		`"tenant": "t1", "warehouse_role": "emea"`:             `[{"written":10}]`,
		`"tenant": "t2", "warehouse_role": "emea"`:             `[{"written":10}]`,
		`"tenant": "t9", "warehouse_role": "emea"`:             `[{"written":0}]`,
		`"tenant": "t1' OR true --", "warehouse_role": "emea"`: `[{"written":0}]`,
		`"tenant": "t1", "warehouse_role": "apac"`:             "sql_rejected ",
		`"tenant": "t1", "warehouse_role": "postgres"`:         refused + "warehouse_role of the identity names a role",
		`"tenant": "t1", "warehouse_role": "none"`:             refused + "warehouse_role of the identity names a role",
		`"warehouse_role": "emea"`:                             refused + "tenant of the identity is missing",
		`"tenant": "t1", "areas": ["emea"]`:                    refused + "warehouse_role of the identity is missing",
	} {
		reader, err := as(t, e, lettersPolicies, `{"name": "somebody", "roles": ["reader"], "attributes": {`+attributes+`}}`)
		if err != nil {
			t.Fatal(err)
		}
		for _, run := range []func() string{
			func() string { return rowsOrError(t, reader) },
			func() string { return rowsOrError(t, reader) },
			func() string {
				stream, err := prepare.Stream(t.Context(), reader, decode(t, written))
				if err != nil {
					return codeOf(err) + " " + err.Error()
				}
				_ = stream.Close()
				return want
			},
		} {
			if got := run(); !strings.HasPrefix(got, want) {
				t.Errorf("%s: got %s, want %s", attributes, got, want)
			}
		}
	}
	// Values are kept for the readers of one session alone.
	for _, tenant := range []string{"t1", "t2", "t1"} {
		reader, err := as(t, e, lettersPolicies, `{"roles": ["reader"], "attributes": {"tenant": "`+tenant+`", "warehouse_role": "emea"}}`)
		if err != nil {
			t.Fatal(err)
		}
		values, err := reader.FieldValues(t.Context(), &query.ValuesQuery{Field: "letters.tenant", Connection: "pg", Limit: 10})
		if err != nil || len(values.Values) != 1 || string(values.Values[0].Value) != `"`+tenant+`"` {
			t.Errorf("the tenant %s has the values %+v, %v", tenant, values, err)
		}
	}
}

func rowsOrError(t *testing.T, e prepare.Engine) string {
	t.Helper()
	result, err := prepare.Rows(t.Context(), e, decode(t, written))
	if err != nil {
		return codeOf(err) + " " + err.Error()
	}
	return string(result.Rows)
}

func TestSession_NeedsTheAttributesWithoutPoliciesToo(t *testing.T) {
	for _, session := range []string{`{set: {app.tenant: ":user.tenant"}}`, `{set: {app.tenant: ":user.name"}}`} {
		e := openLetters(t, session, "")
		if got := rowsOrError(t, e); !strings.HasPrefix(got, "forbidden ") {
			t.Errorf("%s: %s, want forbidden", session, got)
		}
		if check, err := e.CheckConnection(t.Context(), "pg"); err != nil || check.Err != nil {
			t.Errorf("a check has no session: %v %v", err, check.Err)
		}
	}
}
