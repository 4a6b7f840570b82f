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

	"github.com/semlayer/semlayer/executor/internal/httpapi"
)

const (
	// acceptWait bounds the wait for a statement that is no longer wanted
	// until it has a handle.
	acceptWait = 300 * time.Millisecond
	firstPoll  = 20 * time.Millisecond
	lastPoll   = 500 * time.Millisecond
	maxAnswer  = 512 << 20
)

// client makes the requests of one profile.
type client struct {
	options Options
	auth    *credentials
	base    *url.URL
	http    *http.Client
	names   chan struct{} // holds one while names are asked about
	kept    bool          // names keep their letters
}

// request is a new statement.
type request struct {
	Statement  string            `json:"statement"`
	Warehouse  string            `json:"warehouse,omitempty"`
	Database   string            `json:"database,omitempty"`
	Schema     string            `json:"schema,omitempty"`
	Role       string            `json:"role,omitempty"`
	Parameters map[string]string `json:"parameters"`
}

// answer is the interface's response about a statement, and its rows.
type answer struct {
	Handle string   `json:"statementHandle"`
	Result metadata `json:"resultSetMetaData"`
	Data   []row    `json:"data"`
	// running is that the statement has not ended.
	running bool
}

type row []*string

type metadata struct {
	Rows       int64       `json:"numRows"`
	Columns    []column    `json:"rowType"`
	Partitions []partition `json:"partitionInfo"`
}

type column struct {
	Name      string `json:"name"`
	Type      string `json:"type"`
	Precision int32  `json:"precision"`
	Scale     int32  `json:"scale"`
}

type partition struct {
	Rows int64 `json:"rowCount"`
}

// submit starts a statement. The tag may be empty.
func (c *client) submit(ctx context.Context, sql, tag string) (*answer, error) {
	parameters := map[string]string{"TIMEZONE": "UTC", "MULTI_STATEMENT_COUNT": "1", "ROWS_PER_RESULTSET": "0"}
	if tag != "" {
		parameters["QUERY_TAG"] = tag
	}
	body, err := json.Marshal(request{
		Statement: sql,
		Warehouse: exactIdentifier(c.options.Warehouse), Database: exactIdentifier(c.options.Database),
		Schema: exactIdentifier(c.options.Schema), Role: exactIdentifier(c.options.Role),
		Parameters: parameters,
	})
	if err != nil {
		return nil, err
	}
	detached, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(acceptWait, cut) })
	defer stop()
	// A repeated request is marked as a retry and does not run twice.
	q := url.Values{"requestId": {newID()}, "async": {"true"}}
	a, again := &answer{}, false
	return a, c.do(detached, http.MethodPost, "", func() url.Values {
		if again {
			q.Set("retry", "true")
		}
		again = true
		return q
	}, body, a)
}

// newID is a UUID of version 4.
func newID() string {
	var id [16]byte
	_, _ = rand.Read(id[:]) // never fails
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}

func constantParams(q url.Values) func() url.Values { return func() url.Values { return q } }

// poll asks whether the statement has ended, and for its first partition.
func (c *client) poll(ctx context.Context, handle string) (*answer, error) {
	a := &answer{}
	return a, c.do(ctx, http.MethodGet, handle, constantParams(nil), nil, a)
}

func (c *client) partition(ctx context.Context, handle string, n int) (*answer, error) {
	a := &answer{}
	return a, c.do(ctx, http.MethodGet, handle, constantParams(url.Values{"partition": {strconv.Itoa(n)}}), nil, a)
}

// cancel gives up quietly.
func (c *client) cancel(ctx context.Context, handle string) {
	_ = c.do(ctx, http.MethodPost, handle+"/cancel", constantParams(nil), nil, &answer{})
}

func (c *client) do(ctx context.Context, method, path string, query func() url.Values, body []byte, into *answer) error {
	to := c.base.JoinPath(path)
	response, err := httpapi.Do(ctx, c.http, func(ctx context.Context) (*http.Request, error) {
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
	return json.NewDecoder(io.LimitReader(response.Body, maxAnswer)).Decode(into)
}
