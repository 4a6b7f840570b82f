package engine

import (
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/sqlemit"
)

// Capabilities describes what this engine supports.
type Capabilities struct {
	EngineVersion   string        `json:"engine_version"`
	SpecVersion     string        `json:"spec_version"`
	Extension       ExtensionInfo `json:"extension"`
	Dialects        []DialectInfo `json:"dialects"`
	ConnectionTypes []string      `json:"connection_types"`
	Features        []string      `json:"features"`
	// Functions are those that expressions may call.
	Functions []FunctionInfo `json:"functions"`
	// Limits are the bounds on input and results.
	Limits []limits.Limit `json:"limits"`
}

// ExtensionInfo describes the vendor extension.
type ExtensionInfo struct {
	Version     string                    `json:"version"`
	Minimum     string                    `json:"minimum"`
	VendorNames []string                  `json:"vendor_names"`
	Keys        []extension.KeyDefinition `json:"keys"`
}

// DialectInfo describes one SQL dialect: the engine compiles to all of them, and
// Executes reports whether it can also run the SQL.
type DialectInfo struct {
	Name     string   `json:"name"`
	Aliases  []string `json:"aliases"`
	Executes bool     `json:"executes"`
}

// Capabilities lists versions, extension keys, dialects and features.
func (e *Engine) Capabilities() Capabilities {
	c := Capabilities{
		EngineVersion: e.config.Version,
		SpecVersion:   modelspec.SpecVersion,
		Extension: ExtensionInfo{
			Version:     extension.Version,
			Minimum:     extension.MinimumVersion,
			VendorNames: modelspec.ExtensionVendors(),
			Keys:        extension.AllKeyDefinitions(),
		},
		Dialects:        []DialectInfo{},
		ConnectionTypes: []string{},
		Features:        e.config.featureNames(),
		Functions:       Functions(),
		Limits:          e.config.serviceLimits(),
	}
	runs := map[string]bool{}
	for _, t := range warehouse.WarehouseTypesWithDrivers(e.config.warehouseOptions()) {
		runs[t.Dialect] = true
		c.ConnectionTypes = append(c.ConnectionTypes, t.Name)
	}
	for _, name := range sqlemit.DialectNames() {
		d, _ := sqlemit.LookupDialect(name)
		c.Dialects = append(c.Dialects, DialectInfo{Name: name, Aliases: append([]string{}, d.Aliases()...), Executes: runs[name]})
	}
	return c
}

// FeatureCompileOnly is the feature of a server that compiles queries and does not execute them.
const FeatureCompileOnly = "compile_only"

// featureNames returns the features of the engine, by the names that clients know.
func (c Config) featureNames() []string {
	f := []string{"metric_queries", "detail_queries", "attribution", "sql", "saved", "find", "values", "compatible", "hints", "count", "at", "rollups", "views", "sequences"}
	if c.checkEmbeddedDriver() == nil {
		f = append(f, "embedded_duckdb")
	}
	f = append(f, "connections")
	if c.CacheMiB > 0 {
		f = append(f, "cache")
	}
	return append(f, c.Features...)
}
