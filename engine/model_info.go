package engine

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"time"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/lineage"
	"github.com/semlayer/semlayer/modelspec/timezone"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// ModelInfo describes the served model.
type ModelInfo struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	// View is the view that requests are in; "" for the whole model.
	View             string `json:"view,omitempty"`
	Path             string `json:"path"`
	Mode             string `json:"mode"` // "vendor" or "basic"
	SpecVersion      string `json:"spec_version"`
	ExtensionVersion string `json:"extension_version"`
	Datasets         int    `json:"datasets"`
	Fields           int    `json:"fields"`
	Metrics          int    `json:"metrics"`
	Relationships    int    `json:"relationships"`
	Warnings         int    `json:"warnings"`
	// Revision is that of Engine.Revision.
	Revision string `json:"revision"`
	// LoadedAt is when this revision was opened, in UTC; the zero time is left out.
	LoadedAt time.Time `json:"loaded_at,omitzero"`
}

// Model describes the model that the engine serves, with counts of its objects.
func (e *Engine) Model() ModelInfo {
	e = e.visible()
	view := ""
	if v := e.cat.ScopeView(); v != nil {
		view = v.Name
	}
	return ModelInfo{
		Name:             e.cat.Name,
		Description:      e.descriptionInScope(),
		View:             view,
		Path:             e.config.ModelPath,
		Mode:             e.config.extensionModeName(),
		SpecVersion:      modelspec.SpecVersion,
		ExtensionVersion: extension.Version,
		Datasets:         len(e.cat.ShownDatasets()),
		Fields:           len(e.cat.ShownFields()),
		Metrics:          len(e.cat.ShownMetrics()),
		Relationships:    len(e.cat.Relationships),
		Warnings:         e.totalWarningCount(),
		Revision:         e.revision,
		LoadedAt:         e.loadedAt,
	}
}

// IgnoredVendors lists the other vendors whose custom_extensions entries have no effect
// here, in document order. The vendor's tools may apply such an entry;
// this engine ignores it.
func (e *Engine) IgnoredVendors() []modelspec.VendorEntryCount { return slices.Clone(e.vendors) }

// Revision identifies the text of the model and the mode in which it is read: the first
// 12 hexadecimal digits of the SHA-256 of the text followed by the mode.
func (e *Engine) Revision() string { return e.revision }

func modelRevision(text []byte, mode string) string {
	h := sha256.New()
	_, _ = h.Write(text) // which never fails
	_, _ = h.Write([]byte(mode))
	return hex.EncodeToString(h.Sum(nil))[:12]
}

func (c Config) extensionModeName() string {
	if c.Basic {
		return "basic"
	}
	return "vendor"
}

// Findings are what the author of the model should know.
type Findings struct {
	CompileErrors []*modelspec.CompileError  `json:"compile_errors"`
	Warnings      []modelspec.CompileWarning `json:"warnings"`
}

// Findings lists the objects of the model that did not compile, and its
// warnings.
func (e *Engine) Findings() Findings {
	e = e.visible()
	f := Findings{CompileErrors: e.CompileErrors(), Warnings: e.Warnings()}
	if f.CompileErrors == nil {
		f.CompileErrors = []*modelspec.CompileError{}
	}
	return f
}

// Lineage returns the graph of the whole model, or with a metric the part that
// it is made of: everything upstream of it, and the joins between its datasets.
// What did not compile is in the graph with its error and with what is known of
// its origin. An unknown metric is a *planerr.Error of code unknown_metric, and the end of
// ctx an *ExecuteError of code timeout.
func (e *Engine) Lineage(ctx context.Context, metric string) (*lineage.Graph, error) {
	return describeAndConvertError(ctx, e, func(ctx context.Context) (*lineage.Graph, error) {
		graph, err := e.lineageOfModelOrMetric(ctx, metric)
		if err == nil && e.hidesSQL() {
			graph = graph.WithoutSources()
		}
		return graph, err
	})
}

func (e *Engine) lineageOfModelOrMetric(ctx context.Context, metric string) (*lineage.Graph, error) {
	if metric == "" {
		return lineage.ModelGraph(ctx, e.cat)
	}
	m, err := e.describer.FindMetric(metric)
	if err != nil {
		return nil, err
	}
	return lineage.MetricGraph(ctx, e.cat, m)
}

// NearestTimeZones lists the names of zones that are most similar to a text.
func NearestTimeZones(text string) []string {
	return timezone.NearestNames(text, sqlerror.MaxCandidates)
}

// DefaultTimeZone returns the zone of statements that name none: that of the model, else UTC.
func (e *Engine) DefaultTimeZone() string {
	return cmp.Or(e.cat.TimeZone, timezone.UTC)
}
