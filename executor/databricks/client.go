package databricks

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/semlayer/semlayer/executor/credential"
	"github.com/semlayer/semlayer/executor/internal/remote"
)

const (
	// maxStatementIDWait bounds the wait for the statement ID of a canceled statement, which the
	// request to cancel needs.
	maxStatementIDWait = 300 * time.Millisecond
	firstPollInterval  = 20 * time.Millisecond
	maxPollInterval    = 500 * time.Millisecond
	maxResponseBytes   = 64 << 20
)

// client makes the requests of one profile.
type client struct {
	options   Options
	warehouse string
	base      *url.URL
	http      *http.Client
	settings  sessionSettingsCheckCache
}

// statementRequest is a new statement.
type statementRequest struct {
	Statement     string `json:"statement"`
	WarehouseID   string `json:"warehouse_id"`
	Catalog       string `json:"catalog,omitempty"`
	Schema        string `json:"schema,omitempty"`
	WaitTimeout   string `json:"wait_timeout"`
	OnWaitTimeout string `json:"on_wait_timeout,omitempty"`
	Disposition   string `json:"disposition"`
	Format        string `json:"format"`
}

// statementResponse is the interface's response about a statement.
type statementResponse struct {
	ID       string          `json:"statement_id"`
	Status   statementStatus `json:"status"`
	Manifest resultManifest  `json:"manifest"`
	Result   resultChunk     `json:"result"`
}

type statementStatus struct {
	State string     `json:"state"`
	Error *errorBody `json:"error"`
	// SQLState of a statement that failed.
	SQLState string `json:"sql_state"`
}

type resultManifest struct {
	Schema struct {
		Columns []columnSchema `json:"columns"`
	} `json:"schema"`
	Rows      int64 `json:"total_row_count"`
	Truncated bool  `json:"truncated"`
}

type columnSchema struct {
	Name      string `json:"name"`
	Text      string `json:"type_text"`
	Type      string `json:"type_name"`
	Precision int32  `json:"type_precision"`
	Scale     int32  `json:"type_scale"`
}

// resultChunk is a part of the rows: links, or the rows themselves as texts.
type resultChunk struct {
	Links []chunkLink `json:"external_links"`
	Rows  [][]*string `json:"data_array"`
}

type chunkLink struct {
	URL     string            `json:"external_link"`
	Headers map[string]string `json:"http_headers"`
	Rows    int64             `json:"row_count"`
	Next    *int              `json:"next_chunk_index"`
}

func (c *client) newStatementRequest(sql string) statementRequest {
	return statementRequest{
		Statement: sql, WarehouseID: c.warehouse, Catalog: c.options.Catalog, Schema: c.options.Schema,
		WaitTimeout: "0s", Disposition: "EXTERNAL_LINKS", Format: "ARROW_STREAM",
	}
}

// submitStatement starts a statement.
func (c *client) submitStatement(ctx context.Context, r statementRequest) (*statementResponse, error) {
	body, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	detached, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(maxStatementIDWait, cut) })
	defer stop()
	a := &statementResponse{}
	return a, c.sendRequest(detached, http.MethodPost, "", body, a)
}

func (c *client) getStatementStatus(ctx context.Context, id string) (*statementResponse, error) {
	a := &statementResponse{}
	return a, c.sendRequest(ctx, http.MethodGet, id, nil, a)
}

func (c *client) fetchChunkLinks(ctx context.Context, id string, index int) (*resultChunk, error) {
	k := &resultChunk{}
	return k, c.sendRequest(ctx, http.MethodGet, id+"/result/chunks/"+strconv.Itoa(index), nil, k)
}

// cancelStatement gives up quietly.
func (c *client) cancelStatement(ctx context.Context, id string) {
	_ = c.sendRequest(ctx, http.MethodPost, id+"/cancel", nil, &struct{}{})
}

func (c *client) sendRequest(ctx context.Context, method, path string, body []byte, into any) error {
	to := c.base.JoinPath(path).String()
	response, err := remote.DoWithRetries(ctx, c.http, func(ctx context.Context) (*http.Request, error) {
		r, err := http.NewRequestWithContext(ctx, method, to, bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		token, err := credential.Current(ctx, c.options.Source, c.options.Token)
		if err != nil {
			return nil, err
		}
		r.Header.Set("Authorization", "Bearer "+token.Reveal())
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("User-Agent", "semlayer")
		return r, nil
	})
	if err != nil {
		return err
	}
	defer response.Body.Close()
	err = json.NewDecoder(io.LimitReader(response.Body, maxResponseBytes)).Decode(into)
	if errors.Is(err, io.EOF) { // an empty answer, as that of cancel
		return nil
	}
	return err
}

// openChunkLink begins to read the target of a link. The link contains its own permission, and the
// request sends no other.
func (c *client) openChunkLink(ctx context.Context, l chunkLink) (io.ReadCloser, error) {
	response, err := remote.DoWithRetries(ctx, c.http, func(ctx context.Context) (*http.Request, error) {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, l.URL, http.NoBody)
		if err != nil {
			return nil, err
		}
		if r.URL.Scheme != "https" && r.URL.Scheme != c.base.Scheme {
			return nil, errUnencryptedLink
		}
		for key, value := range l.Headers {
			r.Header.Set(key, value)
		}
		return r, nil
	})
	if err != nil {
		return nil, err
	}
	return response.Body, nil
}
