package cli

import (
	"context"
	"io"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/cmd/internal/filewatch"
	"github.com/semlayer/semlayer/cmd/internal/mcp"
	"github.com/semlayer/semlayer/cmd/internal/reload"
	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi"
)

const (
	modelsFlag       = "models"
	defaultModelFlag = "default-model"
)

// servedModelFlags adds the flags of a server about its models.
func servedModelFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.String(modelsFlag, "", "folder of models NAME.yaml, NAME.yml or NAME.json, each served under /m/NAME (variable SVC_MODELS)")
	f.String(defaultModelFlag, "", "model of --models for paths without /m/NAME (variable SVC_DEFAULT_MODEL); the only one when absent")
	f.Bool("watch", false, "load a model again when its file changes (variable SVC_WATCH)")
}

// modelSource reads where the models of a server are. A model that is generated has no file.
func (s settings) modelSource() (source reload.Source, defaultModel string, err error) {
	source.File, source.Folder, defaultModel = s.text("model"), s.text(modelsFlag), s.text(defaultModelFlag)
	switch {
	case source.Folder == "" && defaultModel != "":
		return source, "", newUsageError(flagAndVariable(defaultModelFlag) + " needs " + flagAndVariable(modelsFlag))
	case source.Folder != "" && source.File != "":
		err = newUsageError(flagAndVariable(modelsFlag) + " and " + flagAndVariable("model") + " are mutually exclusive")
	}
	return source, defaultModel, err
}

// openModels opens the models of a server.
func (a *app) openModels(ctx context.Context, c serverSettings, w *engine.Warehouses) (*reload.Set, error) {
	o := reload.Options{
		Source: c.source, Default: c.defaultModel, Warehouses: w, Strict: c.strict, Log: c.log,
		Messages: func(e *engine.Engine, calls *mcp.Calls) http.Handler { return mcpHandler(e, c, calls) },
		Loaded:   func(e *engine.Engine) { logModelFindings(c.log, e) },
	}
	if c.engine.GenerateModel && c.source.File == "" {
		o.Source.Generate = func(ctx context.Context) ([]byte, error) {
			made, err := w.GenerateModel(ctx)
			if err != nil {
				return nil, err
			}
			logGenerated(c.log, made, c.engine)
			return made.Text, nil
		}
	}
	if c.watch && !c.jsonLog && onTerminal(a.std.Err) {
		o.ShowRefusal = func(path string, err error) { a.showRefusal(ctx, path, c.engine.Basic, err) }
	}
	return reload.Open(ctx, o)
}

// showRefusal prints why a model is refused, as validate does.
func (a *app) showRefusal(ctx context.Context, path string, basic bool, err error) {
	text := err.Error() + "\n"
	if v, err := engine.ValidateFile(ctx, path, basic); err == nil {
		text = findingsText(path, readForExcerpts(path), v, styleOf(a.std.Err))
	}
	_, _ = io.WriteString(a.std.Err, text)
}

// follower loads models and data files again.
type follower struct {
	settings   serverSettings
	warehouses *engine.Warehouses
	set        *reload.Set
	server     *restapi.Server
}

// dataInterval is the least time between two registrations of the data files.
const dataInterval = 5 * time.Second

// run loads again when files change, where the server watches, and at each SIGHUP, until ctx ends.
func (f follower) run(ctx context.Context, hangups <-chan os.Signal) {
	var models, data <-chan struct{}
	if f.settings.watch {
		var watching sync.WaitGroup
		defer watching.Wait()
		start := func(paths func() []string) <-chan struct{} {
			w := filewatch.New(paths, f.settings.log)
			watching.Go(func() { w.Run(ctx) })
			return w.Changes()
		}
		models = start(f.settings.source.Paths)
		if paths := f.warehouses.DataReport().Paths; len(paths) > 0 {
			data = start(func() []string { return reload.DataFolders(paths) })
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
			later.Reset(max(0, dataInterval-time.Since(lastData)))
			continue
		case <-later.C:
			if newData = f.reloadData(ctx); !newData {
				continue
			}
		case <-hangups:
			f.settings.log.Info("SIGHUP: the model files and new connection profiles are read")
			f.set.AddProfiles()
			newData = f.reloadData(ctx)
		}
		if newData {
			lastData = time.Now()
		}
		if f.settings.source.Generate == nil || newData { // other data make another model
			f.reloadModels(ctx)
		}
	}
}

// reloadData registers the data files again where they are other ones.
func (f follower) reloadData(ctx context.Context) (changed bool) {
	changed, err := f.warehouses.ReloadData(ctx)
	switch {
	case ctx.Err() != nil:
	case err != nil:
		f.settings.log.Warn("the data files are refused: the tables stay as they were", "error", err)
	case changed:
		data := f.warehouses.DataReport()
		f.settings.log.Info("the data files are tables", "tables", data.Tables, "files", data.Files, "skipped", data.Skipped)
	}
	return changed
}

// reloadModels serves what the model files hold now.
func (f follower) reloadModels(ctx context.Context) {
	if !f.set.Load(ctx) {
		return
	}
	if err := f.server.ReplaceModels(f.set.Models()); err != nil {
		f.settings.log.Error("the loaded models cannot be served: the models stay as they were", "error", err)
	}
}
