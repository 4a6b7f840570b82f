package executor

// The codes of the execute stage.
const (
	CodeConfig      = "config"
	CodeConnection  = "connection"
	CodeAuth        = "auth"
	CodeSQLRejected = "sql_rejected"
	CodeDriver      = "driver"
	CodeTimeout     = "timeout"
	CodeMemoryLimit = "memory_limit"
	CodeInternal    = "internal"
)

// CodeInfo describes one code: when it is raised, which optional fields of the
// error it may fill, and the release that introduced it.
type CodeInfo struct {
	Code   string
	When   string
	Extras []string
	Since  string
}

// Codes returns the registry of the execute stage in the order of the
// documentation. The slice is the caller's own.
func Codes() []CodeInfo {
	return []CodeInfo{
		{CodeConfig, "the connection profile is invalid: a bad URI, a database file that does not open, a missing driver option", []string{"hint"}, "0.1.0"},
		{CodeConnection, "the warehouse cannot be reached, or the connection broke before it was ready", []string{"hint"}, "0.1.0"},
		{CodeAuth, "the warehouse rejected the credentials", []string{"hint"}, "0.1.0"},
		{CodeSQLRejected, "the warehouse rejected the SQL; the message has the warehouse's own error. Where the embedded database is empty: candidates, the connections", []string{"candidates", "suggested_retry", "hint"}, "0.1.0"},
		{CodeDriver, "the driver failed after connecting, or a value cannot be converted", []string{"hint"}, "0.1.0"},
		{CodeTimeout, "the statement ran out of time, on the warehouse or in the service", []string{"hint"}, "0.1.0"},
		{CodeMemoryLimit, "the request alone needs more memory than its share, or the embedded DuckDB has no memory or no temporary space left for the statement", []string{"hint"}, "0.1.0"},
		{CodeInternal, "the statement for the embedded database is not exactly one SELECT that changes nothing, and was not run", nil, "0.1.0"},
	}
}
