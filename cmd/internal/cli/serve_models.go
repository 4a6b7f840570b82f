package cli

import (
	"context"
	"io"
	"net/http"
	"os"

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
func (s settings) modelSource(c engine.Config) (source reload.Source, defaultModel string, err error) {
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
		source, _ := os.ReadFile(path) // without it there are no excerpts
		text = findingsText(path, source, v, styleOf(a.std.Err))
	}
	_, _ = io.WriteString(a.std.Err, text)
}

// follow loads the models again when their files change, where the server watches, and at each SIGHUP,
// until ctx ends.
func follow(ctx context.Context, c serverSettings, set *reload.Set, hangups <-chan os.Signal, server *restapi.Server) {
	var changes <-chan struct{}
	if c.watch {
		w := filewatch.New(c.source.Paths, c.log)
		changes = w.Changes()
		done := make(chan struct{})
		go func() {
			defer close(done)
			w.Run(ctx)
		}()
		defer func() { <-done }()
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-changes:
		case <-hangups:
			c.log.Info("SIGHUP: the model files and new connection profiles are read")
			set.AddProfiles()
		}
		if !set.Load(ctx) {
			continue
		}
		if err := server.ReplaceModels(set.Models()); err != nil {
			c.log.Error("the loaded models cannot be served: the models stay as they were", "error", err)
		}
	}
}
