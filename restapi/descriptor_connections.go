package restapi

// The bounds of Config.MaxConnections where it is 0, and what the process needs
// beside the connections of clients: the model, the log, the runtime, and the files
// that an embedded database opens when it computes on disk.
const (
	DefaultMaxConnections         = 2048
	minConnections                = 16
	descriptorsReservedForProcess = 128
)

// maxConnectionsForDescriptors returns how many connections of clients the process has
// descriptors for. reserved is what the rest of the process needs beside descriptorsReservedForProcess.
func maxConnectionsForDescriptors(limit, reserved int) int {
	return max(limit-descriptorsReservedForProcess-reserved, limit/4, minConnections)
}

// withConnectionLimit sets how many connections there may be: as many as requested, or
// the default, and not more than the process has descriptors for.
func (c Config) withConnectionLimit() Config {
	asked := c.MaxConnections
	if asked == 0 {
		c.MaxConnections = DefaultMaxConnections
	}
	limit, known := descriptorLimit()
	if !known {
		return c
	}
	c.MaxConnections = min(c.MaxConnections, maxConnectionsForDescriptors(limit, c.ReservedDescriptors))
	if c.MaxConnections < asked {
		c.Logger.Warn("fewer connections than configured, because of the limit of open files (ulimit -n)",
			"connections", c.MaxConnections, "asked", asked, "open_files", limit)
	}
	return c
}
