package duckdb

// SettingNames are the settings that every database gets.
func SettingNames() (names []string) {
	for _, s := range fixedSettings() {
		names = append(names, s.name)
	}
	return names
}
