package engine

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/semlayer/semlayer/engine/audit"
	"github.com/semlayer/semlayer/modelspec/diff"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/planner/query"
)

// RequestLogEntry is one request of a request log.
type RequestLogEntry struct {
	Line int    // in the log, from 1
	Path string // /v1/query/execute
	Body []byte // a JSON object
}

// requestLogReaderLineLimit is the length of a line of a request log: a body with its path.
const requestLogReaderLineLimit = limits.ModelBytes

// ReadRequestLog reads a request log: one JSON object a line, with the path of the request
// and its body, or an audit log, which names them route and request. Other keys, empty lines and requests that compile no query are skipped,
// and so is a request that an earlier line has, and a line of an audit log that holds no request.
func ReadRequestLog(r io.Reader) ([]RequestLogEntry, error) { return readRequestLog(r, false) }

// ReadQueries reads a request log, or the bodies of queries, one a line: those of metric queries, and with the key metric those of
// attributions.
func ReadQueries(r io.Reader) ([]RequestLogEntry, error) { return readRequestLog(r, true) }

func readRequestLog(r io.Reader, bodies bool) ([]RequestLogEntry, error) {
	var out []RequestLogEntry
	seen := map[string]bool{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, requestLogReaderLineLimit)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var logged struct {
			Path    string          `json:"path"`
			Body    json.RawMessage `json:"body"`
			Surface audit.Surface   `json:"surface"` // of a line of an audit log
			Route   string          `json:"route"`
			Request json.RawMessage `json:"request"`
			Metric  json.RawMessage `json:"metric"` // of a body
		}
		if err := json.Unmarshal(lines.Bytes(), &logged); err != nil {
			return nil, fmt.Errorf("line %d is not a JSON object with the keys path and body: %w", n, err)
		}
		if logged.Surface != "" {
			logged.Path, logged.Body = logged.Route, logged.Request
			if len(logged.Body) == 0 || logged.Path == "" {
				continue
			}
		}
		if bodies && logged.Path == "" && len(logged.Body) == 0 {
			logged.Path, logged.Body = "/v1/query/execute", lines.Bytes()
			if len(logged.Metric) > 0 {
				logged.Path = "/v1/query/attribute"
			}
		}
		if logged.Path == "" {
			return nil, fmt.Errorf("line %d has no path", n)
		}
		key := string(queryPlaneOfPath(logged.Path)) + " " + string(logged.Body)
		if queryPlaneOfPath(logged.Path) == "" || seen[key] {
			continue
		}
		seen[key] = true
		out = append(out, RequestLogEntry{Line: n, Path: logged.Path, Body: bytes.Clone(logged.Body)})
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("a line is longer than %d bytes", requestLogReaderLineLimit)
	} else if err != nil {
		return nil, err
	}
	return out, nil
}

// queryPlaneOfPath returns the kind of query that requests of a path have; "" for none.
func queryPlaneOfPath(path string) QueryPlane {
	at := strings.LastIndex(path, "/v1/")
	if at < 0 {
		return ""
	}
	switch path[at:] {
	case "/v1/query/compile", "/v1/query/explain", "/v1/query/execute":
		return PlaneMetric
	case "/v1/select/compile", "/v1/select/explain", "/v1/select/execute":
		return PlaneDetail
	case "/v1/query/attribute":
		return PlaneAttribution
	}
	return ""
}

// diffLoggedRequests compiles the requests of a log on both models; on a model that no server takes none
// compiles.
func diffLoggedRequests(ctx context.Context, old, current *Engine, queries []RequestLogEntry) ([]diff.Entry, error) {
	var out []diff.Entry
	for _, q := range queries {
		before, errBefore := old.compileLoggedRequest(ctx, q)
		after, errAfter := current.compileLoggedRequest(ctx, q)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		entry := diff.Entry{Object: diff.ObjectLoggedQuery, Name: q.Path, Line: q.Line, Location: fmt.Sprintf("line %d", q.Line)}
		switch {
		case errBefore == nil && errAfter != nil:
			entry.Class, entry.Property, entry.New = diff.ClassBreaking, diff.PropertyCompileError, errAfter.Error()
		case errBefore != nil && errAfter == nil:
			entry.Class, entry.Property, entry.Old = diff.ClassCompatible, diff.PropertyCompileError, errBefore.Error()
		case errBefore == nil && before != after:
			entry.Class, entry.Property, entry.Old, entry.New = diff.ClassChanged, diff.PropertyLoggedSQL, before, after
		default:
			continue
		}
		out = append(out, entry)
	}
	return out, nil
}

// compileLoggedRequest compiles a request of a log for its dialect. The connection of the request is
// not known here: its query is compiled for DuckDB.
func (e *Engine) compileLoggedRequest(ctx context.Context, q RequestLogEntry) (string, error) {
	if e == nil {
		return "", errors.New("the model is not valid, so that no server can serve it")
	}
	baseTables := query.RollupsOff // a rollup changes SQL and no rows
	switch queryPlaneOfPath(q.Path) {
	case PlaneMetric:
		body, err := query.DecodeMetric(q.Body)
		if err != nil {
			return "", err
		}
		body.Connection, body.Rollups = "", &baseTables
		return e.compileToSQL(ctx, body)
	case PlaneDetail:
		body, err := query.DecodeDetail(q.Body)
		if err != nil {
			return "", err
		}
		body.Connection = ""
		return e.compileToSQL(ctx, body)
	}
	body, err := query.DecodeAttribute(q.Body)
	if err != nil {
		return "", err
	}
	body.Rollups = &baseTables
	t, err := e.chooseAndReportTarget(ctx, PlaneAttribution, metricAsListOrEmpty(body.Metric), body.Dialect, "")
	if err != nil {
		return "", err
	}
	_, queries, err := e.compileAttribution(ctx, body, t)
	var parts []string
	for _, c := range queries {
		parts = append(parts, c.sql)
	}
	return strings.Join(parts, ";\n"), err
}

// compileToSQL returns the SQL of a query.
func (e *Engine) compileToSQL(ctx context.Context, body query.Body) (string, error) {
	prepared, err := e.Prepare(ctx, body)
	if err != nil {
		return "", err
	}
	compiled, err := prepared.SQL(ctx)
	if err != nil {
		return "", err
	}
	return compiled.SQL, nil
}
