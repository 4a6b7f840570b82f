package postgres

// Described returns the number of statements the executor remembers the columns of.
func Described(e *Executor) int {
	e.columns.mu.Lock()
	defer e.columns.mu.Unlock()
	return len(e.columns.columnsByStatement)
}

// SettingNames returns the settings of sessions.
func SettingNames() (names []string) {
	for _, s := range sessionSettings() {
		names = append(names, s.name)
	}
	return names
}
