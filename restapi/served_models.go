package restapi

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/semlayer/semlayer/restapi/internal/static"
)

// Model is one revision of a model with what answers its requests. The server uses its
// address as its identity: a changed model is another Model.
type Model struct {
	// Name is the model's in the paths /m/Name/…; it counts only where Models.Several is set.
	Name    string
	Service Service
	// MCP answers POST /mcp, as Config.MCP does.
	MCP http.Handler
	// Closed is called once, in its own goroutine, when the model is no longer served
	// and its last request has ended; nil for nothing.
	Closed func()
}

// Models are what a server serves until the next Server.ReplaceModels.
type Models struct {
	// List holds the models in the order of GET /v1/models.
	List []*Model
	// Several puts each model under /m/NAME. Without it List holds exactly one.
	Several bool
	// Default is the name of the model for paths without /m/NAME; "" for
	// none. It counts only where Several is set.
	Default string
	// Reloads reports how often models were loaded again, and what was rejected.
	Reloads []ReloadReport
	// DataFiles is why changed data files were rejected, nil where the files are the tables.
	DataFiles *ReloadError
}

// ReloadReport reports how often one model was loaded again since the server has started.
type ReloadReport struct {
	Model    string // name in the paths; "" where Models.Several is not set
	Accepted int64
	Refused  int64
	// Error is why the newest text was rejected, nil where it is the one that is served.
	Error *ReloadError
}

// ReloadError is why a text, or the data files, were rejected. GET /ready shows it without a token, so it holds
// nothing of the model and no name of a file.
type ReloadError struct {
	Code    string
	Message string
	At      time.Time
}

// MaxModelLabels is how many models have their own label in the metrics; the label of
// every further one is "other".
const MaxModelLabels = 100

// modelNamePattern are the names that a model can have in a path.
var modelNamePattern = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// IsModelName reports whether a model can be served under /m/name.
func IsModelName(name string) bool { return modelNamePattern.MatchString(name) }

func (m Models) checkModels() error {
	if !m.Several && len(m.List) != 1 {
		return errors.New("a server without paths for several models serves exactly one")
	}
	seen := map[string]bool{}
	for _, one := range m.List {
		switch {
		case one == nil || one.Service == nil:
			return errors.New("a model has no service")
		case !m.Several:
		case !IsModelName(one.Name):
			return fmt.Errorf("the name %q cannot be in a path: a name has letters, digits, _ and - only", one.Name)
		case seen[one.Name]:
			return fmt.Errorf("two models are named %s", one.Name)
		}
		seen[one.Name] = true
	}
	if m.Several && m.Default != "" && !seen[m.Default] {
		return fmt.Errorf("the default model %s is not one of the models", m.Default)
	}
	return nil
}

// servedModel is a Model with what the server keeps for it.
type servedModel struct {
	*Model
	label     string // in the metrics and the log; "" where one model is served
	lists     *listResponseCache
	documents openAPIDocuments
	uses      atomic.Int64 // requests, and one for the set that lists it; 0 when it is closed
}

// acquireForRequest counts a request. It returns false where the model is closed already.
func (m *servedModel) acquireForRequest() bool {
	for {
		n := m.uses.Load()
		if n == 0 {
			return false
		}
		if m.uses.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// releaseFromRequest ends a request, or the listing of the model.
func (m *servedModel) releaseFromRequest() {
	if m.uses.Add(-1) == 0 && m.Closed != nil {
		go m.Closed()
	}
}

// modelSet is Models as the requests use them. It does not change.
type modelSet struct {
	Models
	list     []*servedModel
	byName   map[string]*servedModel
	fallback *servedModel // answers paths without a name; nil for none
}

// modelNames lists the names of the models in their order.
func (set *modelSet) modelNames() []string {
	var out []string
	for _, m := range set.list {
		out = append(out, m.Name)
	}
	return out
}

// modelPrometheusLabels gives each name of a model its label in the metrics.
type modelPrometheusLabels struct {
	mu      sync.Mutex
	byName  map[string]bool
	several bool
}

func (l *modelPrometheusLabels) labelOfModel(name string) string {
	if !l.several {
		return ""
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.byName[name] && len(l.byName) >= MaxModelLabels {
		return otherRouteLabel
	}
	if l.byName == nil {
		l.byName = map[string]bool{}
	}
	l.byName[name] = true
	return name
}

// ReplaceModels makes these the models that are served, from the next request on. A request
// that has begun ends with the model that it began with. A Model that was served before
// stays as it is; one that is not listed any more is closed after its last request.
func (s *Server) ReplaceModels(m Models) error {
	if m.Several != s.labels.several {
		return errors.New("a server of one model cannot become a server of several, or the reverse")
	}
	s.replacing.Lock()
	defer s.replacing.Unlock()
	held := s.models.Load()
	set, err := s.newModelSet(m, held)
	if err != nil {
		return err
	}
	s.models.Store(set)
	for _, old := range held.list {
		if !slices.Contains(set.list, old) {
			old.releaseFromRequest()
		}
	}
	return nil
}

// newModelSet prepares models for their requests; those of the held set stay what they are.
func (s *Server) newModelSet(m Models, held *modelSet) (*modelSet, error) {
	if err := m.checkModels(); err != nil {
		return nil, err
	}
	m.List, m.Reloads = slices.Clone(m.List), slices.Clone(m.Reloads)
	known := map[*Model]*servedModel{}
	if held != nil {
		for _, one := range held.list {
			known[one.Model] = one
		}
	}
	set := &modelSet{Models: m, byName: map[string]*servedModel{}}
	for _, one := range m.List {
		served := known[one]
		if served == nil {
			served = s.newServedModel(one)
		}
		set.list = append(set.list, served)
		set.byName[one.Name] = served
	}
	if m.Several {
		set.fallback = set.byName[m.Default]
	} else {
		set.fallback = set.list[0]
	}
	return set, nil
}

// listResponseCache holds the last form of each list, by path.
type listResponseCache struct{ byPath sync.Map }

func (f *listResponseCache) loadIfCached(path string) (static.File, bool) {
	held, ok := f.byPath.Load(path)
	if !ok {
		return static.File{}, false
	}
	file, ok := held.(static.File)
	return file, ok
}

func (f *listResponseCache) store(path string, file static.File) { f.byPath.Store(path, file) }
