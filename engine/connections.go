package engine

// ConnectionInfo describes one connection profile, without its address or
// secrets.
type ConnectionInfo struct {
	Name      string `json:"name"`
	Dialect   string `json:"dialect"`
	Available bool   `json:"available"`
}

// Connections lists the connection profiles, none where none are configured.
func (e *Engine) Connections() []ConnectionInfo { return []ConnectionInfo{} }
