package duckdb

// SettingNames returns the settings that every database gets.
func SettingNames() (names []string) {
	for _, s := range resultAffectingSettings() {
		names = append(names, s.name)
	}
	return names
}
