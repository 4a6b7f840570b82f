package bigquery

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/httpapi"
)

const (
	// acceptWait bounds the wait until the service has accepted a job that is no longer wanted, and
	// has thereby reported the location of the job.
	acceptWait = 300 * time.Millisecond
	// resultWait is how long the service holds a request for results that are not
	// there yet.
	resultWait = 10 * time.Second
	maxPage    = 512 << 20
)

// client makes the requests of one profile.
type client struct {
	options Options
	base    *url.URL
	http    *http.Client
	tokens  *tokens
}

// reference is the name of a job.
type reference struct {
	ProjectID string `json:"projectId"`
	JobID     string `json:"jobId"`
	Location  string `json:"location,omitempty"`
}

// learnLocation reads the location of a job from the error that a second job of the same name
// gets, "Already Exists: Job project:location.job". Outside of the multi-regions US and EU the
// service finds no job without its location.
func (r *reference) learnLocation(refusal []byte) {
	before, _, ok := bytes.Cut(refusal, []byte("."+r.JobID))
	if !ok || r.Location != "" {
		return
	}
	location := string(before[bytes.LastIndexByte(before, ':')+1:])
	if location != "" && strings.Trim(location, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") == "" {
		r.Location = location
	}
}

type job struct {
	Reference     reference     `json:"jobReference"`
	Configuration configuration `json:"configuration"`
}

type configuration struct {
	Query  query             `json:"query"`
	Labels map[string]string `json:"labels,omitempty"`
}

type query struct {
	SQL            string     `json:"query"`
	LegacySQL      bool       `json:"useLegacySql"`
	DefaultDataset *dataset   `json:"defaultDataset,omitempty"`
	Properties     []property `json:"connectionProperties,omitempty"`
}

type dataset struct {
	ProjectID string `json:"projectId"`
	DatasetID string `json:"datasetId"`
}

type property struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// page is a response of getQueryResults.
type page struct {
	Complete  bool   `json:"jobComplete"`
	PageToken string `json:"pageToken"`
	Schema    struct {
		Fields []field `json:"fields"`
	} `json:"schema"`
	Rows []row `json:"rows"`
}

type field struct {
	Name      string  `json:"name"`
	Type      string  `json:"type"`
	Mode      string  `json:"mode"`
	Precision string  `json:"precision"`
	Scale     string  `json:"scale"`
	Fields    []field `json:"fields"`
}

// row is {"f": [{"v": value}, …]}.
type row struct {
	Cells []struct {
		Value json.RawMessage `json:"v"`
	} `json:"f"`
}

// insert starts a job of the name and completes the name with its location.
func (c *client) insert(ctx context.Context, name *reference, sql string) error {
	j := job{Reference: *name, Configuration: configuration{Query: query{
		SQL: sql, Properties: []property{{"time_zone", "UTC"}},
	}}}
	if id, number, ok := executor.QueryTag(ctx); ok {
		// A label has no slash and no capitals.
		j.Configuration.Labels = map[string]string{"semlayer_query": strings.ToLower(id), "semlayer_statement": strconv.FormatInt(number, 10)}
	}
	if c.options.Dataset != "" {
		j.Configuration.Query.DefaultDataset = &dataset{c.options.Project, c.options.Dataset}
	}
	body, err := json.Marshal(j)
	if err != nil {
		return err
	}
	detached, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(acceptWait, cut) })
	defer stop()
	var accepted job
	err = c.do(detached, http.MethodPost, "jobs", nil, body, &accepted)
	var status *httpapi.Status
	if errors.As(err, &status) && status.Code == http.StatusConflict {
		name.learnLocation(status.Body) // an attempt before had arrived
		return nil
	}
	if err == nil {
		name.Location = accepted.Reference.Location
	}
	return err
}

// resultPage reads the next page.
func (c *client) resultPage(ctx context.Context, name reference, token string) (*page, error) {
	q := url.Values{
		"timeoutMs":                       {strconv.FormatInt(resultWait.Milliseconds(), 10)},
		"formatOptions.useInt64Timestamp": {"true"},
	}
	locate(q, name)
	if token != "" {
		q.Set("pageToken", token)
	}
	p := &page{}
	return p, c.do(ctx, http.MethodGet, "queries/"+name.JobID, q, nil, p)
}

// cancel gives up quietly.
func (c *client) cancel(ctx context.Context, name reference) {
	q := url.Values{}
	locate(q, name)
	_ = c.do(ctx, http.MethodPost, "jobs/"+name.JobID+"/cancel", q, nil, &struct{}{})
}

func locate(q url.Values, name reference) {
	if name.Location != "" {
		q.Set("location", name.Location)
	}
}

func (c *client) do(ctx context.Context, method, path string, q url.Values, body []byte, into any) error {
	to := c.base.JoinPath(path)
	to.RawQuery = q.Encode()
	response, err := httpapi.Do(ctx, c.http, func(ctx context.Context) (*http.Request, error) {
		r, err := http.NewRequestWithContext(ctx, method, to.String(), bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		token, err := c.tokens.token(ctx)
		if err != nil {
			return nil, err
		}
		token.SetAuthHeader(r)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("User-Agent", "semlayer")
		return r, nil
	})
	if err != nil {
		return err
	}
	defer response.Body.Close()
	return json.NewDecoder(io.LimitReader(response.Body, maxPage)).Decode(into)
}

// newName names a job.
func (c *client) newName() reference {
	return reference{ProjectID: c.options.Project, JobID: "semlayer_" + rand.Text(), Location: c.options.Location}
}
