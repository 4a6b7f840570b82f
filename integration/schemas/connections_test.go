package schemas_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/semlayer/semlayer/engine/fileschema"
	"github.com/semlayer/semlayer/executor/profile"
)

// profiles has a profile of each type with as few keys as it takes.
var profiles = map[string]map[string]any{
	"duckdb": {"uri": "a.duckdb"}, "sqlite": {"path": "a.db"},
	"postgres": {"host": "h"}, "greenplum": {"host": "h"}, "hologres": {"host": "h"}, "gaussdb": {"host": "h"}, "dws": {"host": "h"},
	"redshift": {"host": "h"}, "cockroachdb": {"host": "h"},
	"mysql": {"host": "h"}, "mariadb": {"host": "h"}, "tidb": {"host": "h"}, "starrocks": {"host": "h"}, "doris": {"host": "h"},
	"clickhouse": {"host": "h"}, "trino": {"host": "h", "username": "u"}, "snowflake": {"account": "a", "username": "u", "password": "p"},
	"bigquery": {"catalog": "p"}, "databricks": {"host": "h", "http_path": "/sql/1", "token": "t"},
}

func TestConnectionsSchema_RejectsOnlyWhatProfilesReject(t *testing.T) {
	s := compiled(t, fileschema.ConnectionsSchema())
	// judge returns whether the schema and the reader accept a profile.
	judge := func(entry map[string]any) (schema, reader bool, text string) {
		asJSON, err := json.Marshal(map[string]any{"datasources": map[string]any{"w": entry}})
		if err != nil {
			t.Fatal(err)
		}
		f, err := profile.Parse(asJSON, func(string) (string, bool) { return "", false })
		if err != nil {
			t.Fatal(err)
		}
		return s.Validate(jsonValue(t, string(asJSON))) == nil, f.Profiles[0].Err == nil, string(asJSON)
	}
	planted := 0
	for _, typ := range profile.DescribeWarehouseTypes() {
		base := maps.Clone(profiles[typ.Name])
		if base == nil {
			t.Fatalf("the test has no profile of type %s", typ.Name)
		}
		base["type"] = typ.Name
		if schema, reader, text := judge(base); !schema || !reader {
			t.Errorf("schema %v, reader %v: %s", schema, reader, text)
		}
		for _, k := range slices.Concat(profile.CommonKeys(), typ.KeyTypes) {
			for _, value := range []any{true, 1, 70000, 1 << 40, -1, "1", "text", "Yes", "", []any{}, map[string]any{}, []any{"x"}} {
				entry := maps.Clone(base)
				if k.Name == "data" {
					delete(entry, "uri") // in place of which data is
				}
				entry[k.Name] = value
				schema, reader, text := judge(entry)
				_, isText := value.(string)
				switch {
				case !schema && reader:
					t.Errorf("the schema rejects what the reader takes: %s", text)
				case schema && !reader && !isText && k.Type != profile.KeyTypeText:
					t.Errorf("the schema accepts a value of a wrong type: %s", text)
				case !schema && !reader:
					planted++
				}
			}
			if entry := maps.Clone(base); k.Required {
				delete(entry, k.Name)
				if schema, reader, text := judge(entry); schema || reader {
					t.Errorf("without a key that is required: schema %v, reader %v: %s", schema, reader, text)
				}
			}
		}
	}
	if planted < 40 {
		t.Errorf("only %d mistakes that both find", planted)
	}
}
