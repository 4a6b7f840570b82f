package snowflake

import (
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/execerr"
	"github.com/semlayer/semlayer/executor/profile"
	"github.com/semlayer/semlayer/executor/warehouse"
)

// Driver opens the profiles of type snowflake.
func Driver() warehouse.Driver {
	return warehouse.Driver{Type: "snowflake", Open: func(p profile.Profile, o warehouse.Options) (executor.Executor, error) {
		s, ok := p.Settings.(*profile.Snowflake)
		if !ok {
			return nil, execerr.ConfigError("the connection profile is not of type snowflake", nil)
		}
		return Open(Options{
			Account:        s.Account,
			User:           s.Username,
			Token:          s.Password,
			PrivateKeyFile: s.PrivateKeyFile,
			Warehouse:      s.Warehouse,
			Database:       s.Database,
			Schema:         s.Schema,
			Role:           s.Role,
			PoolSize:       o.PoolSize,
		})
	}}
}
