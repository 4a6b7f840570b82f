package cli

import (
	"errors"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/cmd/internal/warehouses"
	"github.com/semlayer/semlayer/engine"
)

// addModelFlags adds the flags of a command that opens a model.
func addModelFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.String("model", "", "model file, YAML or JSON (variable SVC_MODEL)")
	f.Bool("sem-vendor", true, "read vendor extensions (variable SVC_SEM_VENDOR)")
	f.Bool("sem-basic", false, "ignore vendor extensions, read only the core format (variable SVC_SEM_BASIC)")
}

// addConnectionsFlag adds the flag of a command that reads connection profiles.
func addConnectionsFlag(cmd *cobra.Command) {
	cmd.Flags().String("connections", "", "file of connection profiles (variable SVC_CONNECTIONS); without it the first of several usual files")
}

const defaultConnectionFlag = "default-connection"

// addDefaultConnectionFlag adds the flag of a command that serves requests.
func addDefaultConnectionFlag(cmd *cobra.Command) {
	cmd.Flags().String(defaultConnectionFlag, "", "connection profile of requests that name none; by default they run on the embedded database (variable SVC_DEFAULT_CONNECTION)")
}

// addDatabaseFlags adds the flags of a command that executes.
func addDatabaseFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.String("db", "", "DuckDB file to run queries on; without it a database in memory (variable SVC_DB)")
	f.String(databaseMemory, "", "MiB of memory for the embedded database; by default its share of --memory-mib, or four fifths of the machine (variable SVC_DB_MEMORY_MIB)")
	f.String("max-answer-bytes", "268435456", "maximum length of a JSON response in bytes; Arrow streams have no limit (variable SVC_MAX_ANSWER_BYTES)")
	f.Bool("tag-statements", true, "send the id of the query with each statement to the warehouse (variable SVC_TAG_STATEMENTS)")
}

// addConcurrencyFlags adds the flags of a command that executes for many callers.
func addConcurrencyFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.String("max-concurrent-executions", "16", "maximum number of executions at once (variable SVC_MAX_EXECUTIONS)")
	f.String("pool-size", "8", "connections per profile (variable SVC_POOL_SIZE)")
	f.String("execute-timeout-secs", "60", "time limit of an execution in seconds (variable SVC_EXECUTE_TIMEOUT_SECS)")
	f.String("request-timeout-secs", "30", "time limit of every other request in seconds (variable SVC_REQUEST_TIMEOUT_SECS)")
	f.Bool("disable-execute", false, "compile only: reject executions (variable SVC_DISABLE_EXECUTE)")
}

// readEngineConfig reads the settings that commands share, and is their only reader.
// A setting that the command has no flag for keeps the default of the engine. The
// error joins everything that is wrong.
func (a *app) readEngineConfig(s settingsReader, log *slog.Logger) (c engine.Config, err error) {
	var failures []error
	check := func(err error) { failures = append(failures, err) }
	c.Version, c.Logger, c.Drivers = a.version, log, warehouses.Drivers()
	c.ConnectionsPath, c.DiscoverConnections = s.readText("connections"), s.commandDefinesFlag("connections")
	if s.commandDefinesFlag(defaultConnectionFlag) {
		c.DefaultConnection = s.readText(defaultConnectionFlag)
	}
	c.DBPath = s.readText("db")
	c.Data, err = s.readDataPaths()
	check(err)
	if s.commandDefinesFlag("model") {
		check(s.readModelFlags(&c))
		c.Basic, err = s.readBasicMode()
		check(err)
	}
	c.DBMemoryMiB, err = s.readOptionalCount(databaseMemory)
	check(err)
	c.Memory, err = s.readMemoryBudget()
	check(err)
	c.SpillMiB, err = s.readSpillMiB()
	check(err)
	if c.Memory != nil {
		c.SpillMiB = int(c.Memory.DatabaseSpill >> 20)
	}
	c.MaxAnswerBytes, err = s.readCountIfFlagExists("max-answer-bytes")
	check(err)
	c.MaxExecutions, err = s.readCountIfFlagExists("max-concurrent-executions")
	check(err)
	c.PoolSize, err = s.readCountIfFlagExists("pool-size")
	check(err)
	if s.commandDefinesFlag("tag-statements") {
		tag, err := s.readBoolean("tag-statements")
		check(err)
		c.NoStatementTags = !tag
	}
	return c, errors.Join(failures...)
}

// requestTimeLimits are the settings of addConcurrencyFlags that bound requests and not the engine.
type requestTimeLimits struct {
	execute, request time.Duration
	compileOnly      bool
}

func (s settingsReader) readRequestTimeLimits() (b requestTimeLimits, err error) {
	var failures []error
	check := func(err error) { failures = append(failures, err) }
	b.execute, err = s.readSeconds("execute-timeout-secs")
	check(err)
	b.request, err = s.readSeconds("request-timeout-secs")
	check(err)
	b.compileOnly, err = s.readBoolean("disable-execute")
	check(err)
	return b, errors.Join(failures...)
}

// commandDefinesFlag reports whether the command has the flag.
func (s settingsReader) commandDefinesFlag(flag string) bool {
	return s.cmd.Flags().Lookup(flag) != nil
}

// readCountIfFlagExists reads a positive integer, 0 where the command has no such flag.
func (s settingsReader) readCountIfFlagExists(flag string) (int, error) {
	if !s.commandDefinesFlag(flag) {
		return 0, nil
	}
	return s.readCount(flag)
}
