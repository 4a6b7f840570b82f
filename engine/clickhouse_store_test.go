package engine_test

import (
	"fmt"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor/profile"
	"github.com/semlayer/semlayer/executor/warehouse"
)

// storesThatSwap are the stores, and the ClickHouse that SEMLAYER_CLICKHOUSE_URL names, if any. Each refresh of a table of ClickHouse builds it whole.
func storesThatSwap(t *testing.T) []store {
	t.Helper()
	out := stores(t)
	text := os.Getenv("SEMLAYER_CLICKHOUSE_URL")
	if text == "" {
		return out
	}
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	password, _ := u.User.Password()
	open := func(database string) store {
		text := fmt.Sprintf("datasources: {w: {type: clickhouse, host: '%s', port: %s, username: '%s', password: '%s', database: '%s', rollups: {writable: true}}}",
			u.Hostname(), u.Port(), u.User.Username(), password, database)
		file, err := profile.Parse([]byte(text), func(string) (string, bool) { return "", false })
		if err != nil {
			t.Fatal(err)
		}
		return store{"clickhouse", file.Profiles[0], text}
	}
	w, err := warehouse.OpenWriter(t.Context(), open("default").profile, warehouse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, sql := range []string{"DROP DATABASE IF EXISTS refreshed", "CREATE DATABASE refreshed ENGINE = Atomic"} {
		if err := w.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	return append(out, open("refreshed"))
}

// buildsWhole reports whether each refresh of a table builds it whole.
func (s store) buildsWhole() bool { return s.kind == "clickhouse" }

var clickhouseTypes = regexp.MustCompile(`\b(INTEGER|DATE|VARCHAR\(20\))`)

// sqlOf returns a statement as the store runs it.
func (s store) sqlOf(sql string) string {
	if s.kind != "clickhouse" {
		return sql
	}
	sql = strings.TrimSpace(sql)
	if rest, ok := strings.CutPrefix(sql, "CREATE TABLE "); ok && !strings.Contains(sql, " AS SELECT ") {
		rest = clickhouseTypes.ReplaceAllStringFunc(rest, func(name string) string {
			return map[string]string{"INTEGER": "Nullable(Int64)", "DATE": "Nullable(Date32)"}[name] + map[bool]string{true: "Nullable(String)"}[strings.HasPrefix(name, "VARCHAR")]
		})
		return "CREATE TABLE " + rest + " ENGINE = MergeTree ORDER BY tuple()"
	}
	if rest, ok := strings.CutPrefix(sql, "UPDATE "); ok {
		return "ALTER TABLE " + strings.Replace(rest, " SET ", " UPDATE ", 1) + " SETTINGS mutations_sync = 1"
	}
	return sql
}
