package cli

import (
	"errors"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/cmd/internal/warehouses"
	"github.com/semlayer/semlayer/engine"
)

// modelFlags adds the flags of a command that opens a model.
func modelFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.String("model", "", "model file, YAML or JSON (variable SVC_MODEL)")
	f.Bool("sem-vendor", true, "read vendor extensions (variable SVC_SEM_VENDOR)")
	f.Bool("sem-basic", false, "ignore vendor extensions: the standard alone (variable SVC_SEM_BASIC)")
}

// connectionFlags adds the flag of a command that reads connection profiles.
func connectionFlags(cmd *cobra.Command) {
	cmd.Flags().String("connections", "", "file of connection profiles (variable SVC_CONNECTIONS); the usual places when absent")
}

// databaseFlags adds the flags of a command that executes.
func databaseFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.String("db", "", "DuckDB file to execute on; in memory when absent (variable SVC_DB)")
	f.String("db-memory-mib", "", "MiB of memory for the embedded database; four fifths of the machine when absent (variable SVC_DB_MEMORY_MIB)")
	f.String("max-answer-bytes", "268435456", "maximum length of a JSON response in bytes; Arrow streams have no limit (variable SVC_MAX_ANSWER_BYTES)")
	f.Bool("tag-statements", true, "send the id of the query with each statement to the warehouse (variable SVC_TAG_STATEMENTS)")
}

// concurrencyFlags adds the flags of a command that executes for many callers.
func concurrencyFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.String("max-concurrent-executions", "16", "maximum number of executions at once (variable SVC_MAX_EXECUTIONS)")
	f.String("pool-size", "8", "connections per profile (variable SVC_POOL_SIZE)")
	f.String("execute-timeout-secs", "60", "time limit of an execution in seconds (variable SVC_EXECUTE_TIMEOUT_SECS)")
	f.String("request-timeout-secs", "30", "time limit of every other request in seconds (variable SVC_REQUEST_TIMEOUT_SECS)")
	f.Bool("disable-execute", false, "compile only: refuse to execute (variable SVC_DISABLE_EXECUTE)")
}

// engineConfig reads the settings that commands share, and is their only reader.
// A setting that the command has no flag for keeps the default of the engine. The
// error joins everything that is wrong.
func (a *app) engineConfig(s settings, log *slog.Logger) (c engine.Config, err error) {
	var failures []error
	check := func(err error) { failures = append(failures, err) }
	c.Version, c.Logger, c.Drivers = a.version, log, warehouses.Drivers()
	c.ConnectionsPath, c.DiscoverConnections = s.text("connections"), s.hasFlag("connections")
	c.DBPath = s.text("db")
	c.Data, err = s.data()
	check(err)
	if s.hasFlag("model") {
		check(s.readModel(&c))
		c.Basic, err = s.basic()
		check(err)
	}
	c.DBMemoryMiB, err = s.positiveOrZero("db-memory-mib")
	check(err)
	c.MaxAnswerBytes, err = s.countOrZero("max-answer-bytes")
	check(err)
	c.MaxExecutions, err = s.countOrZero("max-concurrent-executions")
	check(err)
	c.PoolSize, err = s.countOrZero("pool-size")
	check(err)
	if s.hasFlag("tag-statements") {
		tag, err := s.boolean("tag-statements")
		check(err)
		c.NoStatementTags = !tag
	}
	return c, errors.Join(failures...)
}

// requestBudgets are the settings of concurrencyFlags that bound requests and not the engine.
type requestBudgets struct {
	execute, request time.Duration
	compileOnly      bool
}

func (s settings) budgets() (b requestBudgets, err error) {
	var failures []error
	check := func(err error) { failures = append(failures, err) }
	b.execute, err = s.seconds("execute-timeout-secs")
	check(err)
	b.request, err = s.seconds("request-timeout-secs")
	check(err)
	b.compileOnly, err = s.boolean("disable-execute")
	check(err)
	return b, errors.Join(failures...)
}

// hasFlag reports whether the command has the flag.
func (s settings) hasFlag(flag string) bool { return s.cmd.Flags().Lookup(flag) != nil }

// countOrZero reads a positive integer, 0 where the command has no such flag.
func (s settings) countOrZero(flag string) (int, error) {
	if !s.hasFlag(flag) {
		return 0, nil
	}
	return s.count(flag)
}
