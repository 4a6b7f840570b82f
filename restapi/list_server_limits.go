package restapi

import (
	"cmp"

	"github.com/semlayer/semlayer/modelspec/limits"
)

// listReportedServerLimits lists the bounds that the server itself sets, beside those of the engine.
func (c Config) listReportedServerLimits() []limits.Limit {
	return []limits.Limit{
		{Name: "body_bytes", Value: int64(c.MaxBodyBytes), Unit: "bytes", AppliesTo: "the body of a request", Code: CodeBadRequest, Setting: "--max-body-bytes"},
		{Name: "head_bytes", Value: maxHeadBytes, Unit: "bytes", AppliesTo: "the head of a request", Code: CodeBadRequest},
		{Name: "connections", Value: int64(c.MaxConnections), Unit: "connections", AppliesTo: "open connections of clients; idle ones are closed to make room", Code: CodeBusy, Setting: "--max-connections"},
		{Name: "connections_per_address", Value: int64(cmp.Or(c.MaxConnectionsPerAddress, c.MaxConnections)), Unit: "connections", AppliesTo: "open connections of one address; idle ones are closed to make room", Code: CodeBusy, Setting: "--max-connections-per-address"},
		{Name: "request_seconds", Value: int64(c.RequestTimeout.Seconds()), Unit: "seconds", AppliesTo: "a request that does not execute", Code: CodeTimeout, Setting: "--request-timeout-secs"},
		{Name: "stream_seconds", Value: int64(c.StreamTimeout.Seconds()), Unit: "seconds", AppliesTo: "a stream from its start to its last row", Code: CodeTimeout, Setting: "--stream-timeout-secs"},
		{Name: "execute_seconds", Value: int64(c.ExecuteTimeout.Seconds()), Unit: "seconds", AppliesTo: "an execution; of a stream the time to its first rows", Code: CodeTimeout, Setting: "--execute-timeout-secs"},
	}
}
