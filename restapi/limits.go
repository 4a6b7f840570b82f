package restapi

import "github.com/semlayer/semlayer/engine"

// limits lists the bounds that the server itself sets, beside those of the engine.
func (c Config) limits() []engine.Limit {
	return []engine.Limit{
		{Name: "body_bytes", Value: int64(c.MaxBodyBytes), Unit: "bytes", AppliesTo: "the body of a request", Code: CodeBadRequest, Setting: "--max-body-bytes"},
		{Name: "head_bytes", Value: maxHeadBytes, Unit: "bytes", AppliesTo: "the head of a request", Code: CodeBadRequest},
		{Name: "request_seconds", Value: int64(c.RequestTimeout.Seconds()), Unit: "seconds", AppliesTo: "a request that does not execute", Code: CodeTimeout, Setting: "--request-timeout-secs"},
		{Name: "execute_seconds", Value: int64(c.ExecuteTimeout.Seconds()), Unit: "seconds", AppliesTo: "an execution; of a stream the time to its first rows", Code: CodeTimeout, Setting: "--execute-timeout-secs"},
	}
}
