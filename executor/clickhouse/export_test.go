package clickhouse

import (
	"maps"
	"slices"
)

// SettingNames are the settings that requests carry.
func SettingNames() []string { return slices.Sorted(maps.Keys(resultAffectingSettings())) }
