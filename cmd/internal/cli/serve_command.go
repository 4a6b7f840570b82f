package cli

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/cmd/internal/admin"
	"github.com/semlayer/semlayer/cmd/internal/certfile"
	"github.com/semlayer/semlayer/cmd/internal/collector"
	"github.com/semlayer/semlayer/cmd/internal/logqueue"
	"github.com/semlayer/semlayer/cmd/internal/reload"
	"github.com/semlayer/semlayer/cmd/internal/settings"
	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/audit"
	"github.com/semlayer/semlayer/engine/memory"
	"github.com/semlayer/semlayer/restapi"
)

const (
	defaultBind                  = "127.0.0.1:8081"
	maxConnectionsPerAddressFlag = "max-connections-per-address"
)

// notReadyDelayBeforeShutdown is how long a load balancer gets to see that /ready has turned.
const notReadyDelayBeforeShutdown = 500 * time.Millisecond

func (a *app) serveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve --model FILE",
		Short: "Serve a model over HTTP",
		Long: "serve answers queries over HTTP until it is stopped. With --watch it loads the model again when its file changes, " +
			"and at SIGHUP in any case; it rejects a model with errors and keeps the previous one. " +
			"With --models it serves each model of a folder under /m/NAME.",
		Args: rejectArguments("model"),
	}
	addServeFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return a.runServer(cmd.Context(), cmd) }
	return cmd
}

// addServeFlags adds the flags of a server.
func addServeFlags(cmd *cobra.Command) {
	settings.AddFlags(cmd.Flags(), configFlag)
	addModelFlags(cmd)
	addServedModelFlags(cmd)
	addDatabaseFlags(cmd)
	addDataFilesFlag(cmd)
	allowGeneratedModel(cmd)
	addConnectionsFlag(cmd)
	addDefaultConnectionFlag(cmd)
	addConcurrencyFlags(cmd)
	addMemoryFlag(cmd)
	settings.AddFlags(cmd.Flags(), cacheFlag, cacheTTLFlag, cacheEntryFlag, rollupStateFlag, rollupDirFlag)
	settings.AddFlags(cmd.Flags(), "bind", adminBindFlag, tlsCertificateFlag, tlsKeyFlag, tlsClientCAFlag, "stream-timeout-secs", "max-body-bytes", "max-connections", maxConnectionsPerAddressFlag,
		"auth-token", tokenFileFlag, policiesFlag, auditLogFlag, auditLiteralsFlag, auditOnlyFlag, slowQueryFlag, queueMSFlag, queueLengthFlag, "strict", "no-explorer", corsOriginsFlag, embedOriginsFlag, indexValuesFlag, mcpExecuteQueryFlag)
	addPostgresFlags(cmd.Flags())
	addLogFlags(cmd)
}

func (a *app) runServer(ctx context.Context, cmd *cobra.Command) error {
	a.format = formatTable // errors are for people
	a.queueLog()
	s, err := newSettingsReader(cmd)
	if err != nil {
		return err
	}
	c, err := a.readServerSettings(s)
	if err != nil {
		return err
	}
	restoreHeapLimit := limitHeap(c.engine.Memory)
	defer restoreHeapLimit()
	c.http.Collectors = append(c.http.Collectors, a.droppedLogLinesCounter())
	waitingLines, err := c.engine.Memory.Part(memory.Log).Reserve(logqueue.MaxBytes)
	if err != nil {
		return err
	}
	defer waitingLines.Release()
	closeAudit, err := a.openAuditLog(&c)
	if err != nil {
		return err
	}
	defer closeAudit()
	hangups, stopCatching := notifyHangupSignals()
	defer stopCatching()
	var flush func()
	c.http.Tracer, flush = openTracing(ctx, a.version, c.log)
	defer flush()
	c.engine.Policies = c.access.policies
	w, err := engine.OpenWarehouses(ctx, c.engine)
	if err != nil {
		return err
	}
	defer func() { _ = w.Close() }()
	c.access.enforce = w.ReplacePolicies
	pacer := collector.StartPacer()
	defer pacer.Stop()
	set, err := a.openModels(ctx, c, w, pacer)
	if err != nil {
		return err
	}
	for _, e := range set.Engines() {
		logModelFindings(c.log, e)
	}
	logConnectionFindings(c.log, w.ConnectionsFileReport())
	if err := readDataFileColumns(ctx, c.log, w); err != nil {
		return err
	}
	if c.strict {
		if err := checkStrictStart(ctx, set.Engines(), w, c); err != nil {
			return err
		}
	} else {
		warnMissingDatabaseFile(c.log, c.engine)
		if short := shortTokensText(c.access.tokens.all()); short != "" {
			c.log.Warn(shortTokensWarning(short))
		}
	}
	ctx, stop := context.WithCancel(ctx)
	var background sync.WaitGroup
	defer c.indexer.running.Wait() // before the warehouses are closed
	defer background.Wait()
	defer stop()
	background.Go(func() { collector.ReleaseIdleMemory(ctx) })
	models := set.ServedModels()
	c.pg.config.Tracer, c.pg.config.Audit = c.http.Tracer, c.http.Audit
	if c.pg.bind != "" {
		if c.port, err = openPostgresPort(ctx, c.pg, models, c); err != nil {
			return err
		}
		c.http.Collectors = append(c.http.Collectors, c.port.server.Metrics(), c.port.catalogue.Metrics())
	}
	c.http.Collectors = append(c.http.Collectors, c.certificates())
	return listenAndServe(ctx, models, w, c, func(address string, server *restapi.Server) error {
		logServerAddressAndModels(c, address, models, w.ConnectionsFileReport().Path)
		c.indexer.startIndexing(ctx, set.Engines()...)
		background.Go(func() { modelAndDataReloader{c, w, set, server}.reloadOnChanges(ctx, hangups) })
		if c.port != nil {
			background.Go(func() { c.port.serve(ctx) })
		}
		return nil
	})
}

// serverSettings holds the settings of a server.
type serverSettings struct {
	bind []string
	tls  *certfile.Files // nil: none

	adminBind string          // "": none
	adminTLS  *certfile.Files // the certificate of tls, without those of clients

	engine  engine.Config
	http    restapi.Config
	pg      postgresSettings
	port    *postgresListener // nil: none
	access  *accessFiles
	strict  bool
	audit   audit.Config
	log     *slog.Logger
	jsonLog bool

	source       reload.ModelSource
	defaultModel string
	watch        bool
	indexer      *fieldValueIndexer
	executeQuery bool // the MCP tool execute_query
}

// readServerSettings reads and checks all settings before anything is opened.
func (a *app) readServerSettings(s settingsReader) (c serverSettings, err error) {
	var failures []error
	check := func(err error) { failures = append(failures, err) }
	c.bind, err = s.readListenAddresses("bind")
	check(err)
	c.log, err = s.newLogger(a.std.Err)
	check(err)
	certificateLog := cmp.Or(c.log, slog.New(slog.DiscardHandler))
	c.tls, err = s.readCertificateFiles(tlsCertificateFlag, tlsKeyFlag, tlsClientCAFlag, certificateLog)
	check(err)
	c.adminBind, err = s.readOptionalListenAddress(adminBindFlag)
	check(err)
	if c.adminBind != "" && c.tls != nil {
		c.adminTLS, err = s.readCertificateFiles(tlsCertificateFlag, tlsKeyFlag, "", certificateLog)
		check(err)
	}
	check(c.checkOwnAddress(adminBindFlag, c.adminBind))
	c.http.NoMetrics = c.adminBind != ""
	c.http.Logger, c.jsonLog = c.log, s.readText(logFormatFlag) == logFormatJSON
	c.engine, err = a.readEngineConfig(s, c.log)
	check(err)
	c.engine.ListExecutions = c.adminBind != ""
	b, err := s.readRequestTimeLimits()
	check(err)
	c.http.ExecuteTimeout, c.http.RequestTimeout, c.http.DisableExecute = b.execute, b.request, b.compileOnly
	c.http.StreamTimeout, err = s.readSeconds("stream-timeout-secs")
	check(err)
	c.http.DrainGrace, c.http.Memory = notReadyDelayBeforeShutdown, c.engine.Memory
	c.indexer, err = s.readValueIndexer(c.log, b.compileOnly)
	check(err)
	c.http.MaxBodyBytes, err = s.readCount("max-body-bytes")
	check(err)
	c.http.MaxConnections, err = s.readOptionalCount("max-connections")
	check(err)
	c.http.MaxConnectionsPerAddress, err = s.readOptionalCount(maxConnectionsPerAddressFlag)
	check(err)
	c.executeQuery, err = s.readBoolean(mcpExecuteQueryFlag)
	check(err)
	c.http.NoExplorer, err = s.readBoolean("no-explorer")
	check(err)
	c.strict, err = s.readBoolean("strict")
	check(err)
	c.source, c.defaultModel, err = s.readModelSource()
	check(err)
	c.watch, err = s.readBoolean("watch")
	check(err)
	c.audit, err = s.readAuditConfig()
	check(err)
	queueMS, err := s.readCount(queueMSFlag)
	check(err)
	c.engine.QueueLength, err = s.readCount(queueLengthFlag)
	check(err)
	if c.access, err = s.readAccessFiles(c); err == nil {
		c.access.directory.SetQueueMS(queueMS)
		c.http.Identities = c.access.directory
		c.http.Collectors = append(c.http.Collectors, c.access.directory)
	}
	check(err)
	c.http.Origins, err = s.readOrigins(corsOriginsFlag)
	check(err)
	c.http.EmbedOrigins, err = s.readOrigins(embedOriginsFlag)
	check(err)
	pg, err := s.readPostgresSettings(certificateLog)
	check(err)
	check(c.checkOwnAddress(pgBindFlag, pg.bind))
	if c.access != nil {
		c.pg, err = pg.withServerSettings(c, a.version)
		check(err)
	}
	if c.pg.bind != "" {
		c.engine.Features = append(c.engine.Features, "pg")
	}
	return c, errors.Join(failures...)
}

// logModelAndConnectionFindings logs the errors of a model and of connections that do not prevent serving.
func logModelAndConnectionFindings(log *slog.Logger, e *engine.Engine) {
	logModelFindings(log, e)
	logConnectionFindings(log, e.ConnectionsFileReport())
}

func logModelFindings(log *slog.Logger, e *engine.Engine) {
	for _, one := range groupFindings(e.Warnings(), warningGroupKey) {
		w := one.first
		about := []any{"code", w.Code, "location", w.Location, "line", w.Position.Line}
		if len(one.rest) > 0 {
			about = append(about, "equal", len(one.rest))
		}
		log.Warn("model: "+w.Message, about...)
	}
	for _, c := range e.CompileErrors() {
		log.Warn("model: queries that use this object are rejected: "+c.Message, "code", c.Code, "location", c.Location, "line", c.Position.Line)
	}
	if names := ignoredVendorsText(e); names != "" {
		log.Info("model: the custom_extensions of other vendors are ignored", "vendors", names)
	}
}

func logConnectionFindings(log *slog.Logger, report engine.ConnectionsFileReport) {
	for _, w := range report.Warnings {
		log.Warn("connections: "+w, "file", report.Path)
	}
}

// checkStrictStart returns an error where a strict server does not start: objects of the
// model do not compile, the database does not open, or a token can be guessed.
func checkStrictStart(ctx context.Context, engines []*engine.Engine, w *engine.Warehouses, c serverSettings) error {
	var findings []string
	for _, e := range engines {
		if n := len(e.CompileErrors()); n > 0 {
			findings = append(findings, formatCountOfNoun(n, "object")+" of the model failed to compile, as the log shows")
		}
	}
	if c.engine.DBPath != "" {
		if err := w.OpenEmbedded(ctx); err != nil {
			findings = append(findings, flagAndEnvVariableText("db")+": "+errorTextWithHint(err))
		}
	}
	if short := shortTokensText(c.access.tokens.all()); short != "" {
		findings = append(findings, short+" can be guessed")
	}
	if len(findings) == 0 {
		return nil
	}
	return errors.New(flagAndEnvVariableText("strict") + " refuses to start: " + strings.Join(findings, "; "))
}

// warnMissingDatabaseFile warns of a database file that is not there. A server starts without
// it, because the file may come later.
func warnMissingDatabaseFile(log *slog.Logger, c engine.Config) {
	if c.DBPath == "" {
		return
	}
	if _, err := os.Stat(c.DBPath); err != nil {
		log.Warn("the database file cannot be opened: executions fail until it can", "file", c.DBPath, "error", err)
	}
}

// listenAndServe serves until ctx ends. It calls announce with the address before it
// accepts the first request.
func listenAndServe(ctx context.Context, models restapi.Models, w *engine.Warehouses, c serverSettings, announce func(address string, server *restapi.Server) error) error {
	c.http.ReservedDescriptors = engineFileDescriptorCount(w.PoolCapacity(), c.engine.MaxExecutions)
	server, err := restapi.NewForModels(models, c.http)
	if err != nil {
		return newUsageError(err.Error())
	}
	listeners, addresses, err := c.listenOnAll(ctx)
	if err != nil {
		return err
	}
	if err := announce(addresses[0], server); err != nil {
		closeListeners(listeners)
		return err
	}
	for _, address := range addresses[1:] {
		c.log.Info("serving this address too", "address", address)
	}
	if !c.access.isSecured() && !areAllLoopback(listeners) {
		c.log.Warn("anyone who reaches this address can query: no " + flagAndEnvVariableText("auth-token") + " is set")
	}
	logTokenWarnings(c.log, c.access.tokens.path, c.access.tokens.warnings)
	go c.access.directory.Run(ctx)
	if c.access.tokens.path != "" || c.access.policiesPath != "" {
		go c.access.replaceOnChange(ctx)
	}
	stopAdmin, err := c.serveAdmin(ctx, server, w)
	if err != nil {
		closeListeners(listeners)
		return err
	}
	defer stopAdmin()
	return server.ServeListeners(ctx, listeners)
}

// logServerAddressAndModels logs where a server is and what it serves.
func logServerAddressAndModels(c serverSettings, address string, models restapi.Models, profiles string) {
	attributes := []any{"address", address}
	if models.Several {
		attributes = append(attributes, "models", len(models.List), "folder", c.source.Folder, "default", models.Default)
	}
	if m := engine.AuthorOf(models.List[0].Service).Model(); !models.Several {
		attributes = append(attributes, "model", m.Name, "path", m.Path, "mode", m.Mode, "datasets", m.Datasets, "metrics", m.Metrics)
	}
	c.log.Info("serving", append(attributes, "connections", profiles, "execute", !c.http.DisableExecute, "authentication", c.access.isSecured())...)
}

// engineFileDescriptorCount returns how many descriptors the engine may need: a full pool of
// each connection profile, and a few for each execution, for files on disk and for
// the requests of drivers that speak HTTP.
func engineFileDescriptorCount(connections, executions int) int {
	const perExecution = 4
	return connections + perExecution*executions
}

// serveAdmin serves the admin address, where there is one, until stop is called: probes see a server that drains.
func (c serverSettings) serveAdmin(ctx context.Context, server *restapi.Server, w *engine.Warehouses) (stop func(), err error) {
	if c.adminBind == "" {
		return func() {}, nil
	}
	ln, address, err := listenSecured(ctx, adminBindFlag, c.adminBind, c.adminTLS)
	if err != nil {
		return nil, err
	}
	c.log.Info("serving the admin address", "address", address)
	until, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var serving sync.WaitGroup
	serving.Go(func() { admin.Serve(until, ln, admin.NewHandler(server, w, isLoopback(ln.Addr())), c.log) })
	return func() {
		cancel()
		serving.Wait()
	}, nil
}
