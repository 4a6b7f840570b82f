package engine

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/semlayer/semlayer/executor/profile"
	"github.com/semlayer/semlayer/executor/semaphore"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/access"
)

// Warehouses are what the engines of one process share: the connections with their pools,
// the embedded database and the slots for executions and validations. A model that is
// opened again finds every pool as it was. Warehouses are safe for concurrent use.
type Warehouses struct {
	config          Config // with its defaults
	targets         map[string]compileTarget
	embeddedDB      *lazyExecutor
	data            atomic.Pointer[registeredDataFiles] // nil without data files
	connections     atomic.Pointer[connectionSet]       // only ever replaced by a list with more of them
	slots           *semaphore.NonBlockingSemaphore
	embeddedRunning atomic.Int64 // executions on the embedded database now
	queues          *slotQueues
	executions      *executionList // nil: they are not listed
	validationSlots *semaphore.NonBlockingSemaphore
	values          *fieldValuesCache // that were read from the warehouses
	results         *resultStore      // of statements; nil: none is kept
	rollups         *rollupStates     // of the tables of rollups
	local           *localFiles       // of local rollups
	causes          failureCauseLogLimiter
	adding          sync.Mutex // one reader of profiles or data files at a time

	policing sync.Mutex       // of the policies that are in force
	policies *access.File     // nil without
	policed  map[*Engine]bool // the engines that they are in force on
}

// OpenWarehouses reads the connection profiles and connects to nothing. Its errors are those
// of Open that are not about the model; the model of the configuration is not read.
func OpenWarehouses(ctx context.Context, c Config) (*Warehouses, error) {
	c, err := c.withDefaults().withPolicies()
	if err != nil {
		return nil, err
	}
	w, err := newWarehouses(ctx, c)
	if err != nil {
		return nil, err
	}
	return w, w.prepareConnections()
}

// newWarehouses finds the data files of the embedded database. prepareConnections comes after it.
func newWarehouses(ctx context.Context, c Config) (*Warehouses, error) {
	if err := c.checkEmbeddedDatabaseSettings(); err != nil {
		return nil, err
	}
	c.database = c.divideDatabaseLimits()
	embedded, data, err := newLazyEmbeddedDatabase(ctx, c)
	if err != nil {
		return nil, err
	}
	w := &Warehouses{
		config:          c,
		targets:         compileTargetsByDialect(),
		embeddedDB:      embedded,
		slots:           semaphore.NewNonBlockingSemaphore(c.MaxExecutions),
		queues:          &slotQueues{length: c.QueueLength},
		validationSlots: semaphore.NewNonBlockingSemaphore(c.MaxValidations),
		values:          newFieldValuesCache(),
		results:         newResultStore(c),
		rollups:         newRollupStates(),
		local:           newLocalFiles(c),
		policies:        c.Policies,
		policed:         map[*Engine]bool{},
	}
	if c.ListExecutions {
		w.executions = &executionList{listed: map[*listedExecution]struct{}{}}
	}
	w.data.Store(data)
	return w, nil
}

// prepareConnections prepares the connections of the configuration.
func (w *Warehouses) prepareConnections() error {
	remote, err := newConnectionSet(w.config, w.targets)
	if err != nil {
		return err
	}
	w.connections.Store(remote)
	return nil
}

// OpenModel opens the engine of a model text. path is the name that messages and
// Engine.Model use. The engines of one Warehouses run side by side; closing one of them
// leaves the warehouses open. The errors are those of Open that are about the model.
func (w *Warehouses) OpenModel(ctx context.Context, path string, text []byte) (*Engine, error) {
	c := w.config
	c.ModelPath, c.ModelText = path, text
	c.ModelName = modelNameOfFile(path)
	doc, err := modelspec.ParseWithPath(path, text)
	if err != nil {
		return nil, err
	}
	issues, err := validateConfiguredModel(ctx, c, doc)
	if err != nil {
		return nil, err
	}
	return compileModelForWarehouses(ctx, w, c, doc, text, issues)
}

// AddProfiles reads the file of the connection profiles again and adds the profiles whose
// names are new. A profile that was read before keeps its settings and its pool, even if the
// file has changed or removed it. AddProfiles returns the added names. The error is that of
// a file that cannot be read.
func (w *Warehouses) AddProfiles() (added []string, err error) {
	w.adding.Lock()
	defer w.adding.Unlock()
	held := w.connections.Load()
	path, text := w.config.ConnectionsPath, w.config.ConnectionsText
	if path == "" && w.config.DiscoverConnections && text == nil {
		if path = held.report.Path; path == "" {
			path = profile.FindProfilesFile()
		}
	}
	if path == "" || text != nil {
		return nil, nil
	}
	file, err := readProfiles(path, nil)
	if err != nil {
		return nil, err
	}
	grown := held.clone()
	grown.report.Path = path
	if held.readErr != nil { // the first time that the file is read
		grown.readErr, grown.report.Warnings, grown.report.Default = nil, nil, file.DefaultProfileName()
		for _, w := range file.Warnings {
			grown.report.Warnings = append(grown.report.Warnings, w.String())
		}
	}
	o := w.config.warehouseOptions()
	for _, p := range file.Profiles {
		if !slices.Contains(held.names, p.Name) {
			grown.addProfile(p, o, w.targets)
			added = append(added, p.Name)
		}
	}
	if len(added) > 0 || held.readErr != nil {
		w.connections.Store(grown)
	}
	return added, nil
}

// Connections lists the connection profiles in the order of their file, then those that
// were added later.
func (w *Warehouses) Connections() []ConnectionInfo { return w.connections.Load().connectionInfos() }

// PoolCapacity returns how many connections to warehouses the pools of all profiles may have together.
func (w *Warehouses) PoolCapacity() (connections int) {
	for _, c := range w.connections.Load().list {
		connections += c.poolSize
	}
	return connections
}

// ConnectionsFileReport reports on the file of connection profiles.
func (w *Warehouses) ConnectionsFileReport() ConnectionsFileReport {
	r := w.connections.Load().report
	r.Warnings = slices.Clone(r.Warnings)
	return r
}

// OpenEmbedded opens the embedded database now, so that a file that does not open is known before
// the first execution. Its error is an *ExecuteError.
func (w *Warehouses) OpenEmbedded(ctx context.Context) error {
	_, err := w.embeddedDB.open(ctx)
	return err
}

// Close gives the database and all connections back. Executions still running end first.
func (w *Warehouses) Close() error {
	w.adding.Lock()
	defer w.adding.Unlock()
	return errors.Join(w.embeddedDB.close(), w.connections.Load().close(), w.local.close())
}
