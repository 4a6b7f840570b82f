package clickhouse

import (
	"maps"
	"slices"
)

// SettingNames returns the settings that requests carry.
func SettingNames() []string { return slices.Sorted(maps.Keys(resultAffectingSettings())) }
