package properties_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/planner/planerr"
)

// inFile declares rollups in the local file of their connection.
func inFile(t *testing.T, rollups any) (local []map[string]any) {
	t.Helper()
	text, err := json.Marshal(rollups)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &local); err != nil {
		t.Fatal(err)
	}
	for _, r := range local {
		r["store"] = "local"
	}
	return local
}

// openLocallyRolled serves a random model on a server, or in DuckDB for nil, with the tables of its rollups in a local file.
func openLocallyRolled(t *testing.T, m *model, local []map[string]any, on *servers.Server) *engine.Engine {
	t.Helper()
	c := engine.Config{
		Drivers: []warehouse.Driver{duckdb.Driver()}, ModelText: m.rolledYAML(local), MaxExecutions: 4, Logger: slog.New(slog.DiscardHandler), RollupDir: t.TempDir(),
	}
	if on == nil {
		c.Setup = []string{m.sql("duckdb")}
	} else {
		key := fmt.Sprintf("properties/local/%d/%d", os.Getpid(), replicas.Add(1))
		script := m.sql(on.Dialect)
		if on.Dialect == "mariadb" { // whose other collations take spaces at the end of a text for nothing
			script = "ALTER DATABASE COLLATE utf8mb4_nopad_bin;\n" + script
		}
		db, err := on.Load(t.Context(), key, script)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { (&replica{on, key, db}).close() })
		c.Connections, c.DefaultConnection = []engine.ProgramConnection{{Name: "w", Executor: db}}, "w"
	}
	e, err := engine.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	names := make([]string, 0, len(local))
	for _, r := range e.Rollups(t.Context()) {
		names = append(names, r.Name)
	}
	for len(names) > 0 { // all at one time, so that a query can read several, but for those that are refused
		done, err := e.RefreshRollups(t.Context(), engine.RollupRefresh{Connection: c.DefaultConnection, Names: names, Full: true})
		if err == nil {
			break
		}
		var refused *planerr.Error
		isRefused := errors.As(err, &refused) && (refused.Code == planerr.CodeRollupWriteUnsupported || refused.Code == planerr.CodeDialectUnsupportedAggregate)
		if !isRefused {
			t.Fatalf("the rollup %s: %v\n%s", names[len(done)], err, c.ModelText)
		}
		names = slices.Delete(names, len(done), len(done)+1)
	}
	return e
}

// A query has the same rows from local files and without rollups. A model has random rollups, and those that are suggested for the questions.
func TestLocalRollups_HaveTheRowsOfTheBaseTables(t *testing.T) {
	t.Parallel()
	seed, queries := settings(t)
	engines := []*servers.Server{nil}
	for _, s := range availableServers(t) {
		switch s.Dialect {
		case "postgres", "mariadb", "sqlite":
			engines = append(engines, s)
		}
	}
	allRouted, allBase := 0, 0
	for i, server := range engines {
		name, routed, base := "duckdb", 0, 0
		rules := map[string]int{}
		if server != nil {
			name = server.Dialect
		}
		for n := i; n < rolledModels(queries); n += len(engines) {
			r := newMaker(seed + uint64(n))
			m := r.model()
			var questions []*question
			var requests []engine.RequestLogEntry
			for line := range questionsPerModel {
				q := r.questionForRollups()
				questions = append(questions, q)
				requests = append(requests, engine.RequestLogEntry{Line: line, Path: "/v1/query/execute", Body: []byte(q.json())})
			}
			random := r.rollups(questions)
			var on []*servers.Server
			if server != nil {
				on = append(on, server)
			}
			suggested, _ := suggest(t, m, requests, on)
			rollups := slices.Concat(inFile(t, suggested.Rollups), inFile(t, random))
			e := openLocallyRolled(t, m, rollups, server)
			for _, q := range questions {
				local, other := compareRolled(t, e, r.withConditionOf(q, random).json(), rules)
				routed, base = routed+local, base+other
				if t.Failed() {
					text, _ := json.Marshal(rollups)
					t.Fatalf("%s, SEMLAYER_PROPERTY_SEED=%d\n%s", name, seed+uint64(n), text)
				}
			}
			_ = e.Close()
		}
		t.Attr("local_"+name, strconv.Itoa(routed))
		t.Attr("base_"+name, strconv.Itoa(base))
		for _, rule := range slices.Sorted(maps.Keys(rules)) {
			t.Attr("rule_"+rule+"_"+name, strconv.Itoa(rules[rule]))
		}
		allRouted, allBase = allRouted+routed, allBase+base
	}
	if allRouted*4 < allBase {
		t.Errorf("%d branches read local files, and %d other tables: the rollups are not made for the questions", allRouted, allBase)
	}
}
