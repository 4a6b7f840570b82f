package source_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/generate"
	"github.com/semlayer/semlayer/engine/source"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/profile"
	"github.com/semlayer/semlayer/executor/warehouse"
)

func config() engine.Config {
	return engine.Config{Drivers: []warehouse.Driver{duckdb.Driver()}}
}

// databaseFile makes a database with one table.
func databaseFile(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := duckdb.CreateDatabase(t.Context(), path, "CREATE TABLE a (id INTEGER PRIMARY KEY)"); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestOpen_DatabaseGetsAProfilesFile(t *testing.T) {
	path := databaseFile(t, "my shop: 1.duckdb")
	t.Chdir(filepath.Dir(path))
	for _, text := range []string{path, "my shop: 1.duckdb", "duckdb:my shop: 1.duckdb", "duckdb:///" + path} {
		s, err := source.OpenSource(t.Context(), text, config())
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		_ = s.DB.Close()
		file, err := profile.Parse(s.Profiles, os.LookupEnv)
		if err != nil {
			t.Fatal(err)
		}
		p, ok := file.Lookup("main")
		settings, isDuckDB := p.Settings.(*profile.DuckDB)
		if !ok || !p.Default || !isDuckDB || settings.Path != path || len(file.Warnings) > 0 || s.Name != "my_shop_1" {
			t.Errorf("%s: %+v %+v %v", text, s, p, file.Warnings)
		}
	}
}

func TestOpen_PasswordOfDSNBecomesAVariable(t *testing.T) {
	s, err := source.OpenSource(t.Context(), "postgres://reader:c4n4ry%7Bx@db.example.com:5433/sales?sslmode=require&schema=marts,raw", config())
	if err != nil {
		t.Fatal(err)
	}
	defer s.DB.Close()
	if text := string(s.Profiles); strings.Contains(text, "c4n4ry") || !strings.Contains(text, "password: ${SOURCE_PASSWORD}") {
		t.Errorf("the file is\n%s", text)
	}
	if s.Origin != "the postgres database sales" || s.Name != "sales" || strings.Join(s.Schemas, ",") != "marts,raw" || !s.HasPassword {
		t.Errorf("%+v", s)
	}
	file, err := profile.Parse(s.Profiles, func(name string) (string, bool) { return "c4n4ry{x", name == source.PasswordEnvVariable })
	if err != nil || file.Profiles[0].Err != nil {
		t.Fatal(err, file.Profiles[0].Err)
	}
	got := file.Profiles[0].Settings.(*profile.Postgres)
	if got.Host != "db.example.com" || got.Port != 5433 || got.Password.Reveal() != "c4n4ry{x" || got.Schema != "marts" || got.SSLMode != "require" {
		t.Errorf("%+v", got)
	}
}

func TestOpen_ProfileOfTheConnectionsFile(t *testing.T) {
	path := databaseFile(t, "shop.duckdb")
	c := config()
	c.ConnectionsPath = filepath.Join(t.TempDir(), "connections.yaml")
	text := "datasources:\n  shop: {type: duckdb, uri: " + path + "}\n  broken: {type: postgres}\n  files: {type: duckdb, data: bikes.csv}\n"
	if err := os.WriteFile(c.ConnectionsPath, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := source.OpenSource(t.Context(), "shop", c)
	if err != nil {
		t.Fatal(err)
	}
	_ = s.DB.Close()
	if s.Connection != "shop" || s.Profiles != nil || s.Name != "shop" {
		t.Errorf("%+v", s)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("bikes.csv", []byte("bike_id\n1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	files, err := source.OpenSource(t.Context(), "files", c)
	if err != nil {
		t.Fatal(err)
	}
	defer files.DB.Close()
	if files.Name != "files" {
		t.Errorf("the model of a profile of data files is named %s", files.Name)
	}
	if out, err := generate.GenerateFromWarehouse(t.Context(), files.DB, generate.Options{Views: files.DataFiles}); err != nil || out.Report.Datasets != 1 {
		t.Errorf("a profile of data files: %v", err)
	}
	var unknown *source.Error
	if _, err := source.OpenSource(t.Context(), "shops", c); !errors.As(err, &unknown) || !strings.Contains(err.Error(), "the known profiles are shop, broken, files") {
		t.Error(err)
	}
	var failure *executor.Error
	if _, err := source.OpenSource(t.Context(), "broken", c); !errors.As(err, &failure) || failure.Code != executor.CodeConfig {
		t.Error(err)
	}
}

func TestOpen_RefusesWithoutRepeatingSecrets(t *testing.T) {
	for _, text := range []string{"postgres://u:c4n4ry@h:port/d", "c4n4ry://h", "mysql://u:c4n4ry@/d", "postgres://u:c4n4ry@h/d?c4n4ry=1"} {
		_, err := source.OpenSource(t.Context(), text, config())
		var wrong *source.Error
		if !errors.As(err, &wrong) || strings.Contains(err.Error(), "c4n4ry=") || strings.Contains(err.Error(), "u:c4n4ry") {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := source.OpenSource(t.Context(), "clickhouse://h/${x}", config()); err == nil || !strings.Contains(err.Error(), "${") {
		t.Error(err)
	}
}
