package engine

import (
	"strconv"

	"github.com/semlayer/semlayer/executor/profile"
)

// databaseLimits are the memory and the temporary space of one DuckDB database, and those of one file of local rollups, as the settings write them; ""
// for the defaults of DuckDB.
type databaseLimits struct{ memory, spill, localMemory, localSpill string }

// minDatabaseMemory is the least memory of a database, in bytes.
const minDatabaseMemory = 32 << 20

// divideDatabaseLimits divides the memory and the temporary space of DuckDB among the embedded database and the profiles. The
// memory that profiles name comes off first. Profiles that are added later have the same part. The files of local rollups have one part together.
func (c Config) divideDatabaseLimits() (out databaseLimits) {
	parts, named := int64(1), int64(0)
	memoryParts := int64(1)
	for _, p := range c.duckDBProfiles() {
		parts++
		if bytes := p.MemoryLimitBytes(); bytes > 0 {
			named += bytes
		} else {
			memoryParts++
		}
	}
	if c.RollupDir != "" {
		parts++
		memoryParts++
	}
	if c.Memory != nil {
		part := (c.Memory.Database - named) / memoryParts
		out.memory, out.localMemory = formatMiB(max(part, minDatabaseMemory)), formatMiB(max(part/maxLocalFiles, minDatabaseMemory))
	}
	if c.SpillMiB > 0 {
		part := int64(c.SpillMiB) << 20 / parts
		out.spill, out.localSpill = formatMiB(max(part, 1<<20)), formatMiB(max(part/maxLocalFiles, 1<<20))
	}
	return out
}

// duckDBProfiles lists the settings of the DuckDB profiles. Errors of the file are reported where it is read for its connections.
func (c Config) duckDBProfiles() (out []*profile.DuckDB) {
	path := c.ConnectionsPath
	if path == "" && c.DiscoverConnections && c.ConnectionsText == nil {
		path = profile.FindProfilesFile()
	}
	if path == "" && c.ConnectionsText == nil {
		return nil
	}
	file, err := readProfiles(path, c.ConnectionsText)
	if err != nil {
		return nil
	}
	for _, p := range file.Profiles {
		if s, ok := p.Settings.(*profile.DuckDB); ok {
			out = append(out, s)
		}
	}
	return out
}

// formatMiB writes a number of bytes as a setting of DuckDB.
func formatMiB(bytes int64) string { return strconv.FormatInt(bytes>>20, 10) + "MiB" }
