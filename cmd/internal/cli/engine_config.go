package cli

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/cmd/internal/settings"
	"github.com/semlayer/semlayer/cmd/internal/warehouses"
	"github.com/semlayer/semlayer/engine"
)

// addModelFlags adds the flags of a command that opens a model.
func addModelFlags(cmd *cobra.Command) {
	settings.AddFlags(cmd.Flags(), "model", "sem-vendor", "sem-basic")
}

// addConnectionsFlag adds the flag of a command that reads connection profiles.
func addConnectionsFlag(cmd *cobra.Command) {
	settings.AddFlags(cmd.Flags(), "connections")
}

const defaultConnectionFlag = "default-connection"

// addDefaultConnectionFlag adds the flag of a command that serves requests.
func addDefaultConnectionFlag(cmd *cobra.Command) {
	settings.AddFlags(cmd.Flags(), defaultConnectionFlag)
}

// addDatabaseFlags adds the flags of a command that executes.
func addDatabaseFlags(cmd *cobra.Command) {
	settings.AddFlags(cmd.Flags(), "db", databaseMemory, "max-answer-bytes", "tag-statements")
}

// addConcurrencyFlags adds the flags of a command that executes for many callers.
func addConcurrencyFlags(cmd *cobra.Command) {
	settings.AddFlags(cmd.Flags(), "max-concurrent-executions", "pool-size", "execute-timeout-secs", "request-timeout-secs", "disable-execute")
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
	check(s.readCacheSettings(&c))
	check(s.readRollupSettings(&c))
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

const (
	cacheFlag      = "cache-mib"
	cacheTTLFlag   = "cache-ttl-secs"
	cacheEntryFlag = "cache-entry-mib"
)

// readCacheSettings reads the settings of the result cache of a command that has them. The memory of c is known.
func (s settingsReader) readCacheSettings(c *engine.Config) (err error) {
	if !s.commandDefinesFlag(cacheFlag) {
		return nil
	}
	var failures [3]error
	c.CacheMiB, failures[0] = s.readCount(cacheFlag)
	c.CacheTTL, failures[1] = s.readSeconds(cacheTTLFlag)
	c.CacheEntryMiB, failures[2] = s.readOptionalCount(cacheEntryFlag)
	if err := errors.Join(failures[:]...); err != nil {
		return err
	}
	if c.Memory != nil {
		if most := int(c.Memory.Total / 2 >> 20); c.CacheMiB > most {
			return newUsageError(fmt.Sprintf("%s must be at most half of --%s, which is %d, not %q", s.settingText(cacheFlag), memoryFlag, most, s.readText(cacheFlag)))
		}
	}
	if c.CacheMiB > 0 && c.CacheEntryMiB > c.CacheMiB {
		return newUsageError(fmt.Sprintf("%s must be at most --%s, which is %d, not %q", s.settingText(cacheEntryFlag), cacheFlag, c.CacheMiB, s.readText(cacheEntryFlag)))
	}
	return nil
}
