package trino

import (
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/execerr"
	"github.com/semlayer/semlayer/executor/profile"
	"github.com/semlayer/semlayer/executor/warehouse"
)

// Driver opens the profiles of type trino.
func Driver() warehouse.Driver {
	return warehouse.Driver{Type: "trino", Open: func(p profile.Profile, o warehouse.Options) (executor.Executor, error) {
		s, ok := p.Settings.(*profile.Trino)
		if !ok {
			return nil, execerr.ConfigError("the connection profile is not of type trino", nil)
		}
		return Open(Options{
			Host:       s.Host,
			Port:       s.Port,
			User:       s.Username,
			Password:   s.Password,
			Catalog:    s.Catalog,
			Schema:     s.Schema,
			Secure:     s.Scheme == "https",
			SkipVerify: !s.Verify,
			PoolSize:   o.PoolSize,
		})
	}}
}
