package audit_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine/audit"
)

// quiet drops the log of a test.
var quiet = slog.New(slog.DiscardHandler)

func open(t *testing.T, c audit.Config) *audit.Log {
	t.Helper()
	if c.Logger == nil {
		c.Logger = quiet
	}
	l, err := audit.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// writtenLines returns the lines of a file, each of which must be one JSON object.
func writtenLines(t *testing.T, text []byte) []map[string]any {
	t.Helper()
	var out []map[string]any
	for _, line := range bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n")) {
		var object map[string]any
		if err := json.Unmarshal(line, &object); err != nil {
			t.Fatalf("the line %q: %v", line, err)
		}
		out = append(out, object)
	}
	return out
}

func TestLine_HasItsKeysInOrderAndNoneThatIsEmpty(t *testing.T) {
	var out bytes.Buffer
	l := open(t, audit.Config{Path: audit.Stdout, Stdout: &out, Literals: true})
	l.Write(audit.Entry{
		Facts: audit.Facts{
			Plane: "metric", Metrics: []string{"revenue"}, Dimensions: []string{"orders.order_date:month"}, Datasets: []string{"orders"},
			Filtered: []string{"customers.region"}, Connection: "wh", Dialect: "postgres", Executed: true, Rows: 3, Queue: 4 * time.Millisecond,
			Plan: 2500 * time.Microsecond, Execute: 5 * time.Millisecond, Statements: []string{"SELECT 1"}, Request: []byte("{\n \"metrics\": [\"revenue\"]}"),
			WarehouseWords: "of a statement that was sent again",
		},
		Time: time.Date(2026, 3, 1, 12, 0, 0, 5e6, time.UTC), QueryID: "q", RequestID: "r", Remote: "10.0.0.9", Identity: "ana", Issuer: "https://id", Roles: []string{"regional"},
		Surface: audit.SurfaceREST, Route: "/v1/query/execute", Model: "retail", Bytes: 120, Duration: 10 * time.Millisecond, Outcome: audit.OutcomeOK, Status: 200, Policy: "0123456789ab",
	})
	l.Write(audit.Entry{Time: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Surface: audit.SurfaceSQL})
	// The first 12 digits of printf 'SELECT 1' | sha256sum.
	want := `{"time":"2026-03-01T12:00:00.005Z","query_id":"q","request_id":"r","remote":"10.0.0.9","identity":"ana","issuer":"https://id","roles":["regional"],` +
		`"surface":"rest","route":"/v1/query/execute","model":"retail","plane":"metric","metrics":["revenue"],"dimensions":["orders.order_date:month"],"datasets":["orders"],` +
		`"filtered":["customers.region"],"connection":"wh","dialect":"postgres","rows":3,"bytes":120,"duration_ms":10,"queue_ms":4,"plan_ms":2.5,"execute_ms":5,` +
		`"sql_hash":"e004ebd5b553","outcome":"ok","status":200,"policy":"0123456789ab","request":{"metrics":["revenue"]},"sql":"SELECT 1"}` + "\n" +
		`{"time":"2026-03-01T12:00:00.000Z","surface":"sql","duration_ms":0,"outcome":"ok"}` + "\n"
	if d := cmp.Diff(want, out.String()); d != "" {
		t.Error(d)
	}
}

// Hostile names are one line of JSON, are cut, and forge no line.
func TestLine_OfHostileNames(t *testing.T) {
	forged := "x\"}\n{\"time\":\"2026-01-01T00:00:00.000Z\",\"identity\":\"admin\",\"outcome\":\"ok\"}\r\n"
	for name, text := range map[string]string{
		"forged line": forged, "NUL": "a\x00b", "invalid UTF-8": "a\xff\xfeb", "line separators": "a\u2028b\u2029c\u0085d\v\f", "escape sequence": "\x1b[2J\x07",
		"escape sequence of eight bits": "\u009b2J\u009d0;x\u0085\x7f", "another direction": "a\u202eb\u2066c\u200f",
		"huge": strings.Repeat("n", 1<<20), "huge, of several bytes": strings.Repeat("é", 1<<10), "huge, and invalid": strings.Repeat("\xc3", 1<<10),
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			l := open(t, audit.Config{Path: audit.Stdout, Stdout: &out, Literals: true})
			l.Write(audit.Entry{
				Facts:     audit.Facts{Tool: text, Metrics: []string{text}, Dimensions: []string{text}, Datasets: []string{text}, Filtered: []string{text}, Connection: text, Request: []byte(text), Statements: []string{text}},
				RequestID: text, Remote: text, Identity: text, Issuer: text, Roles: []string{text}, Model: text, Surface: audit.SurfaceREST, Outcome: "unknown_metric", Message: text,
			})
			if n := bytes.Count(out.Bytes(), []byte("\n")); n != 1 || !bytes.HasSuffix(out.Bytes(), []byte("\n")) {
				t.Fatalf("%d line breaks", n)
			}
			if bytes.ContainsAny(out.Bytes()[:out.Len()-1], "\x00\x1b\r\v\f\x07\x7f\u0085\u009b\u009d\u200f\u202e\u2066\u2028\u2029") || !utf8.Valid(out.Bytes()) {
				t.Errorf("control characters in %q", out.Bytes()[:min(out.Len(), 400)])
			}
			line := writtenLines(t, out.Bytes())[0]
			for _, key := range []string{"identity", "issuer", "model", "tool", "connection", "request_id", "remote"} {
				if got := line[key].(string); len(got) > 256 || len(text) > 1000 && utf8.ValidString(text) && len(got) < 250 {
					t.Errorf("%s has %d bytes", key, len(got))
				}
			}
			for _, key := range []string{"roles", "metrics", "dimensions", "datasets", "filtered"} {
				if got := line[key].([]any)[0].(string); len(got) > 256 {
					t.Errorf("%s has %d bytes", key, len(got))
				}
			}
			if line["outcome"] != "unknown_metric" {
				t.Error(line["outcome"])
			}
		})
	}
}

// The text of a body that is JSON stands in the line as it is, but for what breaks or forges a line.
func TestLine_OfAHostileBody(t *testing.T) {
	var out bytes.Buffer
	l := open(t, audit.Config{Path: audit.Stdout, Stdout: &out, Literals: true})
	l.Write(audit.Entry{Facts: audit.Facts{Request: []byte("{\n\"sql\": \"a\u2028b\u2029c\u0085d\u202ee\xfff\"}")}, Surface: audit.SurfaceREST})
	if !utf8.Valid(out.Bytes()) || bytes.ContainsAny(out.Bytes()[:out.Len()-1], "\n\u2028\u2029\u0085\u202e") {
		t.Errorf("%q", out.Bytes())
	}
	if sent := writtenLines(t, out.Bytes())[0]["request"].(map[string]any)["sql"]; sent != "a\u2028b\u2029c\u0085d\u202ee\ufffdf" {
		t.Errorf("%q", sent)
	}
}

// Bodies, SQL and the words of warehouses are values: without literals no line has them.
func TestLine_WithoutLiterals(t *testing.T) {
	for _, literals := range []bool{false, true} {
		var out bytes.Buffer
		l := open(t, audit.Config{Path: audit.Stdout, Stdout: &out, Literals: literals})
		record := l.NewRecord()
		record.SetRequest([]byte(`{"where_sql":"customers.name = 'canary'"}`))
		record.Fill(func(f *audit.Facts) {
			f.Statements, f.WarehouseWords = []string{"SELECT 'canary'"}, `cannot read "canary"`
		})
		l.Write(audit.Entry{Facts: record.Facts(), Surface: audit.SurfaceREST, Outcome: "sql_rejected", Message: "the warehouse rejected the statement"})
		if got := strings.Count(out.String(), "canary"); got != map[bool]int{false: 0, true: 3}[literals] {
			t.Errorf("literals %v: %s", literals, out.String())
		}
	}
}

func TestLog_ChoosesLines(t *testing.T) {
	entries := []audit.Entry{
		{Outcome: audit.OutcomeOK, Duration: time.Millisecond, RequestID: "fast"},
		{Outcome: audit.OutcomeOK, Duration: time.Second, RequestID: "slow"},
		{Outcome: "unauthorized", RequestID: "refused"},
		{Facts: audit.Facts{Code: "unknown_metric"}, RequestID: "tool"},
		{Outcome: "client_gone", RequestID: "gone"},
	}
	for only, want := range map[audit.Lines][]string{
		"": {"fast", "slow", "refused", "tool", "gone"}, audit.AllLines: {"fast", "slow", "refused", "tool", "gone"},
		audit.ErrorLines: {"refused", "tool", "gone"}, audit.SlowLines: {"slow", "refused", "tool", "gone"},
	} {
		var out bytes.Buffer
		l := open(t, audit.Config{Path: audit.Stdout, Stdout: &out, Only: only, Slow: time.Second})
		for _, e := range entries {
			l.Write(e)
		}
		var got []string
		for _, line := range writtenLines(t, out.Bytes()) {
			got = append(got, line["request_id"].(string))
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", only, d)
		}
	}
}

// A rotated log goes on in the file of its name: where another program has moved it, removed it, or asked for that.
func TestLog_FollowsItsName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.log")
	l := open(t, audit.Config{Path: path})
	about, err := os.Stat(path)
	if err != nil || about.Mode().Perm() != 0o600 {
		t.Fatal(about, err)
	}
	l.Write(audit.Entry{RequestID: "1"})
	if err := os.Rename(path, path+".1"); err != nil {
		t.Fatal(err)
	}
	l.Write(audit.Entry{RequestID: "2"})
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	l.Write(audit.Entry{RequestID: "3"})
	l.Reopen()
	l.Write(audit.Entry{RequestID: "4"})
	for name, want := range map[string][]string{path + ".1": {"1"}, path: {"3", "4"}} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, line := range writtenLines(t, text) {
			got = append(got, line["request_id"].(string))
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
	}
	if n := l.Failures(); n != 0 {
		t.Error(n)
	}
}

// Where the folder of the log is gone, the open file goes on, and the log of the server has the reason once.
func TestLog_WithoutItsFolder(t *testing.T) {
	var logged bytes.Buffer
	folder := filepath.Join(t.TempDir(), "logs")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	l := open(t, audit.Config{Path: filepath.Join(folder, "audit.log"), Logger: slog.New(slog.NewTextHandler(&logged, nil))})
	moved := folder + ".old"
	if err := os.Rename(folder, moved); err != nil {
		t.Fatal(err)
	}
	l.Write(audit.Entry{RequestID: "1"})
	l.Write(audit.Entry{RequestID: "2"})
	text, err := os.ReadFile(filepath.Join(moved, "audit.log"))
	if err != nil || len(writtenLines(t, text)) != 2 {
		t.Error(string(text), err)
	}
	if n := strings.Count(logged.String(), "audit log could not"); n != 1 {
		t.Error(logged.String())
	}
}

func TestLog_FullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); errors.Is(err, fs.ErrNotExist) {
		t.Skip("the system has no /dev/full")
	}
	var logged bytes.Buffer
	l := open(t, audit.Config{Path: "/dev/full", Logger: slog.New(slog.NewTextHandler(&logged, nil))})
	l.Write(audit.Entry{})
	l.Write(audit.Entry{})
	if l.Failures() != 2 {
		t.Error(l.Failures())
	}
	if n := strings.Count(logged.String(), "audit log could not"); n != 1 || !strings.Contains(logged.String(), "no space left") {
		t.Error(logged.String())
	}
}

// tornWriter takes a part of the first line, as a disk that is filled by it.
type tornWriter struct {
	bytes.Buffer
	writes int
}

func (w *tornWriter) Write(p []byte) (int, error) {
	if w.writes++; w.writes == 1 {
		n, _ := w.Buffer.Write(p[:10])
		return n, syscall.ENOSPC
	}
	return w.Buffer.Write(p)
}

// The rest of a line that the disk had no room for does not swallow the next one. Each line is one write.
func TestLog_LineAfterATornOne(t *testing.T) {
	var out tornWriter
	l := open(t, audit.Config{Path: audit.Stdout, Stdout: &out})
	l.Write(audit.Entry{RequestID: "1"})
	l.Write(audit.Entry{RequestID: "2"})
	l.Write(audit.Entry{RequestID: "3"})
	lines := strings.SplitN(out.String(), "\n", 2)
	if len(lines[0]) != 10 || out.writes != 3 || l.Failures() != 1 {
		t.Fatal(out.String(), out.writes, l.Failures())
	}
	if got := writtenLines(t, []byte(lines[1])); len(got) != 2 || got[0]["request_id"] != "2" {
		t.Error(got)
	}
}

func TestLog_ClosedPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = w.Close() }()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	l := open(t, audit.Config{Path: audit.Stdout, Stdout: w})
	l.Write(audit.Entry{})
	if l.Failures() != 1 {
		t.Error(l.Failures())
	}
}

// A named pipe without a reader would hold up the start, and one with a slow reader every request.
func TestOpen_RejectsAPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := audit.Open(audit.Config{Path: path}); err == nil || !strings.Contains(err.Error(), "is a pipe") {
		t.Error(err)
	}
	if _, err := audit.Open(audit.Config{Path: filepath.Join(t.TempDir(), "none", "audit.log")}); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func TestNilLog_WritesNothing(t *testing.T) {
	var l *audit.Log
	l.Write(audit.Entry{})
	l.Reopen()
	if l.NewRecord() != nil || l.Failures() != 0 || l.Close() != nil {
		t.Error("a server without an audit log has a record")
	}
	record := audit.RecordOf(audit.WithRecord(t.Context(), nil))
	record.SetTool("x")
	if record != nil || record.Facts().Tool != "" {
		t.Error(record)
	}
}
