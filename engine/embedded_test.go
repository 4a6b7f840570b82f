package engine_test

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
)

func TestEmbedded_AfterCloseTheDatabaseIsNotOpenedAgain(t *testing.T) {
	e := shop(t)
	q := metricQuery(t, `{"metrics":["revenue"]}`)
	if _, err := askRows(t.Context(), e, q); err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	_, err := askRows(t.Context(), e, q)
	var closed *engine.ExecuteError
	if !errors.As(err, &closed) || closed.Code != "driver" || !strings.Contains(closed.Message, "closed") {
		t.Errorf("an execution after Close: %v", err)
	}
	if err := e.OpenEmbedded(t.Context()); !errors.As(err, &closed) || !strings.Contains(closed.Message, "closed") {
		t.Errorf("OpenEmbedded after Close: %v", err)
	}
	if pools := e.Pools(); len(pools) != 0 {
		t.Errorf("open after Close: %+v", pools)
	}
}

func TestEmbedded_WithoutItsDriverOnlyExecutionsFail(t *testing.T) {
	e, err := engine.Open(t.Context(), engine.Config{ModelPath: "testdata/orders.yaml"})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	q := metricQuery(t, `{"metrics":["revenue"]}`)
	compiled, err := askSQL(t.Context(), e, q)
	if err != nil || compiled.Dialect != "duckdb" || compiled.SQL == "" {
		t.Errorf("compile: %+v, %v", compiled, err)
	}
	_, err = askRows(t.Context(), e, q)
	namesTheDriver(t, "an execution", err)
	namesTheDriver(t, "OpenEmbedded", e.OpenEmbedded(t.Context()))
	check, err := e.CheckConnection(t.Context(), "")
	if err != nil {
		t.Error(err)
	}
	namesTheDriver(t, "a check of the connection", check.Err)
	for _, f := range e.Capabilities().Features {
		if f == "embedded_duckdb" {
			t.Error("capabilities list the embedded database")
		}
	}
	for _, d := range e.Capabilities().Dialects {
		if d.Name == "duckdb" && d.Executes {
			t.Error("capabilities list duckdb as a dialect that executes")
		}
	}
}

func TestEmbedded_OpenFailsOnSettingsThatNeedTheDriver(t *testing.T) {
	for name, c := range map[string]engine.Config{
		"a file":   {DBPath: "shop.duckdb"},
		"a script": {Setup: []string{"CREATE TABLE t(n INTEGER)"}},
	} {
		t.Run(name, func(t *testing.T) {
			c.ModelPath = "testdata/orders.yaml"
			_, err := engine.Open(t.Context(), c)
			namesTheDriver(t, "Open", err)
		})
	}
}

func namesTheDriver(t *testing.T, what string, err error) {
	t.Helper()
	var missing *engine.ExecuteError
	if !errors.As(err, &missing) || missing.Code != "config" || !strings.Contains(missing.Hint, "duckdb.Driver() of github.com/semlayer/semlayer/executor/duckdb") {
		t.Errorf("%s without the driver: %v", what, err)
	}
}

// A program without the embedded database needs no C compiler.
func TestEmbedded_EngineBuildsWithoutCgoAndWithoutDuckDB(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", ".")
	cmd.Env = append(cmd.Environ(), "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := strings.Fields(string(out))
	for _, p := range packages {
		if strings.Contains(p, "duckdb") {
			t.Errorf("the engine depends on %s", p)
		}
	}
	if last := packages[len(packages)-1]; last != "github.com/semlayer/semlayer/engine" {
		t.Errorf("the last of %d packages is %s", len(packages), last)
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(t.TempDir(), "engine.a"), ".")
	build.Env = cmd.Env
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
