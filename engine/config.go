package engine

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/semlayer/semlayer/engine/memory"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/modelspec/limits"
)

// What holds unless configured.
const (
	DefaultMaxExecutions  = 16 // executions at once
	DefaultMaxValidations = 4  // validations at once
	DefaultPoolSize       = 8  // connections to one server

	DefaultMaxAnswerBytes     = 256 << 20 // of an execution that is read whole
	DefaultStatementCacheSize = 1024      // compiled statements that are kept

	DefaultCacheTTL = time.Minute // of a kept result
)

// Config holds the model to serve and the settings. Only the model is required, or
// GenerateModel.
type Config struct {
	// ModelPath is the model file, YAML or JSON. With ModelText set, it is
	// only the name that messages and Model use.
	ModelPath string
	ModelText []byte
	// GenerateModel makes a model of the tables of the embedded database where neither
	// ModelPath nor ModelText is set. Open then opens that database, and fails when the
	// model is not made within 30 seconds.
	GenerateModel bool
	// Basic ignores vendor extensions; the default honours them.
	Basic bool
	// PoliciesPath is the policies file, with the rights of readers. With PoliciesText set, it is only the name that messages use.
	// Once the file has roles, the engine answers readers alone: see Engine.As.
	PoliciesPath string
	PoliciesText []byte
	// Policies is a file that is read already, in place of PoliciesPath and PoliciesText.
	Policies *access.File
	// As makes the engine that of one reader, with these claims; nil leaves it to Engine.As.
	As *access.Claims
	// ModelName is the name under which a policies file for several models has the roles of this one; "" means the name of the file of
	// ModelPath without its extension.
	ModelName string
	// DBPath is the DuckDB file that serves executions without a connection;
	// empty means a database in memory. A file is opened read-only. Executions
	// without a connection need duckdb.Driver() in Drivers.
	DBPath string
	// DBMemoryMiB bounds what the embedded database keeps in memory, in MiB; what
	// does not fit is computed in a temporary directory, or rejected. 0 means its share
	// of Memory, and without Memory DuckDB's default, four fifths of the machine or container.
	DBMemoryMiB int
	// SpillMiB bounds what all DuckDB databases of the process write to the temporary directory, in MiB; 0 means
	// DuckDB's default, nine tenths of the free space.
	SpillMiB int
	// Setup is SQL that fills a database in memory before its configuration
	// is locked; an element may hold several statements. Ignored with DBPath.
	Setup []string
	// Data are folders, files and globs whose files are the tables of a database in
	// memory: SQL can read these files and no other. Open finds them, and the first
	// execution reads their columns. docs/authoring.md describes the names of the tables.
	// Not together with DBPath.
	Data []string
	// Database is an embedded database that is open already, in place of what DBPath, Setup
	// and Data describe.
	Database *EmbeddedDatabase
	// ConnectionsPath is the file of connection profiles; empty means none. With
	// ConnectionsText set, it is only the name that messages and ConnectionsFileReport use.
	ConnectionsPath string
	// ConnectionsText is the text of the connection profiles, checked as a file is:
	// ${VAR} is replaced by the variable of the environment.
	ConnectionsText []byte
	// DiscoverConnections looks for the file where ConnectionsPath is empty and
	// ConnectionsText nil, in the places that docs/connections.md lists.
	DiscoverConnections bool
	// DSN is a warehouse as one text, such as postgres://reader:secret@db.example.com/sales,
	// sqlite:PATH or duckdb:PATH; it is the connection DSNConnectionName. Empty means none.
	DSN string
	// Connections are warehouses that the program has connected to itself, beside the
	// profiles.
	Connections []ProgramConnection
	// DefaultConnection is the connection of requests that name none: a profile, DSNConnectionName or one
	// of Connections. Empty means the embedded database.
	DefaultConnection string
	// Drivers open the embedded database and the profiles of warehouses that this
	// package does not link by itself: the Driver() of the packages duckdb, trino,
	// snowflake, bigquery and databricks below executor.
	Drivers []warehouse.Driver
	// PoolSize bounds the connections of each profile; 0 means
	// DefaultPoolSize.
	PoolSize int
	// MaxExecutions bounds concurrent executions; 0 means DefaultMaxExecutions.
	MaxExecutions int
	// ListExecutions keeps a list of the executions, for Warehouses.Executions and CancelExecution.
	ListExecutions bool
	// QueueLength is the most requests that wait for a slot of one connection, where their quota has a wait; 0 means
	// DefaultQueueLength.
	QueueLength int
	// MaxValidations bounds concurrent calls of Validate, each of which may keep a
	// processor busy for a second or two; 0 means DefaultMaxValidations.
	MaxValidations int
	// MaxAnswerBytes bounds the result of an execution that is read into memory,
	// which is every one that does not stream; 0 means DefaultMaxAnswerBytes.
	MaxAnswerBytes int
	// StatementCache is how many compiled statements are kept for the same query
	// asked again, 16 KiB each at most; 0 means DefaultStatementCacheSize, less than 0
	// keeps none.
	StatementCache int
	// CacheMiB bounds the results that are kept for later requests, in MiB; 0 means that none is kept.
	CacheMiB int
	// CacheTTL is how long a kept result counts; 0 means DefaultCacheTTL.
	CacheTTL time.Duration
	// CacheEntryMiB bounds one kept result, in MiB; 0 means an eighth of CacheMiB, at least 1.
	CacheEntryMiB int
	// RollupStateTime is how long a reading of the state of a rollup's table counts; 0 means DefaultRollupStateTime, less than 0 reads it for each
	// execution.
	RollupStateTime time.Duration
	// RollupDir has the files of local rollups, one for each connection; "" for none. RollupDirOfModels: it has a folder of them for each model, with
	// its name.
	RollupDir         string
	RollupDirOfModels bool
	// Memory bounds what requests hold; nil means no bound.
	Memory *memory.Budget
	// NoStatementTags leaves out of statements the id that WithQueryID gave their query.
	NoStatementTags bool
	// Now is the time that relative ranges count from; nil means time.Now.
	Now func() time.Time
	// Version of the program, for Capabilities; "" means "dev".
	Version string
	// Logger receives defects of the engine; nil means slog.Default.
	Logger *slog.Logger
	// Features are what the program offers beside the engine, for Capabilities.
	Features []string

	database databaseLimits // of each DuckDB database, as newWarehouses divides them
}

// withDefaults sets what the configuration leaves out.
func (c Config) withDefaults() Config {
	if c.ModelName == "" {
		c.ModelName = modelNameOfFile(c.ModelPath)
	}
	if c.Version == "" {
		c.Version = "dev"
	}
	if c.QueueLength == 0 {
		c.QueueLength = DefaultQueueLength
	}
	if c.MaxExecutions == 0 {
		c.MaxExecutions = DefaultMaxExecutions
	}
	if c.MaxValidations == 0 {
		c.MaxValidations = DefaultMaxValidations
	}
	if c.MaxAnswerBytes == 0 {
		c.MaxAnswerBytes = DefaultMaxAnswerBytes
	}
	if c.PoolSize == 0 {
		c.PoolSize = DefaultPoolSize
	}
	if c.RollupStateTime == 0 {
		c.RollupStateTime = DefaultRollupStateTime
	}
	if c.StatementCache == 0 {
		c.StatementCache = DefaultStatementCacheSize
	}
	if c.CacheTTL == 0 {
		c.CacheTTL = DefaultCacheTTL
	}
	if c.CacheEntryMiB == 0 {
		c.CacheEntryMiB = max(c.CacheMiB/8, 1)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	return c
}

// modelNameOfFile returns the name of a model that is served with others: that of its file.
func modelNameOfFile(path string) string {
	return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
}

// withPolicies reads the policies file. The error is a *PoliciesError, or that of a file that cannot be read.
func (c Config) withPolicies() (Config, error) {
	file, issues, err := c.readPolicies()
	if err == nil && modelspec.HasErrors(issues) {
		err = &PoliciesError{Path: c.PoliciesPath, Issues: issues}
	}
	c.Policies = file
	return c, err
}

// readPolicies returns the policies file and what is found in it; nil without one.
func (c Config) readPolicies() (*access.File, []modelspec.Issue, error) {
	text := c.PoliciesText
	if c.Policies != nil || c.PoliciesPath == "" && text == nil {
		return c.Policies, nil, nil
	}
	if text == nil {
		var err error
		if text, err = os.ReadFile(c.PoliciesPath); err != nil {
			return nil, nil, err
		}
	}
	file, issues := access.Parse(c.PoliciesPath, text)
	return file, issues, nil
}

// serviceLimits lists the bounds on models and queries, then those of this engine's
// configuration.
func (c Config) serviceLimits() []limits.Limit {
	return append(limits.All(),
		limits.Limit{Name: "concurrent_executions", Value: int64(c.MaxExecutions), Unit: "executions", AppliesTo: "executions at once", Code: CodeBusy, Setting: "--max-concurrent-executions"},
		limits.Limit{Name: "concurrent_validations", Value: int64(c.MaxValidations), Unit: "validations", AppliesTo: "validations of a model at once", Code: CodeBusy},
		limits.Limit{Name: "answer_bytes", Value: int64(c.MaxAnswerBytes), Unit: "bytes", AppliesTo: "a result in JSON", Code: "driver", Setting: "--max-answer-bytes"},
	)
}
