package bigquery

import (
	"net/url"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/driver"
	"github.com/semlayer/semlayer/executor/internal/remote"
	"github.com/semlayer/semlayer/executor/profile"
	"github.com/semlayer/semlayer/executor/warehouse"
)

// Driver opens the profiles of type bigquery.
func Driver() warehouse.Driver {
	return warehouse.Driver{Type: "bigquery", StatementsWrite: true, Open: func(p profile.Profile, o warehouse.Options) (executor.Executor, error) {
		s, ok := p.Settings.(*profile.BigQuery)
		if !ok {
			return nil, driver.ConfigError("the connection profile is not of type bigquery", nil)
		}
		return Open(Options{
			Project:         s.Project,
			Dataset:         s.Dataset,
			Location:        s.Location,
			CredentialsFile: s.CredentialsFile,
			MaxBytesBilled:  int64(s.MaxBytesBilled),
			PoolSize:        o.PoolSize,
		})
	}}
}

const (
	defaultEndpoint = "https://bigquery.googleapis.com"
	defaultPoolSize = 8
)

// Options say which project asks. Fields that are not set have the defaults in
// brackets.
type Options struct {
	// Project pays for the queries.
	Project string
	// Dataset resolves the names of tables without a dataset.
	Dataset string
	// Location of the data, such as EU [found by the service].
	Location string
	// CredentialsFile [the environment's credentials].
	CredentialsFile string
	// MaxBytesBilled is the cost of the dearest statement [the limit of the project].
	MaxBytesBilled int64
	// PoolSize bounds the statements that run at once [8]. Further ones wait.
	PoolSize int
	// Endpoint of the service, for private ones [https://bigquery.googleapis.com].
	Endpoint string
}

// Open checks the options and reads the file of the credentials. It connects to
// nothing. Its errors have the code config.
func Open(o Options) (executor.Executor, error) {
	if o.Project == "" {
		return nil, driver.ConfigError("the project is missing", nil)
	}
	if o.PoolSize == 0 {
		o.PoolSize = defaultPoolSize
	}
	if o.Endpoint == "" {
		o.Endpoint = defaultEndpoint
	}
	endpoint, err := url.Parse(o.Endpoint)
	if err != nil || endpoint.Host == "" {
		return nil, driver.ConfigError("the endpoint is not an address", nil)
	}
	transport := remote.NewTransport(o.PoolSize, nil)
	tokens := newTokenSource(transport)
	if o.CredentialsFile != "" {
		if err := tokens.readCredentialsFile(o.CredentialsFile); err != nil {
			return nil, err
		}
	}
	c := &client{
		options: o,
		base:    endpoint.JoinPath("bigquery/v2/projects", url.PathEscape(o.Project)),
		http:    remote.NewClientWithoutRedirects(transport),
		tokens:  tokens,
	}
	return remote.NewExecutor(remote.Options{Dialect: "bigquery", Slots: o.PoolSize, Start: c.startJob, Close: func() error {
		transport.CloseIdleConnections()
		return nil
	}}), nil
}
