package restapi

import (
	"time"

	"github.com/gofiber/fiber/v2"
)

// route is one line of the interface.
type route struct {
	method  string
	path    string
	summary string
	// public routes need no token.
	public bool
	// process routes belong to the server and not to one of its models.
	process bool
	// modelless routes answer where the path chooses no model, too.
	modelless bool
	// executes marks what Config.DisableExecute rejects and what has the budget
	// of an execution.
	executes bool
	// long marks what may take long, and ends when its client closes the connection.
	long bool
	// query are the names of its query parameters.
	query  []string
	handle func(*Server, *fiber.Ctx, route) error
}

// key names a route.
func (r route) key() string { return r.method + " " + r.path }

// timeBudgetOfRoute returns the time limit of a route.
func (c Config) timeBudgetOfRoute(r route) time.Duration {
	if r.executes {
		return c.ExecuteTimeout
	}
	return c.RequestTimeout
}
