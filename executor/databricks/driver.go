package databricks

import (
	"net/url"
	"regexp"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/credential"
	"github.com/semlayer/semlayer/executor/internal/driver"
	"github.com/semlayer/semlayer/executor/internal/remote"
	"github.com/semlayer/semlayer/executor/profile"
	"github.com/semlayer/semlayer/executor/warehouse"
)

// Driver opens the profiles of type databricks.
func Driver() warehouse.Driver {
	return warehouse.Driver{Type: "databricks", StatementsWrite: true, Open: func(p profile.Profile, o warehouse.Options) (executor.Executor, error) {
		s, ok := p.Settings.(*profile.Databricks)
		if !ok {
			return nil, driver.ConfigError("the connection profile is not of type databricks", nil)
		}
		return Open(Options{
			Endpoint: "https://" + s.Host,
			HTTPPath: s.HTTPPath,
			Token:    s.Token,
			Source:   s.TokenSource,
			Catalog:  s.Catalog,
			Schema:   s.Schema,
			PoolSize: o.PoolSize,
		})
	}}
}

const defaultPoolSize = 8

// Options say which warehouse runs the statements. Fields that are not set have the
// defaults in brackets.
type Options struct {
	// Endpoint is the address of the workspace, such as
	// https://adb-1.azuredatabricks.net.
	Endpoint string
	// HTTPPath of the warehouse, such as /sql/1.0/warehouses/1a2b3c.
	HTTPPath string
	Token    executor.Secret
	// Source has the token, in place of Token. It is read for each request.
	Source credential.Source
	// Catalog and Schema resolve the names of tables without them.
	Catalog, Schema string
	// PoolSize bounds the statements that run at once [8]. Further ones wait.
	PoolSize int
}

var warehousePathPattern = regexp.MustCompile(`^/?sql/1\.0/(?:warehouses|endpoints)/([0-9A-Za-z_-]+)/?$`)

// Open checks the options. It connects to nothing. Its errors have the code config.
func Open(o Options) (executor.Executor, error) {
	endpoint, err := url.Parse(o.Endpoint)
	if err != nil || endpoint.Host == "" {
		return nil, driver.ConfigError("the host is missing", nil)
	}
	path := warehousePathPattern.FindStringSubmatch(o.HTTPPath)
	if path == nil {
		return nil, &executor.Error{
			Code: executor.CodeConfig, Message: "http_path is not that of a SQL warehouse",
			Hint: "it is /sql/1.0/warehouses/ and an id, as the connection details of the warehouse show it; all-purpose clusters are not supported",
		}
	}
	if o.Token.IsZero() && o.Source == nil {
		return nil, driver.ConfigError("the token is missing", nil)
	}
	if o.PoolSize == 0 {
		o.PoolSize = defaultPoolSize
	}
	transport := remote.NewTransport(o.PoolSize, nil)
	c := &client{options: o, warehouse: path[1], base: endpoint.JoinPath("api/2.0/sql/statements"), http: remote.NewClientWithoutRedirects(transport), settings: newSessionSettingsCheckCache()}
	return remote.NewExecutor(remote.Options{Dialect: "databricks", Slots: o.PoolSize, Start: c.startStatement, Close: func() error {
		transport.CloseIdleConnections()
		return nil
	}}), nil
}
