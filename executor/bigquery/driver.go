package bigquery

import (
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/execerr"
	"github.com/semlayer/semlayer/executor/profile"
	"github.com/semlayer/semlayer/executor/warehouse"
)

// Driver opens the profiles of type bigquery.
func Driver() warehouse.Driver {
	return warehouse.Driver{Type: "bigquery", Open: func(p profile.Profile, o warehouse.Options) (executor.Executor, error) {
		s, ok := p.Settings.(*profile.BigQuery)
		if !ok {
			return nil, execerr.ConfigError("the connection profile is not of type bigquery", nil)
		}
		return Open(Options{
			Project:         s.Project,
			Dataset:         s.Dataset,
			Location:        s.Location,
			CredentialsFile: s.CredentialsFile,
			PoolSize:        o.PoolSize,
		})
	}}
}
