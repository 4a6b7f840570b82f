// Command competitor is this project's side of tools/competitors: it loads the models and
// compiles the questions of integration/benchmarks, and times itself.
//
// It reads a command as a line of JSON, runs it, and writes a line of JSON;
// tools/competitors/competitor.mjs, the same program for the others, documents the commands. A
// question is timed from the text of the query to the text of the SQL, and a load from
// the text of the model to an engine that accepts queries. The engine keeps statements as it
// does by default.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/benchmarks"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/planner/query"
)

type commandRequest struct {
	Do string `json:"do"`
	modelSize
	Question string  `json:"question"`
	Again    bool    `json:"again"`
	Seconds  float64 `json:"seconds"`
}

// modelSize names a model.
type modelSize struct {
	Datasets int `json:"datasets"`
	Rollups  int `json:"rollups"` // of orders, of which the last serves Q3
}

func (s modelSize) text() string {
	if s.Rollups > 0 {
		return benchmarks.RolledUpModelText(s.Rollups, true)
	}
	return benchmarks.LargeModelText(s.Datasets)
}

type commandResponse struct {
	Name       string   `json:"name,omitempty"`
	Version    string   `json:"version,omitempty"`
	HasRollups bool     `json:"has_rollups,omitempty"`
	SQL        string   `json:"sql,omitempty"`
	Params     []string `json:"params"`
	Schema     string   `json:"schema,omitempty"` // of the table that SQL makes
	Times      int      `json:"times,omitempty"`
	Seconds    float64  `json:"seconds,omitempty"`
	CPU        float64  `json:"cpu,omitempty"` // seconds of the processor, all threads together
	Error      string   `json:"error,omitempty"`
}

func main() {
	c := commandRunner{models: map[modelSize]*engine.Engine{}, texts: map[modelSize]string{}, asked: 1000}
	lines, out := bufio.NewScanner(os.Stdin), json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var o commandRequest
		a, err := commandResponse{}, json.Unmarshal(lines.Bytes(), &o)
		if err == nil {
			a, err = c.runCommand(o)
		}
		if err != nil {
			a = commandResponse{Error: err.Error()}
		}
		if err := out.Encode(a); err != nil {
			fmt.Fprintln(os.Stderr, "competitor:", err)
			os.Exit(1)
		}
	}
}

type commandRunner struct {
	models map[modelSize]*engine.Engine
	texts  map[modelSize]string
	asked  int
}

func (c *commandRunner) runCommand(o commandRequest) (commandResponse, error) {
	switch o.Do {
	case "about":
		return commandResponse{Name: "semlayer", Version: runtime.Version(), HasRollups: true}, nil
	case "load":
		if c.texts[o.modelSize] == "" {
			c.texts[o.modelSize] = o.text()
		}
		if old := c.models[o.modelSize]; old != nil {
			if err := old.Close(); err != nil {
				return commandResponse{}, err
			}
		}
		delete(c.models, o.modelSize)
		start, used := time.Now(), processCPUSeconds()
		p, err := openEngine(c.texts[o.modelSize])
		a := commandResponse{Seconds: time.Since(start).Seconds(), CPU: processCPUSeconds() - used}
		c.models[o.modelSize] = p
		return a, err
	case "sql":
		sql, err := c.compileQuestion(o, 0)
		return commandResponse{SQL: sql, Params: []string{}}, err
	case "make rollup":
		name := fmt.Sprintf("rollup_%d", o.Rollups-1)
		sql, err := c.models[o.modelSize].RollupSQL(context.Background(), engine.RollupDefinition{Name: name})
		return commandResponse{SQL: sql, Schema: "agg", Params: []string{}}, err
	case "time":
		start, used, times := time.Now(), processCPUSeconds(), 0
		for times == 0 || time.Since(start).Seconds() < o.Seconds {
			number := 0
			if !o.Again {
				c.asked++
				number = c.asked
			}
			if _, err := c.compileQuestion(o, number); err != nil {
				return commandResponse{}, err
			}
			times++
		}
		return commandResponse{Times: times, Seconds: time.Since(start).Seconds(), CPU: processCPUSeconds() - used}, nil
	}
	return commandResponse{}, fmt.Errorf("nothing is called %q", o.Do)
}

// processCPUSeconds returns the time that this process has had of the processor, in seconds.
func processCPUSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

func openEngine(text string) (*engine.Engine, error) {
	e, err := engine.Open(context.Background(), engine.Config{Drivers: []warehouse.Driver{duckdb.Driver()}, ModelText: []byte(text), Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return nil, err
	}
	if broken := e.CompileErrors(); len(broken) > 0 {
		return nil, broken[0]
	}
	return e, nil
}

// queryTextWithNumber returns the text of a query: unchanged, or with a number that is not 0 where
// it changes nothing about the work.
func queryTextWithNumber(name string, number int) string {
	switch {
	case name == "Q1" && number != 0:
		return strings.TrimSuffix(benchmarks.OneMetricQuery, "}") + fmt.Sprintf(`,"limit":%d}`, number)
	case name == "Q1":
		return benchmarks.OneMetricQuery
	case name == "Q3" && number != 0:
		return strings.Replace(benchmarks.ThreeMetricsQuery, "online", fmt.Sprintf("online_%d", number), 1)
	case name == "Q3":
		return benchmarks.ThreeMetricsQuery
	}
	return ""
}

func (c *commandRunner) compileQuestion(o commandRequest, number int) (string, error) {
	e := c.models[o.modelSize]
	if e == nil {
		return "", fmt.Errorf("no model of %d datasets with %d rollups", o.Datasets, o.Rollups)
	}
	q, err := query.DecodeMetric([]byte(queryTextWithNumber(o.Question, number)))
	if err != nil {
		return "", err
	}
	compiled, err := prepare.SQL(context.Background(), e, q)
	if err != nil {
		return "", err
	}
	return compiled.SQL, nil
}
