package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"time"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/extension"
)

// ModelInfo describes the served model.
type ModelInfo struct {
	Name             string `json:"name"`
	Description      string `json:"description,omitempty"`
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
	return ModelInfo{
		Name:             e.cat.Name,
		Description:      e.cat.Description,
		Path:             e.config.ModelPath,
		Mode:             e.config.extensionModeName(),
		SpecVersion:      modelspec.SpecVersion,
		ExtensionVersion: extension.Version,
		Datasets:         len(e.cat.Datasets),
		Fields:           len(e.cat.Fields),
		Metrics:          len(e.cat.Metrics),
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
