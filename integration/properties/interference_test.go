package properties_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/modeltest"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/restapi"
)

// shortPairs is the number of questions of a run of the default length, each of which is put to two databases with seven others.
const shortPairs = 150

// door is a server as one reader meets it, over one of two databases that differ in what the reader does not see.
type door struct {
	whole   *engine.Engine // which tests of the model ask as the reader
	claims  access.Claims
	engine  *engine.Engine // of the reader
	handler http.Handler
	port    *portDoor
	replica *replica // nil for DuckDB
}

// openDoor serves a model over its rows to a reader, on a server or, for nil, in DuckDB.
func openDoor(ctx context.Context, m *model, p *readerPolicy, on *servers.Server) (*door, error) {
	policies, claims := p.file()
	c := engine.Config{ModelText: []byte(m.yaml()), MaxExecutions: 4, Logger: slog.New(slog.DiscardHandler), PoliciesPath: "policies.json", PoliciesText: policies}
	d := &door{claims: claims}
	if on == nil {
		c.Drivers, c.Setup = []warehouse.Driver{duckdb.Driver()}, []string{m.sql("duckdb")}
	} else {
		s := &subject{}
		if err := s.replicate(ctx, m, on); err != nil {
			return nil, err
		}
		d.replica = s.replicas[0]
		c.Connections, c.DefaultConnection = []engine.ProgramConnection{{Name: "w", Executor: d.replica.db}}, "w"
	}
	var err error
	if d.whole, err = engine.Open(ctx, c); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, policies)
	}
	reader, err := d.whole.AsClaims(ctx, claims)
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, policies)
	}
	d.engine = reader.Engine
	server, err := restapi.New(d.engine, restapi.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return nil, err
	}
	d.handler = server.Handler("")
	d.port, err = openPort(ctx, d.engine)
	return d, err
}

func (d *door) close() {
	d.port.close(context.Background())
	_ = d.whole.Close()
	if d.replica != nil {
		d.replica.close()
	}
}

// surfaces are the places that a reader asks.
var surfaces = []string{"query/execute", "query/compile", "query/explain", "select/execute", "select/compile", "select/explain", "list", "values", "attribute", "compatible", "find", "sql/execute", "port", "catalogue", "explorer", "test"}

var (
	negativeZero = regexp.MustCompile(`:-0([,}])`)
	loadedAt     = regexp.MustCompile(`"loaded_at":"[^"]*"`) // of the model
)

// request is one request to a surface.
type request struct{ surface, method, path, body string }

// ask returns the response; the rows of a result, which nothing orders, in the order of their texts.
func (d *door) ask(ctx context.Context, q request) (status int, body string) {
	switch q.method {
	case "PORT":
		return d.port.ask(ctx, q.body)
	case "TEST":
		return d.runTest(ctx, q)
	}
	r := httptest.NewRequest(q.method, q.path, strings.NewReader(q.body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	d.handler.ServeHTTP(w, r)
	text := negativeZero.ReplaceAll(w.Body.Bytes(), []byte(":0$1")) // a group of zeros is shown by any of them
	text = loadedAt.ReplaceAll(text, []byte(`"loaded_at":""`))
	var answer map[string]json.RawMessage
	if json.Unmarshal(text, &answer) != nil {
		return w.Code, string(text)
	}
	for _, key := range []string{"rows", "values"} {
		var rows []json.RawMessage
		if json.Unmarshal(answer[key], &rows) == nil {
			slices.SortFunc(rows, func(a, b json.RawMessage) int { return bytes.Compare(a, b) })
			answer[key], _ = json.Marshal(rows)
		}
	}
	out, err := json.Marshal(answer)
	if err != nil {
		panic(err)
	}
	return w.Code, string(out)
}

// runTest runs a test of the model as the reader, and returns its report; the rows of a result, which nothing orders, in the order of their texts.
func (d *door) runTest(ctx context.Context, q request) (status int, body string) {
	t := modeltest.Test{Name: "as a reader", Kind: modeltest.RequestKind(q.path), Body: json.RawMessage(q.body), As: &d.claims}
	t.Expect.HasRows = true
	results := modeltest.RunTests(ctx, d.whole, []*modeltest.TestFile{{Path: "reader.test.yaml", Tests: []modeltest.Test{t}}}, modeltest.Options{})
	if slices.Sort(results[0].Rows); len(results[0].Rows) > 4 { // which of the rows a report shows is open
		results[0].Rows = slices.DeleteFunc(results[0].Rows, func(row string) bool { return !strings.Contains(row, canaryWord) })
	}
	text, err := json.Marshal(results[0])
	if err != nil {
		panic(err)
	}
	if status = http.StatusOK; results[0].Status == modeltest.StatusFailed && !strings.Contains(results[0].Message, "unexpected rows") {
		status = http.StatusBadRequest
	}
	return status, string(negativeZero.ReplaceAll(text, []byte(":0$1")))
}

// requestsOf asks one question at every place that takes its body.
func (r *maker) requestsOf(q planeQuery) []request {
	plane := "query"
	switch q := q.(type) {
	case *detail:
		plane = "select"
		q.Limit, q.Offset = 10000, 0 // which rows a limit keeps of equal ones is open
	case *question:
		q.Limit, q.Offset = nil, 0
	}
	body := q.json()
	out := []request{{plane + "/execute", "POST", "/v1/" + plane + "/execute", body}, {"test", "TEST", plane, body}}
	for _, verb := range []string{"compile", "explain"} {
		if r.chance(map[string]int{"query": 10, "select": 35}[plane]) {
			out = append(out, request{plane + "/" + verb, "POST", "/v1/" + plane + "/" + verb, body})
		}
	}
	return out
}

// otherRequests asks for lists, values, attributions and SQL.
func (r *maker) otherRequests() []request {
	lists := []string{"/v1/datasets", "/v1/metrics", "/v1/dimensions", "/v1/relationships", "/v1/saved", "/v1/findings", "/v1/lineage", "/v1/model", "/v1/identity", "/v1/connections", "/openapi.json"}
	d := pick(r, r.m.datasets)
	f := pick(r, d.fields)
	values := url.Values{"field": {d.name + "." + f.name}}
	if r.chance(60) {
		values.Set("where_sql", r.inputCondition(r.places([]*dataset{d})))
	}
	if f.kind == text && r.chance(50) {
		values.Set("like", pick(r, []string{"%", "c%", "a%", "_"}))
	}
	metric := pick(r, r.m.metrics)
	windows := func(start, end string) map[string]string { return map[string]string{"start": start, "end": end} }
	attribution := map[string]any{
		"metric": metric.name, "dimensions": []string{d.name + "." + f.name},
		"baseline": windows("2023-12-01", "2024-02-01"), "current": windows("2024-02-01", "2024-04-01"),
	}
	if r.chance(40) {
		attribution["where_sql"] = r.inputCondition(r.places([]*dataset{d}))
	}
	g := pick(r, d.fields)
	var joins []request
	if len(r.m.relations) > 0 && r.chance(60) { // on columns that a relationship seldom has, so that the error suggests those that it has
		rel := pick(r, r.m.relations)
		joins = append(joins, request{"undeclared join", "POST", "/v1/sql/execute", jsonOf(map[string]any{
			"sql": fmt.Sprintf("SELECT COUNT(*) AS n FROM %s AS a JOIN %s AS b ON a.%s = b.%s", rel.from.name, rel.to.name, pick(r, rel.from.fields).name, pick(r, rel.to.fields).name),
		})})
	}
	return append(joins, []request{
		{"list", "GET", pick(r, lists), ""},
		{"values", "GET", "/v1/values?" + values.Encode(), ""},
		{"attribute", "POST", "/v1/query/attribute", jsonOf(attribution)},
		{"compatible", "POST", "/v1/query/compatible", jsonOf(map[string]any{"metrics": []string{metric.name}})},
		{"find", "GET", "/v1/find?q=" + url.QueryEscape(f.name+" "+metric.name), ""},
		{"sql/execute", "POST", "/v1/sql/execute", jsonOf(map[string]any{"sql": r.statementOver(d, f, g)})},
		{"port", "PORT", "", r.statementOver(d, f, g)},
		{"catalogue", "PORT", "", pick(r, catalogueStatements)},
		pick(r, []request{
			{"explorer", "GET", "/v1/catalog", ""}, {"explorer", "GET", "/v1/models", ""}, {"explorer", "GET", "/v1/views", ""},
			{"explorer", "GET", "/v1/lineage?metric=" + metric.name, ""}, {"explorer", "GET", "/v1/dimensions?metric=" + metric.name, ""},
			{"explorer", "POST", "/v1/sql/compile", jsonOf(map[string]any{"sql": r.statementOver(d, f, g)})},
			{"explorer", "POST", "/v1/query/compatible", jsonOf(map[string]any{"metrics": []string{metric.name}, "group_by": []any{map[string]any{"field": d.name + "." + f.name}}})},
		}),
	}...)
}

// catalogueStatements are those by which clients list what they may read.
var catalogueStatements = []string{
	"SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema NOT IN ('pg_catalog', 'information_schema')",
	"SELECT relname, relkind, obj_description(oid) FROM pg_class WHERE relnamespace = 'public'::regnamespace",
	"SELECT a.attname, format_type(a.atttypid, a.atttypmod), col_description(a.attrelid, a.attnum) FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid WHERE c.relnamespace = 'public'::regnamespace AND a.attnum > 0",
	"SELECT conname, contype, pg_get_constraintdef(oid) FROM pg_constraint",
}

// statementOver makes a statement whose conditions an engine can move below the rule.
func (r *maker) statementOver(d *dataset, f, g *field) string {
	x := f.name
	if f.kind == whole && r.chance(60) {
		x += pick(r, []string{" * 3", " + " + f.name, " - 7"})
	}
	condition := r.test(&field{name: "n", kind: f.kind}, "n")
	return fmt.Sprintf(pick(r, []string{
		"SELECT n FROM (SELECT %[1]s AS n FROM %[2]s OFFSET 0) AS q WHERE %[3]s",
		"SELECT n, c FROM (SELECT %[1]s AS n, COUNT(*) AS c FROM %[2]s GROUP BY 1) AS q WHERE %[3]s",
		"WITH q AS (SELECT DISTINCT %[1]s AS n FROM %[2]s) SELECT COUNT(*) AS c, MIN(n) AS m FROM q WHERE %[3]s",
		"SELECT n, m FROM (SELECT %[1]s AS n, %[4]s AS m FROM %[2]s) AS q WHERE %[3]s",
		"SELECT n FROM (SELECT %[1]s AS n FROM %[2]s UNION ALL SELECT %[1]s FROM %[2]s) AS q WHERE %[3]s",
	}), x, d.name, condition, g.name)
}

var numberInText = regexp.MustCompile(`-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?`)

// differInLastDigits reports whether two texts are equal up to the last digits of fractions. DuckDB chooses an order of joins by the sizes
// of tables, and a variance is added up in the order of its rows.
func differInLastDigits(a, b string) bool {
	if numberInText.ReplaceAllString(a, "#") != numberInText.ReplaceAllString(b, "#") {
		return false
	}
	inA, inB := numberInText.FindAllString(a, -1), numberInText.FindAllString(b, -1)
	for i := range inA {
		if inA[i] == inB[i] {
			continue
		}
		x, errX := strconv.ParseFloat(inA[i], 64)
		y, errY := strconv.ParseFloat(inB[i], 64)
		if errX != nil || errY != nil || !strings.ContainsAny(inA[i]+inB[i], ".e") || !nearlyEqual(x, y) {
			return false
		}
	}
	return true
}

// Two databases that differ in what a reader does not see give the reader the same bytes, and no byte of what it does not see.
func TestReaders_LearnNothingOfWhatTheyDoNotSee(t *testing.T) {
	t.Parallel()
	seed, queries := settings(t)
	if queries == defaultQueries {
		queries = shortPairs
	}
	engines, names := []*servers.Server{nil}, []string{"duckdb"}
	for _, s := range availableServers(t) {
		if s.Dialect != "clickhouse" {
			engines, names = append(engines, s), append(names, s.Dialect)
		}
	}
	failures, counts := 0, map[string]int{}
	for asked := 0; asked < queries; seed++ {
		on := engines[seed%uint64(len(engines))]
		if queries <= defaultQueries && seed%modelsPerReplica != 0 {
			on = nil
		}
		r, other := newHostileMaker(seed), newHostileMaker(seed)
		m, changed := r.model(), other.model()
		p, same := r.policy(), other.policy()
		r.restrict(p)
		other.restrict(same)
		poisoned := other.poison(changed, same)
		a, err := openDoor(t.Context(), m, p, on)
		if err != nil {
			t.Fatalf("SEMLAYER_PROPERTY_SEED=%d: %v", seed, err)
		}
		b, err := openDoor(t.Context(), changed, p, on)
		if err != nil {
			t.Fatalf("SEMLAYER_PROPERTY_SEED=%d: %v", seed, err)
		}
		dialect := "duckdb"
		if on != nil {
			dialect = on.Dialect
		}
		counts["values changed"] += poisoned
		var hidden *regexp.Regexp
		if !p.seesSQL() {
			if hidden, err = b.hiddenNames(t.Context(), changed); err != nil {
				t.Fatalf("SEMLAYER_PROPERTY_SEED=%d: %v", seed, err)
			}
		}
		for range min(queriesPerModel, queries-asked) {
			asked++
			requests := r.requestsOf(r.asked())
			for _, q := range append(requests, r.otherRequests()...) {
				wasCode, was := a.ask(t.Context(), q)
				isCode, is := b.ask(t.Context(), q)
				counts[q.surface]++
				counts["on "+dialect]++
				switch {
				case wasCode == http.StatusOK:
					counts["answered"]++
				case q.surface != "undeclared join":
					counts["refused"]++
				}
				if on == nil && strings.Contains(was+is, `"code":"driver"`) {
					counts["defects of DuckDB"]++ // which fails at its own assertion
					continue
				}
				if was != is && on == nil && differInLastDigits(was, is) {
					counts["last digits differ"]++
					was = is
				}
				if hidden != nil {
					counts["searched for hidden names"]++
				}
				if name := q.shows(hidden, is); name != "" || wasCode != isCode || was != is || strings.Contains(is, canaryWord) {
					failures++
					policies, identity := p.file()
					t.Errorf("SEMLAYER_PROPERTY_SEED=%d on %s, hidden name %q: %s %s %s\n%d %.1500s\n%d %.1500s\n%s %v", seed, dialect, name, q.method, q.path, q.body, wasCode, was, isCode, is, policies, identity.Attributes)
				}
			}
			if failures >= reportedFailures {
				t.Fatal("there may be more")
			}
		}
		a.close()
		b.close()
	}
	t.Logf("%s", summary(counts))
	if n := counts["last digits differ"]; n*1000 > counts["answered"] {
		t.Errorf("the last digits of %d of %d answers differ", n, counts["answered"])
	}
	fewest := queries * len(surfaces)
	for _, surface := range surfaces {
		fewest = min(fewest, counts[surface])
	}
	t.Attr("of-a-surface", strconv.Itoa(fewest))
	t.Attr("requests", strconv.Itoa(counts["answered"]+counts["refused"]))
	t.Attr("changed-rows", strconv.Itoa(counts["values changed"]))
	t.Attr("engines", strings.Join(names, ", "))
	t.Attr("pairs", strconv.Itoa(queries))
	t.Attr("leaks", strconv.Itoa(failures))
	if counts["defects of DuckDB"] > 1+queries/1000 {
		t.Errorf("DuckDB failed at its own assertions %d times", counts["defects of DuckDB"])
	}
	if all := counts["answered"] + counts["refused"]; queries >= shortPairs && counts["searched for hidden names"] < all/20 {
		t.Errorf("hidden names were searched for in %d of %d responses", counts["searched for hidden names"], all)
	}
	if counts["values changed"] == 0 || counts["answered"] < counts["refused"] {
		t.Errorf("of the requests %d were answered and %d refused, over %d changes", counts["answered"], counts["refused"], counts["values changed"])
	}
}
