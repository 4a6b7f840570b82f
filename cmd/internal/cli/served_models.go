package cli

import (
	"context"
	"io"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/cmd/internal/collector"
	"github.com/semlayer/semlayer/cmd/internal/filewatch"
	"github.com/semlayer/semlayer/cmd/internal/mcp"
	"github.com/semlayer/semlayer/cmd/internal/reload"
	"github.com/semlayer/semlayer/cmd/internal/settings"
	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi"
)

const (
	modelsFlag           = "models"
	defaultModelFlagName = "default-model"
)

// addServedModelFlags adds the flags of a server about its models.
func addServedModelFlags(cmd *cobra.Command) {
	settings.AddFlags(cmd.Flags(), modelsFlag, defaultModelFlagName, "watch")
}

// readModelSource reads where the models of a server are. A model that is generated has no file.
func (s settingsReader) readModelSource() (source reload.ModelSource, defaultModel string, err error) {
	source.File, source.Folder, defaultModel = s.readText("model"), s.readText(modelsFlag), s.readText(defaultModelFlagName)
	switch {
	case source.Folder == "" && defaultModel != "":
		return source, "", newUsageError(flagAndEnvVariableText(defaultModelFlagName) + " needs " + flagAndEnvVariableText(modelsFlag))
	case source.Folder != "" && source.File != "":
		err = newUsageError(flagAndEnvVariableText(modelsFlag) + " and " + flagAndEnvVariableText("model") + " are mutually exclusive")
	}
	return source, defaultModel, err
}

// generatesModel reports whether the model is made of the tables of the embedded database, and has no file.
func (c serverSettings) generatesModel() bool {
	return c.engine.GenerateModel && c.source.File == "" && c.source.Folder == ""
}

// openModels opens the models of a server.
func (a *app) openModels(ctx context.Context, c serverSettings, w *engine.Warehouses, pacer *collector.Pacer) (*reload.ModelSet, error) {
	o := reload.Options{
		Source: c.source, Default: c.defaultModel, Warehouses: w, Strict: c.strict, Log: c.log, Collector: pacer,
		Messages: func(e *engine.Engine, calls *mcp.CancelFuncsOfCalls) http.Handler { return newMCPHandler(e, c, calls) },
		Loaded:   func(e *engine.Engine) { logModelFindings(c.log, e) },
	}
	if c.generatesModel() {
		o.Source.Generate = func(ctx context.Context) ([]byte, error) {
			made, err := w.GenerateModel(ctx)
			if err != nil {
				return nil, err
			}
			logGeneratedModel(c.log, made, c.engine)
			return made.Text, nil
		}
	}
	if c.watch && !c.jsonLog && isTerminal(a.std.Err) {
		o.ShowRefusal = func(path string, err error) { a.printRefusedModel(ctx, path, c.engine.Basic, err) }
	}
	return reload.OpenModels(ctx, o)
}

// printRefusedModel prints why a model is rejected, as validate does.
func (a *app) printRefusedModel(ctx context.Context, path string, basic bool, err error) {
	text := err.Error() + "\n"
	if v, err := engine.ValidateFile(ctx, path, basic); err == nil {
		text = validationFindingsText(path, readFileForExcerpts(path), v, styleOfStream(a.std.Err))
	}
	_, _ = io.WriteString(a.std.Err, text)
}

// modelAndDataReloader loads models and data files again.
type modelAndDataReloader struct {
	settings   serverSettings
	warehouses *engine.Warehouses
	set        *reload.ModelSet
	server     *restapi.Server
}

// minDataReloadInterval is the least time between two registrations of the data files.
const minDataReloadInterval = 5 * time.Second

// reloadOnChanges loads again when files change, where the server watches, and at each SIGHUP, until ctx ends.
func (f modelAndDataReloader) reloadOnChanges(ctx context.Context, hangups <-chan os.Signal) {
	var models, data <-chan struct{}
	if f.settings.watch {
		var watching sync.WaitGroup
		defer watching.Wait()
		start := func(paths func() []string, matters func(name string) bool) <-chan struct{} {
			w := filewatch.New(paths, matters, f.settings.log)
			watching.Go(func() { w.Run(ctx) })
			return w.Changes()
		}
		if !f.settings.generatesModel() {
			models = start(f.settings.source.WatchedPaths, reload.IsModelFileName)
		}
		if paths := f.warehouses.DataFilesReport().Paths; len(paths) > 0 {
			data = start(func() []string { return reload.DataPathsToWatch(paths) }, engine.IsDataFileName)
		}
	}
	later := time.NewTimer(time.Hour)
	later.Stop()
	defer later.Stop()
	lastData := time.Now()
	for {
		newData := false
		select {
		case <-ctx.Done():
			return
		case <-models:
		case <-data:
			later.Reset(max(0, minDataReloadInterval-time.Since(lastData)))
			continue
		case <-later.C:
			if newData = f.reloadData(ctx); !newData {
				continue
			}
		case <-hangups:
			f.settings.http.Audit.Reopen()
			f.settings.log.Info("SIGHUP: the model files and new connection profiles are read")
			f.set.AddNewConnectionProfiles()
			newData = f.reloadData(ctx)
		}
		if newData {
			lastData = time.Now()
			f.settings.indexer.startIndexing(ctx, f.set.Engines()...)
		}
		if !f.settings.generatesModel() || newData { // other data make another model
			f.reloadModels(ctx)
		}
	}
}

// reloadData registers the data files again where they are other ones.
func (f modelAndDataReloader) reloadData(ctx context.Context) (changed bool) {
	changed, err := f.warehouses.ReloadDataFiles(ctx)
	if ctx.Err() == nil && f.set.ReportDataFiles(err) {
		f.serveModels(f.set.ServedModels())
	}
	switch {
	case ctx.Err() != nil:
	case err != nil:
		f.settings.log.Warn("the data files are rejected: the tables stay as they were", "error", err)
	case changed:
		data := f.warehouses.DataFilesReport()
		logDataFileWarnings(f.settings.log, data)
		f.settings.log.Info("the data files are tables", "tables", data.Tables, "files", data.Files, "skipped", data.Skipped)
	}
	return changed
}

// reloadModels serves what the model files hold now.
func (f modelAndDataReloader) reloadModels(ctx context.Context) {
	f.set.Reload(ctx, func(models restapi.Models) {
		f.settings.indexer.startIndexing(ctx, f.set.Engines()...)
		f.serveModels(models)
	})
}

// serveModels makes these the models that are served.
func (f modelAndDataReloader) serveModels(models restapi.Models) {
	err := f.server.ReplaceModels(models)
	if err == nil && f.settings.port != nil {
		err = f.settings.port.replaceModels(toPostgresModels(models))
	}
	if err != nil {
		f.settings.log.Error("the loaded models cannot be served: the models stay as they were", "error", err)
	}
}
