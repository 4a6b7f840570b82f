package reload

import (
	"context"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/semlayer/semlayer/cmd/internal/collector"
	"github.com/semlayer/semlayer/cmd/internal/mcp"
	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/restapi"
)

// Options are what a ModelSet needs.
type Options struct {
	Source     ModelSource
	Default    string // model for paths without a name; "" for the only one, if there is one
	Warehouses *engine.Warehouses
	Strict     bool // reject compile errors
	Log        *slog.Logger
	Collector  *collector.Pacer
	// Messages returns what answers the messages of MCP for an engine; nil for nothing.
	Messages func(*engine.Engine, *mcp.CancelFuncsOfCalls) http.Handler
	// Loaded is called with each engine that Reload is going to serve.
	Loaded func(e *engine.Engine)
	// ShowRefusal shows why a file was rejected to the author of the model, who watches a terminal; where it
	// is nil the log has the first findings.
	ShowRefusal func(path string, err error)
}

// ModelSet holds the models of a Source. One goroutine at a time uses it.
type ModelSet struct {
	options Options
	states  map[string]*watchedModelFile
	order   []string // names, as restapi.Models lists them
	// dataFiles is why the data files were rejected, nil where they are the tables.
	dataFiles *restapi.ReloadError
	// collectPostponed ends the postponement of the garbage collector; nil where it is not postponed.
	collectPostponed func()
}

// watchedModelFile is what is known of one file.
type watchedModelFile struct {
	path   string
	engine *engine.Engine // nil: no text was good yet
	model  *restapi.Model
	served [sha256.Size]byte // of the text of engine
	// rejected is the text that was rejected last, or the message of a file that cannot be read.
	refused  [sha256.Size]byte
	reload   restapi.ReloadReport
	messages *swappableMCPHandler   // of engine
	calls    mcp.CancelFuncsOfCalls // of all engines of the file
}

// swappableMCPHandler answers the messages of one engine.
type swappableMCPHandler struct{ inner atomic.Pointer[http.Handler] }

// ServeHTTP answers a message.
func (h *swappableMCPHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	(*h.inner.Load()).ServeHTTP(w, r)
}

func (h *swappableMCPHandler) setHandler(inner http.Handler) { h.inner.Store(&inner) }

// OpenModels loads the models for the first time. The error is that of the first file that is not a good model.
func OpenModels(ctx context.Context, o Options) (*ModelSet, error) {
	s := &ModelSet{options: o, states: map[string]*watchedModelFile{}}
	files, err := o.Source.listFilePerModel()
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s holds no model: a model is a file NAME.yaml, NAME.yml or NAME.json, NAME of letters, digits, _ and -", o.Source.Folder)
	}
	for _, f := range files {
		text, err := f.readSingleModel(ctx, o.Source)
		if err != nil {
			return nil, err
		}
		e, err := o.Warehouses.OpenModel(ctx, f.path, text)
		if err != nil {
			return nil, err
		}
		st := &watchedModelFile{path: f.path, reload: restapi.ReloadReport{Model: f.name}}
		st.replaceServedEngine(f.name, e, text, o)
		s.states[f.name] = st
		s.order = append(s.order, f.name)
	}
	if o.Default != "" && s.states[o.Default] == nil {
		return nil, fmt.Errorf("the default model %s is not in %s", o.Default, o.Source.Folder)
	}
	return s, nil
}

// readSingleModel reads the one file of a server as every command does, a pipe too.
func (f namedModelFile) readSingleModel(ctx context.Context, s ModelSource) ([]byte, error) {
	if s.Folder == "" && f.generate == nil {
		return modelspec.ReadModelFileText(f.path)
	}
	return f.readRegularFile(ctx)
}

// Engines lists the engines that are served.
func (s *ModelSet) Engines() []*engine.Engine {
	var out []*engine.Engine
	for _, name := range s.order {
		if e := s.states[name].engine; e != nil {
			out = append(out, e)
		}
	}
	return out
}

// ServedModels returns the models to serve now.
func (s *ModelSet) ServedModels() restapi.Models {
	m := restapi.Models{Several: s.options.Source.Folder != "", Default: s.options.Default, DataFiles: s.dataFiles}
	for _, name := range s.order {
		st := s.states[name]
		if st.engine != nil {
			m.List = append(m.List, st.model)
		}
		m.Reloads = append(m.Reloads, st.reload)
	}
	switch st := s.states[m.Default]; {
	case m.Default == "" && len(m.List) == 1:
		m.Default = m.List[0].Name
	case st == nil || st.engine == nil:
		m.Default = ""
	}
	return m
}

// ReportDataFiles keeps why the data files were rejected, nil where they are the tables, for ServedModels. The time of a
// rejection is that of the first one with the same code. It reports whether this is another state.
func (s *ModelSet) ReportDataFiles(err error) (changed bool) {
	var reported *restapi.ReloadError
	if err != nil {
		reported = newDataFilesError(err, time.Now())
	}
	if s.dataFiles == nil && reported == nil || s.dataFiles != nil && reported != nil && s.dataFiles.Code == reported.Code {
		return false
	}
	s.dataFiles = reported
	return true
}

// Reload reads the files again. It calls serve where there is something new to serve or to report, and reports
// whether it has. The garbage collector, which waits while a file loads, runs after serve: the models of before are
// garbage then, so that the collector need not mark them.
func (s *ModelSet) Reload(ctx context.Context, serve func(restapi.Models)) (changed bool) {
	defer s.collectPostponedGarbage()
	if changed = s.loadFiles(ctx); changed {
		serve(s.ServedModels())
	}
	return changed
}

// loadFiles reads the files again and reports whether there is something new to serve or to report.
func (s *ModelSet) loadFiles(ctx context.Context) (changed bool) {
	files, err := s.options.Source.listFilePerModel()
	if err != nil {
		s.options.Log.Warn("the folder of the models cannot be read: the models stay as they were", "folder", s.options.Source.Folder, "error", err)
		return false
	}
	var order []string
	states := map[string]*watchedModelFile{}
	for _, f := range files {
		st := s.states[f.name]
		if st == nil || st.path != f.path {
			st, changed = st.resetOrCreateStateForFile(f), true
		}
		changed = s.loadFile(ctx, f, st) || changed
		states[f.name] = st
		order = append(order, f.name)
	}
	for _, name := range s.order {
		if states[name] == nil {
			s.options.Log.Info("model removed", "model", name, "path", s.states[name].path)
			changed = true
		}
	}
	s.states, s.order = states, order
	return changed
}

// resetOrCreateStateForFile returns the state of a model whose file is another now, or that is new.
func (st *watchedModelFile) resetOrCreateStateForFile(f namedModelFile) *watchedModelFile {
	if st == nil {
		return &watchedModelFile{path: f.path, reload: restapi.ReloadReport{Model: f.name}}
	}
	st.path, st.served = f.path, [sha256.Size]byte{} // the path is a part of what is served
	return st
}

// loadFile reads one file again and reports whether its state has changed.
func (s *ModelSet) loadFile(ctx context.Context, f namedModelFile, st *watchedModelFile) bool {
	text, err := f.readRegularFile(ctx)
	sum := sha256.Sum256(text)
	if err != nil {
		sum = sha256.Sum256([]byte(err.Error()))
	}
	switch {
	case err == nil && st.engine != nil && sum == st.served:
		if st.reload.Error == nil {
			return false
		}
		s.options.Log.Info("model: the file holds the text again that is served", s.addModelNameToLogAttributes(f, "revision", st.engine.Revision())...)
		st.reload.Error, st.refused = nil, [sha256.Size]byte{}
		return true
	case sum == st.refused:
		return false
	}
	begun := time.Now()
	var e *engine.Engine
	if err == nil {
		s.collectPostponedGarbage() // of the file before
		s.collectPostponed = s.options.Collector.Postpone()
		runAtLowPriority(func() { e, err = s.openEngine(ctx, f, text) })
	}
	switch {
	case ctx.Err() != nil:
		return false // the server stops
	case err != nil:
		st.refused = sum
		st.reload.Refused++
		st.reload.Error = newReloadError(err, time.Now())
		s.logRefusal(f, st, err)
		return true
	}
	st.refused, st.reload.Error = [sha256.Size]byte{}, nil
	st.reload.Accepted++
	st.replaceServedEngine(f.name, e, text, s.options)
	m := e.AsAuthor().Model()
	s.options.Log.Info("model loaded", s.addModelNameToLogAttributes(f, "revision", m.Revision, "datasets", m.Datasets, "metrics", m.Metrics,
		"took_ms", time.Since(begun).Milliseconds())...)
	s.options.Loaded(e)
	return true
}

// collectPostponedGarbage runs the garbage collector where it is postponed. The thread that calls it must have the priority of the
// requests: the collector stops them for a moment, which lasts until this thread ends it.
func (s *ModelSet) collectPostponedGarbage() {
	if s.collectPostponed != nil {
		s.collectPostponed()
		s.collectPostponed = nil
	}
}

// addModelNameToLogAttributes returns attributes of a line of log, with the name of the model where there are several.
func (s *ModelSet) addModelNameToLogAttributes(f namedModelFile, attributes ...any) []any {
	out := []any{"path", f.path}
	if f.name != "" {
		out = append([]any{"model", f.name}, out...)
	}
	return append(out, attributes...)
}

// openEngine opens the engine of a text.
func (s *ModelSet) openEngine(ctx context.Context, f namedModelFile, text []byte) (*engine.Engine, error) {
	e, err := s.options.Warehouses.OpenModel(ctx, f.path, text)
	if err != nil {
		return nil, err
	}
	if broken := e.CompileErrors(); s.options.Strict && len(broken) > 0 {
		return nil, &CompileErrors{List: broken}
	}
	return e, nil
}

// replaceServedEngine makes an engine the one that is served.
func (st *watchedModelFile) replaceServedEngine(name string, e *engine.Engine, text []byte, o Options) {
	st.engine, st.served = e, sha256.Sum256(text)
	st.model = &restapi.Model{Name: name, Service: e, Closed: func() { _ = e.Close() }}
	if o.Messages != nil {
		st.messages = &swappableMCPHandler{}
		st.messages.setHandler(o.Messages(e, &st.calls))
		st.model.MCP = st.messages
	}
}

// AddNewConnectionProfiles reads the connection profiles again and adds those whose names are new.
func (s *ModelSet) AddNewConnectionProfiles() {
	known := len(s.options.Warehouses.ConnectionsFileReport().Warnings)
	added, err := s.options.Warehouses.AddProfiles()
	report := s.options.Warehouses.ConnectionsFileReport()
	for _, w := range report.Warnings[min(known, len(report.Warnings)):] {
		s.options.Log.Warn("connections: "+w, "file", report.Path)
	}
	switch {
	case err != nil:
		s.options.Log.Warn("the connection profiles stay as they were", "error", err)
	case len(added) > 0:
		s.options.Log.Info("connection profiles added", "connections", strings.Join(added, ","))
		for _, st := range s.states { // whose tools name the connections
			if st.messages != nil {
				st.messages.setHandler(s.options.Messages(st.engine, &st.calls))
			}
		}
	}
}
