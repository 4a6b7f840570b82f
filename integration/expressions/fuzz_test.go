package expressions

import (
	"encoding/json"
	"math"
	"math/big"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/jsonrows"
	"github.com/semlayer/semlayer/executor/localdb"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/sqlemit"
)

// live is an engine with its dialect.
type live struct {
	db      executor.Executor
	dialect *sqlemit.Dialect
}

// liveEngines returns the engines that are available. The processes that fuzz share the servers of
// the one that starts them.
func liveEngines(f *testing.F) []live {
	f.Helper()
	share := func(tb testing.TB, s *localdb.Server) { tb.Setenv(localdb.DSNVariableName(s.Engine), s.URI()) }
	var out []live
	for name, open := range map[string]func(testing.TB) executor.Executor{
		"duckdb": openDuckDB,
		"postgres": func(tb testing.TB) executor.Executor {
			share(tb, servers.Postgres(tb))
			return openPostgres(tb)
		},
		"mariadb": func(tb testing.TB) executor.Executor {
			share(tb, servers.MariaDB(tb))
			return openMySQLFamily(servers.MariaDB)(tb)
		},
	} {
		d, ok := sqlemit.LookupDialect(name)
		if !ok {
			f.Fatalf("no dialect %s", name)
		}
		if db := unlessSkipped(f, open); db != nil {
			out = append(out, live{db, d})
		}
	}
	return out
}

// unlessSkipped opens an engine, nil where a test would be skipped for want of it: a
// fuzz target has no subtests to skip.
func unlessSkipped(f *testing.F, open func(testing.TB) executor.Executor) executor.Executor {
	opened := make(chan executor.Executor, 1)
	go func() {
		defer close(opened)
		opened <- open(skipping{f})
	}()
	return <-opened
}

// skipping ends only the goroutine that asks to skip.
type skipping struct{ *testing.F }

func (s skipping) Skipf(format string, args ...any) {
	s.Logf(format, args...)
	runtime.Goexit()
}

// FuzzLiterals_RoundTrip writes values of every type as literals, and every engine
// must read back exactly them.
func FuzzLiterals_RoundTrip(f *testing.F) {
	f.Add("", int64(0), uint8(0), 0.0, int64(0))
	f.Add(`it's "50%_\`, int64(-1), uint8(3), 1e-7, int64(-1))
	f.Add("\\'; DROP TABLE x; --\n\r\t\x01\x1a", int64(math.MaxInt64), uint8(18), math.MaxFloat32, int64(951782400_000001))
	f.Add("\u202e😀é\ufeff$$", int64(math.MinInt64+1), uint8(38), -5e-324, int64(253402300799_999999))
	f.Add("{x} %s ? $1 :name @@x", int64(12345678901), uint8(5), 0.1, int64(-62135596800_000000))
	engines := liveEngines(f)
	f.Fuzz(func(t *testing.T, text string, integer int64, scale uint8, double float64, micros int64) {
		if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
			return // no text of a request
		}
		values := valuesOf(text, integer, scale, double, micros)
		for _, e := range engines {
			check(t, e, values)
		}
	})
}

// value is a literal, and what reads as it.
type value struct {
	name string
	expr sqlexpr.Expr
	same func(got json.RawMessage) bool
}

func valuesOf(text string, integer int64, scale uint8, double float64, micros int64) []value {
	asText := func(got json.RawMessage) (s string) {
		_ = json.Unmarshal(got, &s)
		return s
	}
	// A decimal has its digits before and after the point.
	digits := strconv.FormatInt(max(integer, math.MinInt64+1), 10)
	digits = strings.TrimPrefix(digits, "-")
	if behind := int(scale % 20); behind > 0 {
		digits = strings.Repeat("0", max(0, behind+1-len(digits))) + digits
		digits = digits[:len(digits)-behind] + "." + digits[len(digits)-behind:]
	}
	if math.IsNaN(double) || math.Abs(double) > 1e300 || math.Abs(double) < 1e-300 {
		double = 0.5
	}
	double = math.Abs(double)
	// From the year 1 to the year 9999.
	const first, last = -62135596800_000000, 253402300799_999999
	timestamp := time.UnixMicro(first + int64(uint64(micros)%uint64(last-first+1))).UTC()
	const stamp = "2006-01-02 15:04:05.999999"
	return []value{
		{"a text", &sqlexpr.String{Value: text}, func(got json.RawMessage) bool { return asText(got) == text }},
		{"a number", &sqlexpr.Number{Text: digits}, func(got json.RawMessage) bool {
			g, ok := new(big.Rat).SetString(string(got))
			w, _ := new(big.Rat).SetString(digits)
			return ok && g.Cmp(w) == 0
		}},
		{"a double", &sqlexpr.Number{Text: strconv.FormatFloat(double, 'e', -1, 64)}, func(got json.RawMessage) bool {
			g, err := strconv.ParseFloat(string(got), 64)
			return err == nil && g == double
		}},
		{"a date", &sqlexpr.TypedLiteral{Type: sqlexpr.TypeDate, Value: timestamp.Format(time.DateOnly)}, func(got json.RawMessage) bool {
			return asText(got) == timestamp.Format(time.DateOnly)
		}},
		{"a timestamp", &sqlexpr.TypedLiteral{Type: sqlexpr.TypeTimestamp, Value: timestamp.Format(stamp)}, func(got json.RawMessage) bool {
			at, err := time.Parse("2006-01-02T15:04:05.999999", asText(got))
			return err == nil && at.Equal(timestamp)
		}},
		{"a truth", &sqlexpr.Bool{Value: integer%2 == 0}, func(got json.RawMessage) bool {
			want := map[bool][2]string{true: {"true", "1"}, false: {"false", "0"}}[integer%2 == 0]
			return string(got) == want[0] || string(got) == want[1]
		}},
		// The literal is one value of its type: it is equal to itself written again.
		{"an equality", &sqlexpr.Binary{Op: sqlexpr.OpEq, L: &sqlexpr.String{Value: text}, R: &sqlexpr.String{Value: text}}, func(got json.RawMessage) bool {
			return string(got) == "true" || string(got) == "1"
		}},
	}
}

func check(t *testing.T, e live, values []value) {
	t.Helper()
	scan := &plan.Scan{Source: sqlexpr.DatasetTableOrQuery{Query: "SELECT 1 AS one"}, Alias: "t"}
	project := &plan.Project{Input: scan}
	for i, v := range values {
		project.Cols = append(project.Cols, plan.NamedExpr{Name: "v" + strconv.Itoa(i), Expr: v.expr})
	}
	sql, err := sqlemit.Emit(t.Context(), project, e.dialect, sqlemit.FormatOptions{})
	if err != nil {
		t.Fatalf("%s: %v", e.dialect.Name(), err)
	}
	rows, err := e.db.Query(t.Context(), sql)
	if err != nil {
		t.Fatalf("%s: %v\n%s", e.dialect.Name(), err, sql)
	}
	defer rows.Close()
	result, err := jsonrows.CollectResult(t.Context(), rows, nil)
	if err != nil {
		t.Fatalf("%s: %v\n%s", e.dialect.Name(), err, sql)
	}
	var got []map[string]json.RawMessage
	if err := json.Unmarshal(result.Rows, &got); err != nil || len(got) != 1 {
		t.Fatalf("%s: %v %s", e.dialect.Name(), err, result.Rows)
	}
	for i, v := range values {
		if raw := got[0]["v"+strconv.Itoa(i)]; !v.same(raw) {
			t.Errorf("%s: %s comes back as %s\n%s", e.dialect.Name(), v.name, raw, sql)
		}
	}
}
