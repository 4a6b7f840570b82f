package injection_test

import (
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/localdb"
	"github.com/semlayer/semlayer/integration/internal/floor"
)

// isLongForm requests the whole cross product.
func isLongForm() bool { return os.Getenv("SEMLAYER_TEST_LONG") != "" }

// tally is what the figures of a run are made of.
type tally struct {
	inputs, requests, statements, refusals int
	rejected                               map[string]string // by the engine: the responses
}

func (n *tally) attributes(t *testing.T) {
	t.Helper()
	floor.CheckCount(t, "inputs", n.inputs, 100)
	floor.CheckCount(t, "texts", len(texts()), 200)
	floor.CheckCount(t, "requests", n.requests, 5000)
	floor.CheckCount(t, "statements", n.statements, 2000)
	floor.CheckCount(t, "refusals", n.refusals, 2500)
	t.Attr("rejected", strconv.Itoa(len(n.rejected)))
	for _, what := range slices.Sorted(maps.Keys(n.rejected)) {
		t.Logf("%s: %.200s", what, n.rejected[what])
	}
}

func TestInjection_HostileTextIsDataOrRejected(t *testing.T) {
	for name, open := range targets() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t)
			before := h.state(t)
			h.takeStatements(t)
			n := &tally{rejected: map[string]string{}}
			t.Run("values", func(t *testing.T) { h.checkFinders(t, n) })
			t.Run("bindings", func(t *testing.T) { h.checkBindings(t, n) })
			t.Run("anywhere", func(t *testing.T) { h.checkInputs(t, n) })
			t.Run("values of a field", func(t *testing.T) { h.checkFieldValues(t, n) })
			t.Run("members", func(t *testing.T) { h.checkDrillDown(t, n) })
			if h.connection == "" || isLongForm() { // a model goes to no engine
				t.Run("models", func(t *testing.T) { h.checkModels(t, n) })
			}
			t.Run("values of statements", func(t *testing.T) { h.checkStatementValues(t, n) })
			t.Run("names of statements", func(t *testing.T) { h.checkStatementNames(t, n) })
			t.Run("large statements", func(t *testing.T) { h.checkLargeStatements(t, n) })
			t.Run("headers", func(t *testing.T) { h.checkHeaders(t, n) })
			if diff := cmp.Diff(before, h.state(t)); diff != "" {
				t.Errorf("the engine is not what it was:\n%s", diff)
			}
			h.checkNoNewFiles(t)
			h.checkCanaryReadable(t)
			n.attributes(t)
		})
	}
}

// sentRequest is a request with its response, kept until its statements are checked.
type sentRequest struct {
	what string
	response
	// many is true if the response was made from statements that it does not show.
	many bool
	// unseen is the number of statements that the response does not show.
	unseen int
}

// sendChecked asks one request and counts it.
func (h *testServer) sendChecked(t *testing.T, n *tally, what string, r request) sentRequest {
	t.Helper()
	n.requests++
	a := sentRequest{what: what, response: h.ask(t, r)}
	a.many = a.status == http.StatusOK && strings.HasSuffix(r.path, "/attribute")
	if a.code != "" {
		n.refusals++
	}
	if a.code == "sql_rejected" {
		n.rejected[what] = a.text
	}
	return a
}

// tagOfStatement is the comment before a statement for a server, and holds nothing of
// the request.
var tagOfStatement = regexp.MustCompile(`^/\* semlayer [0-9a-f]{32}/[0-9]+ \*/ `)

// checkStatements compares the statements that reached the engine with the responses: one statement for each
// that has rows, the one that it shows; those of an attribution, which are two or
// three; at most one where the engine rejected it; else none.
func (h *testServer) checkStatements(t *testing.T, n *tally, all []sentRequest) {
	t.Helper()
	taken := h.takeStatements(t)
	n.statements += len(taken)
	for i, sql := range taken {
		if h.connection != "" {
			tag := tagOfStatement.FindString(sql)
			if tag == "" {
				t.Errorf("it has no tag: %.1000s", sql)
			}
			sql = sql[len(tag):]
			taken[i] = sql
		}
		if why := lexes[h.name].oneSelect(sql); why != "" {
			t.Errorf("%s: %.1000s", why, sql)
		}
	}
	var shown []string
	fewest, most := 0, 0 // of those that no answer shows
	for _, a := range all {
		fewest, most = fewest+a.unseen, most+a.unseen
		switch {
		case a.many:
			fewest, most = fewest+1, most+3
		case a.code == "sql_rejected":
			most++ // DuckDB logs no statement that it cannot bind
		case a.status == http.StatusOK && a.sql != "":
			shown = append(shown, a.sql)
		}
	}
	var others []string
	for _, sql := range taken {
		if len(shown) > 0 && sql == shown[0] {
			shown = shown[1:]
		} else {
			others = append(others, sql)
		}
	}
	if len(shown) > 0 {
		t.Errorf("%s … %s: an answer shows a statement that the engine was not sent: %.1000s\nbut %.3000q", all[0].what, all[len(all)-1].what, shown[0], others)
	} else if len(others) < fewest || len(others) > most {
		t.Errorf("%s … %s: %d statements that no answer shows, want %d to %d: %.3000q", all[0].what, all[len(all)-1].what, len(others), fewest, most, others)
	}
}

// checkFinders puts every text as a value into every finder.
func (h *testServer) checkFinders(t *testing.T, n *tally) {
	for i, f := range finders() {
		n.inputs++
		var all []sentRequest
		for j, x := range texts() {
			if !isLongForm() && i > 0 && (i+j)%5 != 0 {
				continue
			}
			a := h.sendChecked(t, n, f.name+", "+x.name, f.newRequest(t, x, h.connection))
			all = append(all, a)
			switch {
			case !x.wellFormed() || x.long():
				if a.status != http.StatusBadRequest {
					t.Errorf("%s: %d %.300s", a.what, a.status, a.text)
				}
			case a.status != http.StatusOK:
				t.Errorf("%s: %d %.300s", a.what, a.status, a.text)
			default:
				if want, got := matchingRows(f.finds, x.value), ids(a.response); !slices.Equal(want, got) {
					t.Errorf("%s finds %v, want %v\n%.1000s", a.what, got, want, a.sql)
				}
				for _, row := range a.rows {
					if body, shown := row["body"]; shown && x.row() == ids(a.response)[0] && body != x.value {
						t.Errorf("%s comes back as %q, want %q", a.what, body, x.value)
					}
				}
			}
		}
		h.checkStatements(t, n, all)
	}
}

// matchingRows returns the rows whose text is found by a text.
func matchingRows(finds func(row, by string) bool, by string) []int {
	var out []int
	all := storable()
	for i, x := range all {
		if finds(x.value, by) {
			out = append(out, i+1)
		}
	}
	for i, other := range []string{"", "nothing hostile"} {
		if finds(other, by) {
			out = append(out, len(all)+1+i)
		}
	}
	return out
}

func ids(a response) []int {
	var out []int
	for _, row := range a.rows {
		id, _ := row["id"].(float64)
		out = append(out, int(id))
	}
	return out
}

// checkBindings binds every text to a parameter: alone, where the value ends in a
// condition, and in a list, where it names a column as well.
func (h *testServer) checkBindings(t *testing.T, n *tally) {
	last := len(storable()) + otherRows - 1 // the row of "nothing hostile"
	for i, in := range []input{
		{name: "binding", path: "/v1/query/execute", body: `{"metrics":["with_body"],"params":{"t":"«raw»"}}`},
		{name: "binding of a list", path: "/v1/query/execute", body: `{"metrics":["with_body"],"params":{"t":["«raw»","nothing hostile"]}}`},
		{name: "order by what a list names", path: "/v1/query/execute", body: `{"metrics":["with_body"],"params":{"t":["«raw»","nothing hostile"]},"group_by":[{"field":"notes.odd"}],"limit":5}`},
	} {
		n.inputs++
		var all []sentRequest
		for j, x := range texts() {
			if !isLongForm() && i > 0 && (i+j)%3 != 0 {
				continue
			}
			a := h.sendChecked(t, n, in.name+", "+x.name, in.newRequest(t, x, h.connection))
			all = append(all, a)
			switch {
			case !x.wellFormed():
				if a.status != http.StatusBadRequest {
					t.Errorf("%s: %d %.300s", a.what, a.status, a.text)
				}
				continue
			case a.status != http.StatusOK:
				if !x.long() {
					t.Errorf("%s: %d %.300s", a.what, a.status, a.text)
				}
				continue
			}
			columns := slices.DeleteFunc(slices.Clone(a.columns), func(c string) bool { return c == "odd" })
			want := []any{float64(x.row()), float64(last)}[:len(columns)]
			if x.long() {
				want[0] = nil // no row is that long
			}
			for i, column := range columns {
				if got := a.rows[0][column]; got != want[i] || len(a.rows) != 1 {
					t.Errorf("%s: %.80s is %v, want %v\n%.1000s", a.what, column, got, want[i], a.sql)
				}
			}
		}
		h.checkStatements(t, n, all)
	}
}

// checkInputs puts texts where they may be rejected. Those that the inputs of a kind
// share each go through two of them at least.
func (h *testServer) checkInputs(t *testing.T, n *tally) {
	inputs := slices.Concat(requestInputs(), statementInputs())
	members := map[string]int{}
	for _, in := range inputs {
		members[in.kind]++
	}
	place := map[string]int{}
	for _, in := range inputs {
		n.inputs++
		place[in.kind]++
		share := max(1, members[in.kind]/2)
		var all []sentRequest
		for j, x := range texts() {
			if !isLongForm() && (j+place[in.kind])%share != 0 || strings.Contains(in.path, "«raw»") && len(x.value) > 1000 {
				continue
			}
			all = append(all, h.sendChecked(t, n, in.name+", "+x.name, in.newRequest(t, x, h.connection)))
		}
		h.checkStatements(t, n, all)
	}
}

// checkDrillDown asks which texts a change is made of, and follows the conditions that the response
// offers for each; the service has written them.
func (h *testServer) checkDrillDown(t *testing.T, n *tally) {
	n.inputs++
	in := input{path: "/v1/query/attribute", body: `{"metric":"note_count","dimensions":["notes.body"],"max_values_per_dimension":1000,"top_n_values":1000,
		"baseline":{"start":"2024-01-01","end":"2024-02-01"},"current":{"start":"2024-02-01","end":"2024-03-01"}}`}
	a := h.sendChecked(t, n, "attribution", in.newRequest(t, text{value: "x"}, h.connection))
	var report struct {
		Dimensions map[string]struct {
			Values []struct {
				Value     string
				DrillDown struct {
					WhereSQL string `json:"where_sql"`
				} `json:"drill_down"`
			}
		} `json:"per_dimension"`
	}
	if err := json.Unmarshal([]byte(a.text), &report); err != nil || len(report.Dimensions) != 1 {
		t.Fatal(err, a.text)
	}
	values := report.Dimensions["notes.body"].Values
	if want := len(storable()) + otherRows; len(values) != want {
		t.Errorf("%d members, want %d", len(values), want)
	}
	back := input{path: "/v1/query/execute", body: `{"metrics":["note_count"],"group_by":[{"field":"notes.id"}],"where_sql":"«raw»"}`}
	all := []sentRequest{a}
	for _, v := range values {
		if strings.HasSuffix(v.DrillDown.WhereSQL, " IS NULL") {
			continue
		}
		a := h.sendChecked(t, n, "drill-down "+v.DrillDown.WhereSQL, back.newRequest(t, text{value: v.DrillDown.WhereSQL}, h.connection))
		all = append(all, a)
		if want, got := matchingRows(equalText, v.Value), ids(a.response); !slices.Equal(want, got) {
			t.Errorf("%s finds %v, want %v\n%.500s", a.what, got, want, a.text)
		}
	}
	h.checkStatements(t, n, all)
}

// checkHeaders sends every text as the value of every header that means something
// here, beside a query that is sound.
func (h *testServer) checkHeaders(t *testing.T, n *tally) {
	sound := input{path: "/v1/query/execute", body: `{"metrics":["note_count"]}`}
	for _, name := range []string{
		"Authorization", "Accept", "Accept-Encoding", "Content-Type", "Content-Encoding", "Origin", "User-Agent", "Cookie", "X-Request-Id", "Traceparent", "Tracestate",
		"X-Forwarded-For", "X-HTTP-Method-Override", "Connection-Name", "Host",
	} {
		n.inputs++
		var all []sentRequest
		for j, x := range texts() {
			if x.json != "" || len(x.value) > 1000 || !httpguts(x.value) || !isLongForm() && j%4 != 0 {
				continue // no client can send it
			}
			r := sound.newRequest(t, x, h.connection)
			r.header = [][2]string{{name, x.value}}
			if name == "Authorization" {
				r.header[0][1] = "Bearer " + x.value
			}
			a := h.sendChecked(t, n, name+", "+x.name, r)
			if name == "Authorization" && a.code != "unauthorized" {
				t.Errorf("%s opens the door: %s", x.value, a.text)
			}
			all = append(all, a)
		}
		h.checkStatements(t, n, all)
	}
}

// httpguts reports whether a client may send a text as a header.
func httpguts(s string) bool {
	return strings.TrimFunc(s, func(r rune) bool { return r == '\t' || r >= ' ' && r != 0x7f }) == ""
}

// checkNoNewFiles checks that no file was written beside the canary.
func (h *testServer) checkNoNewFiles(t *testing.T) {
	t.Helper()
	entries, err := os.ReadDir(canary.folder)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 1 {
		t.Errorf("in the folder of the canary are %v", entries)
	}
}

// checkCanaryReadable reads the file directly that the injected texts try to read: if a function got through, the tests
// would see its content.
func (h *testServer) checkCanaryReadable(t *testing.T) {
	t.Helper()
	text, err := h.readCanary(t)
	if errors.Is(err, errUnreachable) && h.connection != "" && serverIsRemote() {
		t.Logf("files of this machine are not those of the engine: %v", err)
		return
	}
	if err != nil || !strings.Contains(text, canary.secret) {
		t.Errorf("the file of the canary says %q, %v", text, err)
	}
}

// serverIsRemote reports whether a server may have other files than this machine: one that is named by the
// environment, or one in a container.
func serverIsRemote() bool {
	sources := os.Getenv(localdb.ServerSourcesEnv)
	return sources == "" || strings.Contains(sources, localdb.SourceNameContainers) ||
		os.Getenv("SEMLAYER_POSTGRES_DSN")+os.Getenv("SEMLAYER_MARIADB_DSN")+os.Getenv("SEMLAYER_MYSQL_DSN") != ""
}

func openDuckDB(t *testing.T) executor.Executor {
	t.Helper()
	db, err := duckdb.Open(t.Context(), duckdb.Options{ExternalAccess: true, Connections: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}
