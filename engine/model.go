package engine

import (
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/extension"
)

// ModelInfo says what is being served.
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
}

// Model describes the model that the engine serves, with counts of its objects.
func (e *Engine) Model() ModelInfo {
	return ModelInfo{
		Name:             e.cat.Name,
		Description:      e.cat.Description,
		Path:             e.config.ModelPath,
		Mode:             e.mode(),
		SpecVersion:      modelspec.SpecVersion,
		ExtensionVersion: extension.Version,
		Datasets:         len(e.cat.Datasets),
		Fields:           len(e.cat.Fields),
		Metrics:          len(e.cat.Metrics),
		Relationships:    len(e.cat.Relationships),
		Warnings:         e.countWarnings(),
	}
}

func (e *Engine) mode() string {
	if e.config.Basic {
		return "basic"
	}
	return "vendor"
}
