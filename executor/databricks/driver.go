package databricks

import (
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/execerr"
	"github.com/semlayer/semlayer/executor/profile"
	"github.com/semlayer/semlayer/executor/warehouse"
)

// Driver opens the profiles of type databricks.
func Driver() warehouse.Driver {
	return warehouse.Driver{Type: "databricks", Open: func(p profile.Profile, o warehouse.Options) (executor.Executor, error) {
		s, ok := p.Settings.(*profile.Databricks)
		if !ok {
			return nil, execerr.ConfigError("the connection profile is not of type databricks", nil)
		}
		return Open(Options{
			Endpoint: "https://" + s.Host,
			HTTPPath: s.HTTPPath,
			Token:    s.Token,
			Catalog:  s.Catalog,
			Schema:   s.Schema,
			PoolSize: o.PoolSize,
		})
	}}
}
