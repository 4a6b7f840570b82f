package client

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
)

// Health returns nil while the server's process lives. It needs no token.
func (c *Client) Health(ctx context.Context) error {
	s, err := sendAndDecodeJSON[healthResponse](ctx, c, newServerRootGetRequest("/health"))
	if err == nil && s.Status != "ok" {
		return fmt.Errorf("the health of the server is %q", s.Status)
	}
	return err
}

// Ready reports whether the server takes requests: false, without an error, while
// it is shutting down. It needs no token.
func (c *Client) Ready(ctx context.Context) (bool, error) {
	res, err := c.sendWithRetries(ctx, newServerRootGetRequest("/ready"))
	if err != nil {
		return false, err
	}
	if res.StatusCode != http.StatusOK && res.StatusCode != http.StatusServiceUnavailable {
		return false, readErrorResponse(res)
	}
	defer res.Body.Close()
	text, err := readLimitedBody(res.Body, maxErrorBytes)
	if err != nil {
		return false, fmt.Errorf("GET /ready: reading the response: %w", err)
	}
	var s healthResponse
	_ = decodeSingleJSONValue(text, &s) // a text that does not decode has no status either
	switch {
	case res.StatusCode == http.StatusOK && s.Status == "ready":
		return true, nil
	case res.StatusCode == http.StatusServiceUnavailable && s.Status == "draining":
		return false, nil
	}
	return false, &Error{HTTPStatus: res.StatusCode, Message: describeNonServiceResponse(res, text)}
}

type healthResponse struct {
	Status string `json:"status"`
}

// Models lists the models of the server, also where the base URL is that of one of them.
func (c *Client) Models(ctx context.Context) ([]ModelEntry, error) {
	return sendAndDecodeJSON[[]ModelEntry](ctx, c, newServerRootGetRequest("/v1/models"))
}

// Identity describes the caller: the identity of the client's token.
func (c *Client) Identity(ctx context.Context) (*Identity, error) {
	return sendAndDecodeJSON[*Identity](ctx, c, newGetRequest("/v1/identity"))
}

// Model describes the model that is served.
func (c *Client) Model(ctx context.Context) (*Model, error) {
	return sendAndDecodeJSON[*Model](ctx, c, newGetRequest("/v1/model"))
}

// Capabilities returns what the server supports.
func (c *Client) Capabilities(ctx context.Context) (*Capabilities, error) {
	return sendAndDecodeJSON[*Capabilities](ctx, c, newGetRequest("/v1/capabilities"))
}

// Datasets lists the datasets in the order of the model.
func (c *Client) Datasets(ctx context.Context) ([]Dataset, error) {
	return sendAndDecodeJSON[[]Dataset](ctx, c, newGetRequest("/v1/datasets"))
}

// Metrics lists the metrics in the order of the model.
func (c *Client) Metrics(ctx context.Context) ([]Metric, error) {
	return sendAndDecodeJSON[[]Metric](ctx, c, newGetRequest("/v1/metrics"))
}

// MetricsInView lists the metrics of a view, with the labels and folders that it gives. Another name is code unknown_view.
func (c *Client) MetricsInView(ctx context.Context, view string) ([]Metric, error) {
	r := newGetRequest("/v1/metrics")
	r.query = url.Values{"view": {view}}
	return sendAndDecodeJSON[[]Metric](ctx, c, r)
}

// DimensionsInView lists what a metric can be grouped by in a view, or with "" every field of the view.
func (c *Client) DimensionsInView(ctx context.Context, metric, view string) ([]Dimension, error) {
	r := newGetRequest("/v1/dimensions")
	r.query = url.Values{"view": {view}}
	if metric != "" {
		r.query.Set("metric", metric)
	}
	return sendAndDecodeJSON[[]Dimension](ctx, c, r)
}

// Dimensions lists what a metric can be grouped by, or with "" every field of
// the model. An unknown metric is code unknown_metric.
func (c *Client) Dimensions(ctx context.Context, metric string) ([]Dimension, error) {
	r := newGetRequest("/v1/dimensions")
	if metric != "" {
		r.query = url.Values{"metric": {metric}}
	}
	return sendAndDecodeJSON[[]Dimension](ctx, c, r)
}

// Relationships lists how the datasets of the model are joined.
func (c *Client) Relationships(ctx context.Context) ([]Relationship, error) {
	return sendAndDecodeJSON[[]Relationship](ctx, c, newGetRequest("/v1/relationships"))
}

// Views lists the named parts of the model.
func (c *Client) Views(ctx context.Context) ([]View, error) {
	return sendAndDecodeJSON[[]View](ctx, c, newGetRequest("/v1/views"))
}

// Findings lists what did not compile, and the warnings of the model.
func (c *Client) Findings(ctx context.Context) (*Findings, error) {
	return sendAndDecodeJSON[*Findings](ctx, c, newGetRequest("/v1/findings"))
}

// SavedQueries lists the saved queries of the model.
func (c *Client) SavedQueries(ctx context.Context) ([]SavedQuery, error) {
	return sendAndDecodeJSON[[]SavedQuery](ctx, c, newGetRequest("/v1/saved"))
}

// Connections lists the connection profiles.
func (c *Client) Connections(ctx context.Context) ([]Connection, error) {
	return sendAndDecodeJSON[[]Connection](ctx, c, newGetRequest("/v1/connections"))
}

// CheckConnections asks the warehouse of each connection profile that the caller may use. It is an execution.
func (c *Client) CheckConnections(ctx context.Context) ([]ConnectionStatus, error) {
	r := newGetRequest("/v1/connections")
	r.query = url.Values{"check": {"true"}}
	return sendAndDecodeJSON[[]ConnectionStatus](ctx, c, r)
}

// Lineage returns what is made of what, from tables to metrics: of one metric
// everything that it is made of, or with "" the whole model. An unknown metric
// is code unknown_metric.
func (c *Client) Lineage(ctx context.Context, metric string) (*Lineage, error) {
	r := newGetRequest("/v1/lineage")
	if metric != "" {
		r.query = url.Values{"metric": {metric}}
	}
	return sendAndDecodeJSON[*Lineage](ctx, c, r)
}

// Validate checks the text of a model, YAML or JSON, in the server's mode. An
// invalid model is not an error; its Validation.Valid is false.
func (c *Client) Validate(ctx context.Context, model string) (*Validation, error) {
	return postQuery[*Validation](ctx, c, "/v1/validate", map[string]string{"model": model})
}

// Compile returns the SQL of a metric query. No warehouse is touched.
func (c *Client) Compile(ctx context.Context, q MetricQuery) (*Compiled, error) {
	return postQuery[*Compiled](ctx, c, "/v1/query/compile", q)
}

// Explain returns the logical plan of a metric query.
func (c *Client) Explain(ctx context.Context, q MetricQuery) (*Explained, error) {
	return postQuery[*Explained](ctx, c, "/v1/query/explain", q)
}

// Execute returns the rows of a metric query.
func (c *Client) Execute(ctx context.Context, q MetricQuery) (*Result, error) {
	return postQuery[*Result](ctx, c, "/v1/query/execute", q)
}

// ExecuteArrow returns the rows of a metric query as an Arrow IPC stream, which
// the caller closes. The context bounds the whole stream.
func (c *Client) ExecuteArrow(ctx context.Context, q MetricQuery) (*ArrowStream, error) {
	return c.openArrowStream(ctx, "/v1/query/execute", q)
}

// Attribute decomposes the change of a metric between two windows.
func (c *Client) Attribute(ctx context.Context, q AttributeQuery) (*Attribution, error) {
	return postQuery[*Attribution](ctx, c, "/v1/query/attribute", q)
}

// SelectCompile returns the SQL of a detail query. No warehouse is touched.
func (c *Client) SelectCompile(ctx context.Context, q DetailQuery) (*Compiled, error) {
	return postQuery[*Compiled](ctx, c, "/v1/select/compile", q)
}

// SelectExplain returns the logical plan of a detail query.
func (c *Client) SelectExplain(ctx context.Context, q DetailQuery) (*Explained, error) {
	return postQuery[*Explained](ctx, c, "/v1/select/explain", q)
}

// SelectExecute returns the rows of a detail query.
func (c *Client) SelectExecute(ctx context.Context, q DetailQuery) (*Result, error) {
	return postQuery[*Result](ctx, c, "/v1/select/execute", q)
}

// SelectExecuteArrow is ExecuteArrow for detail queries.
func (c *Client) SelectExecuteArrow(ctx context.Context, q DetailQuery) (*ArrowStream, error) {
	return c.openArrowStream(ctx, "/v1/select/execute", q)
}

// CompileSQL returns the SQL of the warehouse for a statement over the model. No warehouse is touched.
func (c *Client) CompileSQL(ctx context.Context, s SQLStatement) (*CompiledStatement, error) {
	return postQuery[*CompiledStatement](ctx, c, "/v1/sql/compile", s)
}

// ExecuteSQL returns the rows of a statement over the model.
func (c *Client) ExecuteSQL(ctx context.Context, s SQLStatement) (*Result, error) {
	return postQuery[*Result](ctx, c, "/v1/sql/execute", s)
}

// StreamSQL is ExecuteArrow for statements.
func (c *Client) StreamSQL(ctx context.Context, s SQLStatement) (*ArrowStream, error) {
	return c.openArrowStream(ctx, "/v1/sql/execute", s)
}

func postQuery[T any](ctx context.Context, c *Client, path string, in any) (out T, err error) {
	r, err := newPostRequest(path, in)
	if err != nil {
		return out, err
	}
	return sendAndDecodeJSON[T](ctx, c, r)
}
