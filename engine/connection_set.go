package engine

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/credential"
	"github.com/semlayer/semlayer/executor/profile"
	"github.com/semlayer/semlayer/executor/semaphore"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/planerr"
)

// ConnectionInfo describes one connection profile, without its address or
// secrets.
type ConnectionInfo struct {
	Name string `json:"name"`
	// Dialect is empty when the type of the profile is not known.
	Dialect string `json:"dialect"`
	// Available: there is a driver and the profile is sound. No
	// connection is made.
	Available bool `json:"available"`
	// Default: requests that name no connection run on this one.
	Default bool `json:"default,omitempty"`
}

// ConnectionsFileReport names the file of the connection profiles and lists what their
// author should know.
type ConnectionsFileReport struct {
	// Path of the file; empty when there is none.
	Path string
	// Default is the profile marked as such; empty when none is.
	Default string
	// Warnings explain why profiles are not available and which settings have no effect.
	Warnings []string
}

// Connections lists the connection profiles in the order of their file, none
// where none are configured.
func (e *Engine) Connections() []ConnectionInfo { return e.connectionsOfReader().connectionInfos() }

// ConnectionsFileReport reports on the file of connection profiles.
func (e *Engine) ConnectionsFileReport() ConnectionsFileReport {
	return e.warehouses.ConnectionsFileReport()
}

// connectionSet holds the profiles of the file, and what the program has connected to.
type connectionSet struct {
	list   []*warehouseConnection
	names  []string
	report ConnectionsFileReport
	// readErr is why a file that was found could not be read.
	readErr error
	// defaultName is the connection of requests that name none; "" for the embedded database.
	defaultName string
	// noDefault: a reader may not use the connection that a request without one means.
	noDefault bool
}

// clone returns a copy to which profiles can be added.
func (all *connectionSet) clone() *connectionSet {
	out := *all
	out.list, out.names = slices.Clone(all.list), slices.Clone(all.names)
	out.report.Warnings = slices.Clone(all.report.Warnings)
	return &out
}

func (all *connectionSet) connectionInfos() []ConnectionInfo {
	out := make([]ConnectionInfo, len(all.list))
	for i, c := range all.list {
		out[i] = c.info
		out[i].Default = c.info.Name == all.defaultName
	}
	return out
}

// warehouseConnection is one profile with its executor, which the first execution makes.
type warehouseConnection struct {
	info      ConnectionInfo
	target    compileTarget // without a dialect when nothing can be compiled for it
	configErr error         // why nothing can be executed
	db        *lazyExecutor
	slots     *semaphore.NonBlockingSemaphore // nil where the profile does not bound executions
	running   atomic.Int64                    // executions now
	timeout   time.Duration                   // of an execution; 0 for that of the server
	poolSize  int
	program   *credential.Command // that prints the password or token; nil for none
	session   *profile.Session    // what statements of a reader run as; nil for nothing
	cache     profile.ResultCache
	// profile is what the connection was made of; nil for one of the program.
	profile      *profile.Profile
	rollupSchema []sqlexpr.Name // of the tables of rollups whose names have one part; empty for that of the connection
}

// credentialExpiry returns when the password or token in use expires; zero where that is not known.
func (c *warehouseConnection) credentialExpiry() time.Time {
	if c.program == nil {
		return time.Time{}
	}
	return c.program.Expiry()
}

// newConnectionSet gathers the connections of the profiles and those of the program, and
// connects to nothing.
func newConnectionSet(c Config, targets map[string]compileTarget) (*connectionSet, error) {
	all, err := readProfileConnections(c, targets)
	if err != nil {
		return nil, err
	}
	if c.DSN != "" {
		if err := all.addDSNConnection(c, targets); err != nil {
			return nil, err
		}
	}
	for _, own := range c.Connections {
		if err := all.addProgramConnection(own, targets); err != nil {
			return nil, err
		}
	}
	return all, all.setDefaultConnection(c.DefaultConnection)
}

// readProfileConnections reads the profiles. A file that was named must be readable, as must
// a text; a file that was only found is reported.
func readProfileConnections(c Config, targets map[string]compileTarget) (*connectionSet, error) {
	all := &connectionSet{}
	path, text := c.ConnectionsPath, c.ConnectionsText
	discover := c.DiscoverConnections && path == "" && text == nil
	if discover {
		path = profile.FindProfilesFile()
	}
	if path == "" && text == nil {
		return all, nil
	}
	all.report.Path = path
	file, err := readProfiles(path, text)
	if err != nil {
		if !discover {
			return nil, err
		}
		all.readErr = err
		all.addReportWarning(err)
		return all, nil
	}
	for _, w := range file.Warnings {
		all.report.Warnings = append(all.report.Warnings, w.String())
	}
	all.report.Default = file.DefaultProfileName()
	o := c.warehouseOptions()
	for _, p := range file.Profiles {
		all.addProfile(p, o, targets)
	}
	return all, nil
}

// readProfiles reads the text, or the file at the path where the text is nil.
func readProfiles(path string, text []byte) (*profile.ProfilesFile, error) {
	if text == nil {
		return profile.LoadProfilesFile(path, os.LookupEnv)
	}
	return profile.ParseWithPath(path, text, os.LookupEnv)
}

// DSNConnectionName is the name of the connection of Config.DSN.
const DSNConnectionName = "dsn"

// addDSNConnection adds the connection of Config.DSN. The error is an *ExecuteError of code config.
func (all *connectionSet) addDSNConnection(c Config, targets map[string]compileTarget) error {
	d, err := profile.ParseDSN(DSNConnectionName, c.DSN)
	if err != nil {
		return err
	}
	if slices.Contains(all.names, DSNConnectionName) {
		return configError("a profile of the connections file has the name " + DSNConnectionName + ", which is that of the DSN")
	}
	all.addProfile(d.Profile, c.warehouseOptions(), targets)
	return nil
}

// warehouseOptions returns the options with which every profile is opened.
func (c Config) warehouseOptions() warehouse.Options {
	return warehouse.Options{PoolSize: c.PoolSize, Statements: c.MaxExecutions, MemoryLimit: c.database.memory, SpillLimit: c.database.spill, Drivers: c.Drivers}
}

func (all *connectionSet) addProfile(p profile.Profile, o warehouse.Options, targets map[string]compileTarget) {
	c := &warehouseConnection{configErr: warehouse.CheckProfile(p, o)}
	if t, ok := targets[p.Dialect]; ok {
		c.target = t.withProfileTextComparison(p.Settings)
	} else if c.configErr == nil {
		c.configErr = configError("this build writes no SQL for " + p.Dialect)
	}
	if p.MaxExecutions > 0 {
		c.slots = semaphore.NewNonBlockingSemaphore(p.MaxExecutions)
	}
	if own, ok := p.Settings.(*profile.Postgres); ok {
		c.session = own.Session
	}
	c.target.connection, c.cache, c.profile = c, p.Cache, &p
	if p.Rollups != nil && p.Rollups.Schema != "" {
		schema, err := modelspec.ParseDatasetSource(p.Rollups.Schema)
		if err != nil || schema.Query != "" {
			c.configErr = cmp.Or(c.configErr, configError("the schema of rollups of the connection "+p.Name+" is not a name"))
		}
		c.rollupSchema = schema.Table
	}
	c.program, _ = p.SecretSource().(*credential.Command)
	c.timeout, c.poolSize = p.ExecuteTimeout, cmp.Or(p.PoolSize, o.PoolSize)
	c.info = ConnectionInfo{Name: p.Name, Dialect: p.Dialect, Available: c.configErr == nil}
	c.db = newLazyExecutor(func(ctx context.Context) (executor.Executor, error) { return warehouse.OpenProfile(ctx, p, o) })
	all.list = append(all.list, c)
	all.names = append(all.names, p.Name)
	if c.configErr != nil {
		all.addReportWarning(c.configErr)
	}
}

// addReportWarning reports an error with its hint.
func (all *connectionSet) addReportWarning(err error) {
	text := err.Error()
	var own *ExecuteError
	if errors.As(err, &own) {
		text = own.Message
		if own.Hint != "" {
			text += " (" + own.Hint + ")"
		}
	}
	all.report.Warnings = append(all.report.Warnings, text)
}

// targetOfConnection returns the target of queries for a connection. A connection that cannot execute
// still has its dialect.
func (all *connectionSet) targetOfConnection(name string) (compileTarget, error) {
	i := slices.Index(all.names, name)
	switch {
	case i < 0 && all.readErr != nil:
		return compileTarget{}, all.readErr
	case i < 0:
		return compileTarget{}, all.unknownConnectionError(name)
	}
	c := all.list[i]
	if c.target.dialect == nil {
		return compileTarget{}, c.configErr
	}
	return c.target, nil
}

func (all *connectionSet) unknownConnectionError(name string) error {
	return &ExecuteError{Code: executor.CodeConfig, Message: "unknown connection " + planerr.ClipText(name), Hint: all.knownConnectionsHint(name)}
}

// missingConnectionError is the error of a request that must name a connection.
func (all *connectionSet) missingConnectionError() error {
	return &ExecuteError{Code: executor.CodeConfig, Message: "the request must name a connection", Hint: all.knownConnectionsHint("")}
}

func (all *connectionSet) knownConnectionsHint(name string) string {
	hint := "no connections are configured; leave connection out to use the embedded database"
	if all.noDefault {
		hint = "no connection is granted"
	}
	if known := suggest.Nearest(name, all.names, suggest.MaxCandidates); len(known) > 0 {
		hint = "the known connections are " + strings.Join(known, ", ")
		if more := len(all.names) - len(known); more > 0 {
			hint += " and " + strconv.Itoa(more) + " more"
		}
	}
	return hint
}

func (all *connectionSet) close() error {
	var failures []error
	for _, c := range all.list {
		failures = append(failures, c.db.close())
	}
	return errors.Join(failures...)
}

// executorForReader returns the executor of a target for the statements of the caller of ctx, in the session that the profile declares.
func (e *Engine) executorForReader(ctx context.Context, t compileTarget) (executor.Executor, error) {
	session, err := e.sessionOfCaller(ctx, t)
	if err != nil {
		return nil, err
	}
	db, err := e.executorOfTarget(ctx, t)
	if err != nil || session == nil {
		return db, err
	}
	return &sessionExecutor{Executor: db, session: session}, nil
}

// executorOfTarget returns the executor of a target, for statements of the service itself.
func (e *Engine) executorOfTarget(ctx context.Context, t compileTarget) (executor.Executor, error) {
	return e.databaseOfTarget(t).open(ctx)
}

// databaseOfTarget returns where the statements of a target run.
func (e *Engine) databaseOfTarget(t compileTarget) *lazyExecutor {
	switch {
	case t.local != nil:
		return t.local.file.db
	case t.connection == nil:
		return e.warehouses.embeddedDB
	}
	return t.connection.db
}

// ConnectionsFileEnvVariables returns the names of the environment variables that a file of
// connection profiles names in ${…}, none where the file cannot be read. An empty path is
// the file that Open would find.
func ConnectionsFileEnvVariables(path string) []string {
	if path == "" {
		path = profile.FindProfilesFile()
	}
	return profile.VariablesOfFile(path)
}
