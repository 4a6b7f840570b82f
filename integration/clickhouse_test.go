package integration_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/clickhouse"
)

const clickhouseURL = "SEMLAYER_CLICKHOUSE_URL"

// The server is http://user:password@host:port of the environment. The engine as a
// library, behind tools/scripts/clickhouse-shim.mjs, will do.
func TestEveryCaseGivesItsAnswerOnClickHouse(t *testing.T) {
	if os.Getenv(clickhouseURL) == "" {
		t.Skip(clickhouseURL + " names no server")
	}
	g := &guest{clickHouse(), map[string]inability{
		"basics/integers_beyond_what_a_double_holds": {"sql_rejected", "a SUM beyond 64 bits would wrap; its guard makes an error of it"},
	}}
	g.test(t)
}

// clickHouse keeps a database for each data key.
func clickHouse() *backend {
	b := &backend{name: "clickhouse", family: "mysql", dialect: "clickhouse"}
	var server *url.URL
	b.start = func(tb testing.TB) {
		var err error
		if server, err = url.Parse(os.Getenv(clickhouseURL)); err != nil {
			tb.Fatal(err)
		}
	}
	b.load = func(ctx context.Context, key, script string) (executor.Executor, error) {
		name := databaseName(key)
		for _, sql := range []string{"DROP DATABASE IF EXISTS " + name, "CREATE DATABASE " + name} {
			if err := clickhouseExec(ctx, server, "", sql); err != nil {
				return nil, err
			}
		}
		if err := execAll(ctx, script, func(ctx context.Context, sql string) error {
			return clickhouseExec(ctx, server, name, clickhouseTypes(sql))
		}); err != nil {
			return nil, err
		}
		port, err := strconv.Atoi(server.Port())
		if err != nil {
			return nil, err
		}
		password, _ := server.User.Password()
		return clickhouse.Open(clickhouse.Options{
			Host: server.Hostname(), Port: port, User: server.User.Username(), Password: executor.NewSecret(password),
			Database: name, Secure: server.Scheme == "https", PoolSize: 1,
		})
	}
	b.drop = func(ctx context.Context, key string) error {
		return clickhouseExec(ctx, server, "", "DROP DATABASE "+databaseName(key))
	}
	return b
}

var notName = regexp.MustCompile(`\W`)

func databaseName(key string) string { return "semlayer_" + notName.ReplaceAllString(key, "_") }

// clickhouseTypes makes the types of a table those that hold what the script puts
// there, NULLs above all.
func clickhouseTypes(sql string) string {
	if !strings.HasPrefix(sql, "CREATE TABLE") {
		return sql
	}
	for _, t := range []struct{ from, to string }{
		{`\bVARCHAR\(\d+\)`, "Nullable(String)"},
		{`\b(INTEGER|INT)\b`, "Nullable(Int64)"},
		{`\bBIGINT\b`, "Nullable(Int64)"},
		{`\b(DOUBLE PRECISION|DOUBLE)\b`, "Nullable(Float64)"},
		{`\bDECIMAL(\(\d+, ?\d+\))`, "Nullable(Decimal$1)"},
		{`\bBOOLEAN\b`, "Nullable(Bool)"},
		{`\b(DATETIME\(6\)|TIMESTAMP( NULL)?)`, "Nullable(DateTime64(6, 'UTC'))"},
		{`\bDATE\b`, "Nullable(Date32)"},
	} {
		sql = regexp.MustCompile(t.from).ReplaceAllString(sql, t.to)
	}
	return sql + " ENGINE = Memory"
}

func clickhouseExec(ctx context.Context, server *url.URL, database, sql string) error {
	target := url.URL{Scheme: server.Scheme, Host: server.Host, Path: "/", RawQuery: url.Values{"database": {database}}.Encode()}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, target.String(), strings.NewReader(sql))
	if err != nil {
		return err
	}
	password, _ := server.User.Password()
	r.Header.Set("X-ClickHouse-User", server.User.Username())
	r.Header.Set("X-ClickHouse-Key", password)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", response.Status, text)
	}
	return errors.Join(err, nil)
}
