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
	"github.com/semlayer/semlayer/executor/internal/remote"
)

const (
	// maxJobLocationWait bounds the wait for the location of a canceled job, which the request to
	// cancel needs.
	maxJobLocationWait = 300 * time.Millisecond
	// resultPollTimeout is how long the service holds a request for results that are not
	// there yet.
	resultPollTimeout = 10 * time.Second
	maxPageBytes      = 512 << 20
)

// client makes the requests of one profile.
type client struct {
	options Options
	base    *url.URL
	http    *http.Client
	tokens  *tokenSource
}

// jobReference is the name of a job.
type jobReference struct {
	ProjectID string `json:"projectId"`
	JobID     string `json:"jobId"`
	Location  string `json:"location,omitempty"`
}

// readLocationFromError reads the location of a job from the error that a second job of the same name
// gets, "Already Exists: Job project:location.job". Outside of the multi-regions US and EU the
// service finds no job without its location.
func (r *jobReference) readLocationFromError(refusal []byte) {
	before, _, ok := bytes.Cut(refusal, []byte("."+r.JobID))
	if !ok || r.Location != "" {
		return
	}
	location := string(before[bytes.LastIndexByte(before, ':')+1:])
	if location != "" && strings.Trim(location, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") == "" {
		r.Location = location
	}
}

type jobRequest struct {
	Reference     jobReference     `json:"jobReference"`
	Configuration jobConfiguration `json:"configuration"`
}

type jobConfiguration struct {
	Query  queryConfiguration `json:"query"`
	Labels map[string]string  `json:"labels,omitempty"`
}

type queryConfiguration struct {
	SQL            string               `json:"query"`
	LegacySQL      bool                 `json:"useLegacySql"`
	MaxBytesBilled int64                `json:"maximumBytesBilled,omitempty,string"`
	DefaultDataset *datasetReference    `json:"defaultDataset,omitempty"`
	Properties     []connectionProperty `json:"connectionProperties,omitempty"`
}

type datasetReference struct {
	ProjectID string `json:"projectId"`
	DatasetID string `json:"datasetId"`
}

type connectionProperty struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// resultPage is a response of getQueryResults.
type resultPage struct {
	Complete  bool   `json:"jobComplete"`
	PageToken string `json:"pageToken"`
	Schema    struct {
		Fields []columnSchema `json:"fields"`
	} `json:"schema"`
	Rows []resultRow `json:"rows"`
}

type columnSchema struct {
	Name      string         `json:"name"`
	Type      string         `json:"type"`
	Mode      string         `json:"mode"`
	Precision string         `json:"precision"`
	Scale     string         `json:"scale"`
	Fields    []columnSchema `json:"fields"`
}

// resultRow is {"f": [{"v": value}, …]}.
type resultRow struct {
	Cells []struct {
		Value json.RawMessage `json:"v"`
	} `json:"f"`
}

// maxBytesBilled returns the lesser of the limits of the profile and of the caller; 0 without either.
func (c *client) maxBytesBilled(ctx context.Context) int64 {
	own, callers := c.options.MaxBytesBilled, executor.MaxBytesBilled(ctx)
	if own == 0 || callers == 0 {
		return max(own, callers)
	}
	return min(own, callers)
}

// insertJob starts a job of the name and completes the name with its location.
func (c *client) insertJob(ctx context.Context, name *jobReference, sql string) error {
	j := jobRequest{Reference: *name, Configuration: jobConfiguration{Query: queryConfiguration{
		SQL: sql, Properties: []connectionProperty{{"time_zone", "UTC"}}, MaxBytesBilled: c.maxBytesBilled(ctx),
	}}}
	if id, number, ok := executor.NextQueryTag(ctx); ok {
		// A label has no slash and no capitals.
		j.Configuration.Labels = map[string]string{"semlayer_query": strings.ToLower(id), "semlayer_statement": strconv.FormatInt(number, 10)}
	}
	if c.options.Dataset != "" {
		j.Configuration.Query.DefaultDataset = &datasetReference{c.options.Project, c.options.Dataset}
	}
	body, err := json.Marshal(j)
	if err != nil {
		return err
	}
	detached, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(maxJobLocationWait, cut) })
	defer stop()
	var accepted jobRequest
	err = c.sendRequest(detached, http.MethodPost, "jobs", nil, body, &accepted)
	var status *remote.FailedResponse
	if errors.As(err, &status) && status.Code == http.StatusConflict {
		name.readLocationFromError(status.Body) // an attempt before had arrived
		return nil
	}
	if err == nil {
		name.Location = accepted.Reference.Location
	}
	return err
}

// fetchResultPage reads the next page.
func (c *client) fetchResultPage(ctx context.Context, name jobReference, token string) (*resultPage, error) {
	q := url.Values{
		"timeoutMs":                       {strconv.FormatInt(resultPollTimeout.Milliseconds(), 10)},
		"formatOptions.useInt64Timestamp": {"true"},
	}
	setLocationParam(q, name)
	if token != "" {
		q.Set("pageToken", token)
	}
	p := &resultPage{}
	return p, c.sendRequest(ctx, http.MethodGet, "queries/"+name.JobID, q, nil, p)
}

// cancelJob gives up quietly.
func (c *client) cancelJob(ctx context.Context, name jobReference) {
	q := url.Values{}
	setLocationParam(q, name)
	_ = c.sendRequest(ctx, http.MethodPost, "jobs/"+name.JobID+"/cancel", q, nil, &struct{}{})
}

func setLocationParam(q url.Values, name jobReference) {
	if name.Location != "" {
		q.Set("location", name.Location)
	}
}

func (c *client) sendRequest(ctx context.Context, method, path string, q url.Values, body []byte, into any) error {
	to := c.base.JoinPath(path)
	to.RawQuery = q.Encode()
	response, err := remote.DoWithRetries(ctx, c.http, func(ctx context.Context) (*http.Request, error) {
		r, err := http.NewRequestWithContext(ctx, method, to.String(), bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		token, err := c.tokens.validToken(ctx)
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
	return json.NewDecoder(io.LimitReader(response.Body, maxPageBytes)).Decode(into)
}

// newJobReference names a job.
func (c *client) newJobReference() jobReference {
	return jobReference{ProjectID: c.options.Project, JobID: "semlayer_" + rand.Text(), Location: c.options.Location}
}
