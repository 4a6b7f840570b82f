package engine

import (
	"context"
	"slices"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/semaphore"
	"github.com/semlayer/semlayer/planner/planerr"
)

// ProgramConnection is a warehouse that the program has connected to itself: a pool that it has
// already, for instance, by postgres.FromPool.
type ProgramConnection struct {
	// Name is how queries name it. No profile has the same name.
	Name string
	// Executor runs the statements; its Dialect is that of the connection. It belongs to
	// the program: Engine.Close ends its use and does not close it.
	Executor executor.Executor
	// MaxExecutions bounds the executions on the connection at one time; 0 leaves them to
	// Config.MaxExecutions.
	MaxExecutions int
}

// addProgramConnection adds the connection of a program. The error is an *ExecuteError of code config.
func (all *connectionSet) addProgramConnection(c ProgramConnection, targets map[string]compileTarget) error {
	switch {
	case c.Name == "":
		return configError("a connection of Config.Connections has no name")
	case c.Executor == nil:
		return configError("the connection " + planerr.ClipText(c.Name) + " of Config.Connections has no executor")
	case c.MaxExecutions < 0:
		return configError("the connection " + planerr.ClipText(c.Name) + " of Config.Connections has a negative MaxExecutions")
	case slices.Contains(all.names, c.Name):
		return configError("two connections are named " + planerr.ClipText(c.Name))
	}
	dialect := c.Executor.Dialect()
	t, ok := targets[dialect]
	if !ok {
		return configError("this build writes no SQL for " + planerr.ClipText(dialect))
	}
	made := &warehouseConnection{target: t, info: ConnectionInfo{Name: c.Name, Dialect: dialect, Available: true}}
	if c.MaxExecutions > 0 {
		made.slots = semaphore.NewNonBlockingSemaphore(c.MaxExecutions)
	}
	made.target.connection = made
	made.db = newLazyExecutor(func(context.Context) (executor.Executor, error) { return c.Executor, nil })
	made.db.borrowed = true
	all.list = append(all.list, made)
	all.names = append(all.names, c.Name)
	return nil
}

func configError(message string) error {
	return &ExecuteError{Code: executor.CodeConfig, Message: message}
}
