package snowflake

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/semlayer/semlayer/executor/internal/remote"
)

const (
	// maxStatementHandleWait bounds the wait for the statement handle of a canceled statement, which the
	// request to cancel needs.
	maxStatementHandleWait = 300 * time.Millisecond
	firstPollInterval      = 20 * time.Millisecond
	maxPollInterval        = 500 * time.Millisecond
	maxResponseBytes       = 512 << 20
)

// client makes the requests of one profile.
type client struct {
	options Options
	auth    *tokenOrKeyCredentials
	base    *url.URL
	http    *http.Client
	names   chan struct{} // holds one while names are asked about
	kept    bool          // names keep their letters
}

// statementRequest is a new statement.
type statementRequest struct {
	Statement  string            `json:"statement"`
	Warehouse  string            `json:"warehouse,omitempty"`
	Database   string            `json:"database,omitempty"`
	Schema     string            `json:"schema,omitempty"`
	Role       string            `json:"role,omitempty"`
	Parameters map[string]string `json:"parameters"`
}

// statementResponse is the interface's response about a statement, and its rows.
type statementResponse struct {
	Handle string         `json:"statementHandle"`
	Result resultMetadata `json:"resultSetMetaData"`
	Data   []resultRow    `json:"data"`
	// running is that the statement has not ended.
	running bool
}

type resultRow []*string

type resultMetadata struct {
	Rows       int64           `json:"numRows"`
	Columns    []columnSchema  `json:"rowType"`
	Partitions []partitionInfo `json:"partitionInfo"`
}

type columnSchema struct {
	Name      string `json:"name"`
	Type      string `json:"type"`
	Precision int32  `json:"precision"`
	Scale     int32  `json:"scale"`
}

type partitionInfo struct {
	Rows int64 `json:"rowCount"`
}

// submitStatement starts a statement. The tag may be empty.
func (c *client) submitStatement(ctx context.Context, sql, tag string) (*statementResponse, error) {
	parameters := map[string]string{"TIMEZONE": "UTC", "MULTI_STATEMENT_COUNT": "1", "ROWS_PER_RESULTSET": "0"}
	if tag != "" {
		parameters["QUERY_TAG"] = tag
	}
	body, err := json.Marshal(statementRequest{
		Statement: sql,
		Warehouse: unquoteOrUppercaseIdentifier(c.options.Warehouse), Database: unquoteOrUppercaseIdentifier(c.options.Database),
		Schema: unquoteOrUppercaseIdentifier(c.options.Schema), Role: unquoteOrUppercaseIdentifier(c.options.Role),
		Parameters: parameters,
	})
	if err != nil {
		return nil, err
	}
	detached, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(maxStatementHandleWait, cut) })
	defer stop()
	// A repeated request is marked as a retry and does not run twice.
	q := url.Values{"requestId": {newRequestUUID()}, "async": {"true"}}
	a, again := &statementResponse{}, false
	return a, c.sendRequest(detached, http.MethodPost, "", func() url.Values {
		if again {
			q.Set("retry", "true")
		}
		again = true
		return q
	}, body, a)
}

// newRequestUUID returns a UUID of version 4.
func newRequestUUID() string {
	var id [16]byte
	_, _ = rand.Read(id[:]) // never fails
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}

func constantQueryParamsFunc(q url.Values) func() url.Values { return func() url.Values { return q } }

// pollStatement asks whether the statement has ended, and for its first partition.
func (c *client) pollStatement(ctx context.Context, handle string) (*statementResponse, error) {
	a := &statementResponse{}
	return a, c.sendRequest(ctx, http.MethodGet, handle, constantQueryParamsFunc(nil), nil, a)
}

func (c *client) fetchPartition(ctx context.Context, handle string, n int) (*statementResponse, error) {
	a := &statementResponse{}
	return a, c.sendRequest(ctx, http.MethodGet, handle, constantQueryParamsFunc(url.Values{"partition": {strconv.Itoa(n)}}), nil, a)
}

// cancelStatement gives up quietly.
func (c *client) cancelStatement(ctx context.Context, handle string) {
	_ = c.sendRequest(ctx, http.MethodPost, handle+"/cancel", constantQueryParamsFunc(nil), nil, &statementResponse{})
}

func (c *client) sendRequest(ctx context.Context, method, path string, query func() url.Values, body []byte, into *statementResponse) error {
	to := c.base.JoinPath(path)
	response, err := remote.DoWithRetries(ctx, c.http, func(ctx context.Context) (*http.Request, error) {
		to.RawQuery = query().Encode()
		r, err := http.NewRequestWithContext(ctx, method, to.String(), bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json")
		r.Header.Set("User-Agent", "semlayer/1")
		return r, c.auth.setHeaders(r)
	})
	if err != nil {
		return err
	}
	defer response.Body.Close()
	into.running = response.StatusCode == http.StatusAccepted
	return json.NewDecoder(io.LimitReader(response.Body, maxResponseBytes)).Decode(into)
}
