package servers

import (
	"context"
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

const clickhouseURLEnv = "SEMLAYER_CLICKHOUSE_URL"

// ClickHouse returns the server that SEMLAYER_CLICKHOUSE_URL names,
// http://user:password@host:port; without it the test is skipped. The engine as a
// library, behind tools/scripts/clickhouse-shim.mjs, will do. It takes the scripts
// of the MySQL family, with types that hold NULLs.
func ClickHouse(tb testing.TB) *Server {
	tb.Helper()
	u := ClickHouseURL(tb)
	port, err := strconv.Atoi(u.Port())
	if err != nil {
		tb.Fatal(err)
	}
	password, _ := u.User.Password()
	o := clickhouse.Options{
		Host: u.Hostname(), Port: port, User: u.User.Username(), Password: executor.NewSecret(password),
		Secure: u.Scheme == "https", PoolSize: 1,
	}
	return &Server{
		Dialect: "clickhouse",
		load: func(ctx context.Context, name, script string) (executor.Executor, error) {
			if err := loadClickHouse(ctx, o, name, script); err != nil {
				return nil, err
			}
			of := o
			of.Database = name
			return clickhouse.Open(of)
		},
		drop: func(ctx context.Context, name string) error {
			return clickhouseExec(ctx, o, "", "DROP DATABASE "+name)
		},
	}
}

// ClickHouseURL returns the address of a ClickHouse, with user and password, from the environment
// variable; without one the test is skipped.
func ClickHouseURL(tb testing.TB) *url.URL {
	tb.Helper()
	text := os.Getenv(clickhouseURLEnv)
	if text == "" {
		tb.Skip(clickhouseURLEnv + " names no server")
	}
	u, err := url.Parse(text)
	if err != nil {
		tb.Fatal(err)
	}
	return u
}

func loadClickHouse(ctx context.Context, o clickhouse.Options, name, script string) error {
	for _, text := range []string{"DROP DATABASE IF EXISTS " + name, "CREATE DATABASE " + name} {
		if err := clickhouseExec(ctx, o, "", text); err != nil {
			return err
		}
	}
	return execScript(ctx, script, func(ctx context.Context, text string) error {
		return clickhouseExec(ctx, o, name, toClickHouseCreateTable(text))
	})
}

// clickhouseExec runs what the executor rejects to: statements that write.
func clickhouseExec(ctx context.Context, o clickhouse.Options, database, text string) error {
	target := url.URL{Scheme: "http", Host: o.Host + ":" + strconv.Itoa(o.Port), Path: "/", RawQuery: url.Values{"database": {database}}.Encode()}
	if o.Secure {
		target.Scheme = "https"
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, target.String(), strings.NewReader(text))
	if err != nil {
		return err
	}
	r.Header.Set("X-ClickHouse-User", o.User)
	r.Header.Set("X-ClickHouse-Key", o.Password.Reveal())
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", response.Status, answer)
	}
	return err
}

// Integers are the widest: what holds for them holds for narrower ones.
var clickhouseTypeReplacements = []struct {
	from *regexp.Regexp
	to   string
}{
	{regexp.MustCompile(`\bVARCHAR(\(\d+\))?`), "Nullable(String)"},
	{regexp.MustCompile(`\b(INTEGER|BIGINT|INT)\b`), "Nullable(Int64)"},
	{regexp.MustCompile(`\bDOUBLE( PRECISION)?\b`), "Nullable(Float64)"},
	{regexp.MustCompile(`\bDECIMAL(\(\d+, ?\d+\))`), "Nullable(Decimal$1)"},
	{regexp.MustCompile(`\bBOOLEAN\b`), "Nullable(Bool)"},
	{regexp.MustCompile(`\b(DATETIME(\(6\))?|TIMESTAMP(TZ)?\b(\(6\))?( NULL)?)`), "Nullable(DateTime64(6, 'UTC'))"},
	{regexp.MustCompile(`\bDATE\b`), "Nullable(Date32)"},
}

func toClickHouseCreateTable(text string) string {
	if !strings.HasPrefix(text, "CREATE TABLE") {
		return text
	}
	for _, t := range clickhouseTypeReplacements {
		text = t.from.ReplaceAllString(text, t.to)
	}
	return text + " ENGINE = Memory"
}
