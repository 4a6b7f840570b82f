package mysql

// SettingNames returns the settings of sessions of a dialect.
func SettingNames(dialect string) (names []string) {
	for _, s := range sessionSettings(defaultSQLMode(dialect), dialect) {
		names = append(names, s.name)
	}
	return names
}
