package postgres

// Described is how many statements the executor remembers the columns of.
func Described(e *Executor) int {
	e.described.mu.Lock()
	defer e.described.mu.Unlock()
	return len(e.described.seen)
}

// SettingNames are the settings of sessions.
func SettingNames() (names []string) {
	for _, s := range settings() {
		names = append(names, s.name)
	}
	return names
}
