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

	"github.com/semlayer/semlayer/modelspec/diff"
	"github.com/semlayer/semlayer/modelspec/limits"
)

// LoggedQuery is one request of a log.
type LoggedQuery struct {
	Line int    // in the log, from 1
	Path string // /v1/query/execute
	Body []byte // a JSON object
}

// maxLogLine is the length of a line of a request log: a body with its path.
const maxLogLine = limits.ModelBytes

// ReadQueryLog reads a request log: one JSON object a line, with the path of the request
// and its body. Other keys, empty lines and requests that compile no query are skipped,
// and so is a request that an earlier line has.
func ReadQueryLog(r io.Reader) ([]LoggedQuery, error) {
	var out []LoggedQuery
	seen := map[string]bool{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLogLine)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var logged struct {
			Path string          `json:"path"`
			Body json.RawMessage `json:"body"`
		}
		if err := json.Unmarshal(lines.Bytes(), &logged); err != nil {
			return nil, fmt.Errorf("line %d is not a JSON object with the keys path and body: %w", n, err)
		}
		if logged.Path == "" {
			return nil, fmt.Errorf("line %d has no path", n)
		}
		key := string(planeOf(logged.Path)) + " " + string(logged.Body)
		if planeOf(logged.Path) == "" || seen[key] {
			continue
		}
		seen[key] = true
		out = append(out, LoggedQuery{Line: n, Path: logged.Path, Body: bytes.Clone(logged.Body)})
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("a line is longer than %d bytes", maxLogLine)
	} else if err != nil {
		return nil, err
	}
	return out, nil
}

// planeOf is the kind of query that requests of a path have; "" for none.
func planeOf(path string) Plane {
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

// diffQueries compiles logged queries on both models; on a model that no server takes none
// compiles.
func diffQueries(ctx context.Context, old, current *Engine, queries []LoggedQuery) ([]ModelDiffEntry, error) {
	var out []ModelDiffEntry
	for _, q := range queries {
		before, errBefore := old.compileLogged(ctx, q)
		after, errAfter := current.compileLogged(ctx, q)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		entry := ModelDiffEntry{Object: diff.ObjectQuery, Name: q.Path, Line: q.Line, Location: fmt.Sprintf("line %d", q.Line)}
		switch {
		case errBefore == nil && errAfter != nil:
			entry.Class, entry.What, entry.New = DiffBreaking, diff.Error, errAfter.Error()
		case errBefore != nil && errAfter == nil:
			entry.Class, entry.What, entry.Old = DiffCompatible, diff.Error, errBefore.Error()
		case errBefore == nil && before != after:
			entry.Class, entry.What, entry.Old, entry.New = DiffChanged, diff.SQL, before, after
		default:
			continue
		}
		out = append(out, entry)
	}
	return out, nil
}

// compileLogged compiles a logged query for its dialect. The connection of the request is
// not known here: its query is compiled for DuckDB.
func (e *Engine) compileLogged(ctx context.Context, q LoggedQuery) (string, error) {
	if e == nil {
		return "", errors.New("the model is not valid, so no server takes it")
	}
	switch planeOf(q.Path) {
	case PlaneMetric:
		body, err := DecodeMetric(q.Body)
		if err != nil {
			return "", err
		}
		body.Connection = ""
		c, err := e.CompileMetrics(ctx, body)
		return sqlOf(c), err
	case PlaneDetail:
		body, err := DecodeDetail(q.Body)
		if err != nil {
			return "", err
		}
		body.Connection = ""
		c, err := e.CompileSelect(ctx, body)
		return sqlOf(c), err
	}
	body, err := DecodeAttribute(q.Body)
	if err != nil {
		return "", err
	}
	t, err := e.chooseTarget(ctx, PlaneAttribution, metricNames(body.Metric), body.Dialect, "")
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

func sqlOf(c *Compiled) string {
	if c == nil {
		return ""
	}
	return c.SQL
}
