package clickhouse

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/semlayer/semlayer/executor/credential"
	"github.com/semlayer/semlayer/executor/internal/driver"
)

const (
	exceptionCodeHeader = "X-ClickHouse-Exception-Code"
	// killTimeout bounds the request that ends a statement.
	killTimeout = 300 * time.Millisecond
	// A server's complaint is read up to this length, a DESCRIBE up to the other.
	maxErrorTextBytes = 64 << 10
	maxDescribeBytes  = 16 << 20
)

// newQueryID makes the name by which a statement is killed.
func newQueryID() string { return "semlayer-" + rand.Text() }

// querySettings returns the settings of every statement but KILL.
func (e *Executor) querySettings(queryID, format string) url.Values {
	settings := url.Values{
		"query_id":                              {queryID},
		"default_format":                        {format},
		"readonly":                              {"2"},
		"http_write_exception_in_output_format": {"0"},
		"wait_end_of_query":                     {"0"},
		"cancel_http_readonly_queries_on_client_close": {"1"},
	}
	e.known.addSupportedSettings(settings)
	return settings
}

// sendWithSupportedSettings sends a statement and returns what a server that accepts it answers. A server that does
// not know one of the settings is asked again without it.
func (e *Executor) sendWithSupportedSettings(ctx context.Context, settings url.Values, text string) (io.ReadCloser, error) {
	for {
		body, err := e.sendStatementOnce(ctx, settings, text)
		var x *serverException
		if !errors.As(err, &x) || x.code != exceptionUnknownSetting || !e.known.removeUnsupportedSetting(settings, x.text) {
			return body, err
		}
	}
}

func (e *Executor) sendStatementOnce(ctx context.Context, settings url.Values, text string) (io.ReadCloser, error) {
	if e.options.Database != "" {
		settings.Set("database", e.options.Database)
	}
	target := e.address
	target.RawQuery = settings.Encode()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, target.String(), strings.NewReader(text))
	if err != nil {
		return nil, driver.ConfigError("the address of the ClickHouse connection is invalid", nil)
	}
	request.Header.Set("Content-Type", "text/plain; charset=utf-8")
	if e.options.User != "" {
		request.Header.Set("X-ClickHouse-User", e.options.User)
	}
	password, err := credential.Current(ctx, e.options.PasswordSource, e.options.Password)
	if err != nil {
		return nil, err
	}
	if !password.IsZero() {
		request.Header.Set("X-ClickHouse-Key", password.Reveal())
	}
	response, err := e.client.Do(request)
	if err != nil {
		return nil, classifyTransportError(err)
	}
	if response.StatusCode == http.StatusOK && response.Header.Get(exceptionCodeHeader) == "" {
		return response.Body, nil
	}
	defer response.Body.Close()
	complaint, err := io.ReadAll(io.LimitReader(response.Body, maxErrorTextBytes))
	if err != nil && len(complaint) == 0 {
		return nil, driver.ConnectionLostError(err)
	}
	return nil, e.classifyFailedResponse(response, complaint)
}

// killStatement asks the server to end a statement. It gives up quietly: the caller cuts the
// connection then.
func (e *Executor) killStatement(ctx context.Context, queryID string) {
	// The context that ended is why this is called.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), killTimeout)
	defer cancel()
	answer, err := e.sendWithSupportedSettings(ctx, url.Values{}, "KILL QUERY WHERE query_id = '"+queryID+"' ASYNC")
	if err != nil {
		return
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(answer, maxErrorTextBytes))
	_ = answer.Close()
}

// describeColumns requests the types of a statement's columns.
func (e *Executor) describeColumns(ctx context.Context, text string) ([]string, error) {
	// The text may end in a comment.
	text = "DESCRIBE TABLE (\n" + strings.TrimRight(text, "; \t\r\n") + "\n)"
	body, err := e.sendWithSupportedSettings(ctx, e.querySettings(newQueryID(), "JSONEachRow"), text)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	answer, err := io.ReadAll(io.LimitReader(body, maxDescribeBytes))
	if err != nil {
		return nil, driver.ConnectionLostError(err)
	}
	var types []string
	for d := json.NewDecoder(bytes.NewReader(answer)); ; {
		var column struct{ Type string }
		err := d.Decode(&column)
		if errors.Is(err, io.EOF) {
			return types, nil
		}
		if err != nil {
			return nil, e.classifyStreamEnd(answer, nil)
		}
		types = append(types, column.Type)
	}
}
