package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/bigquery"
	"github.com/semlayer/semlayer/executor/databricks"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/snowflake"
	"github.com/semlayer/semlayer/executor/trino"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/planner/query"
)

//go:embed model.yaml
var modelYAML []byte

// questionTimeout bounds one question: a warehouse that sleeps needs minutes to start.
const questionTimeout = 5 * time.Minute

var errNotAllWarehousesPassed = errors.New("a service that was asked for was not met, or none was")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := checkWarehouseAnswers(ctx, os.Stdout, os.LookupEnv, os.Args[1:], questions())
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "smoke:", err)
		os.Exit(1)
	}
}

// checkWarehouseAnswers reports each service on one line, and each wrong answer below it.
func checkWarehouseAnswers(ctx context.Context, out io.Writer, env func(string) (string, bool), wanted []string, asked []question) error {
	all := connectionTypes(env)
	for _, name := range wanted {
		if !slices.ContainsFunc(all, func(s connectionType) bool { return s.name == name }) {
			return fmt.Errorf("%s is not a type of connection", name)
		}
	}
	e, err := engine.Open(ctx, engine.Config{
		ModelText: modelYAML, ConnectionsText: connectionsFileText(all), Logger: slog.New(slog.DiscardHandler),
		Drivers: []warehouse.Driver{duckdb.Driver(), trino.Driver(), snowflake.Driver(), bigquery.Driver(), databricks.Driver()},
	})
	if err != nil {
		return err
	}
	defer func() { _ = e.Close() }()

	met, complete := 0, true
	for _, s := range all {
		named := slices.Contains(wanted, s.name)
		if len(wanted) > 0 && !named {
			continue
		}
		if len(s.set) == 0 {
			if s.beta || named {
				fmt.Fprintf(out, "not met  %-12s no variable %s is set\n", s.name, s.variableOfKey("…"))
			}
			complete = complete && !named
			continue
		}
		asked := slices.DeleteFunc(slices.Clone(asked), func(q question) bool { return slices.Contains(q.unable, s.name) })
		began := time.Now()
		answered, failures := s.countRightAnswers(ctx, e, asked)
		took := time.Since(began).Round(10 * time.Millisecond)
		if len(failures) == 0 {
			fmt.Fprintf(out, "met      %-12s %d questions, %v\n", s.name, answered, took)
			met++
			continue
		}
		complete = false
		fmt.Fprintf(out, "failed   %-12s %d of %d questions, %v\n", s.name, len(asked)-answered, len(asked), took)
		for _, f := range failures {
			fmt.Fprintf(out, "         %s\n", strings.ReplaceAll(strings.TrimRight(f, "\n"), "\n", "\n         "))
		}
	}
	fmt.Fprintf(out, "%d met\n", met)
	if met == 0 || !complete {
		return errNotAllWarehousesPassed
	}
	return nil
}

// codesOfUnreachableWarehouse are the codes of a service that no question reaches.
var codesOfUnreachableWarehouse = []string{"config", "connection", "auth"}

// countRightAnswers returns how many questions a service answered with the right rows, and what is wrong
// with the others.
func (s connectionType) countRightAnswers(ctx context.Context, e *engine.Engine, asked []question) (right int, failures []string) {
	for _, q := range asked {
		diff, err := s.diffExpectedRows(ctx, e, q)
		switch {
		case err != nil:
			failures = append(failures, q.name+": "+err.Error())
		case diff != "":
			failures = append(failures, q.name+": - is right, + came\n"+diff)
		default:
			right++
		}
		var coded engine.CodedError
		if ctx.Err() != nil || errors.As(err, &coded) && slices.Contains(codesOfUnreachableWarehouse, coded.ErrorCode()) {
			break
		}
	}
	return right, failures
}

// diffExpectedRows returns the difference between the rows of a question and the right ones.
func (s connectionType) diffExpectedRows(ctx context.Context, e *engine.Engine, q question) (string, error) {
	ctx, stop := context.WithTimeout(ctx, questionTimeout)
	defer stop()
	result, err := s.executeQuestion(ctx, e, q)
	if err != nil {
		return "", err
	}
	got, err := table.FromJSON(result.Columns, result.Rows)
	if err != nil {
		return "", err
	}
	want, err := table.FromText(strings.TrimSpace(q.rows))
	if err != nil {
		return "", err
	}
	diff := table.Diff(want, got, q.ordered)
	if diff != "" {
		diff += result.SQL
	}
	return diff, nil
}

func (s connectionType) executeQuestion(ctx context.Context, e *engine.Engine, q question) (*engine.Result, error) {
	if q.detail {
		d, err := query.DecodeDetail([]byte(q.body))
		if err != nil {
			return nil, err
		}
		d.Connection = s.name
		return prepare.Rows(ctx, e, d)
	}
	m, err := query.DecodeMetric([]byte(q.body))
	if err != nil {
		return nil, err
	}
	m.Connection = s.name
	return prepare.Rows(ctx, e, m)
}
