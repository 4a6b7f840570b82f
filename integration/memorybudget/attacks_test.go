//go:build linux

package memorybudget

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// attack is what four hostile clients send at once.
type attack struct {
	name string
	long bool // only in the long form
	// door is where the attack fills a part of the memory; "" where something else bounds it. The part must reject requests.
	door door
	part string
	// send sends what one of four clients does. It reports each request to end.
	send func(ctx context.Context, s *server, client int, end func(ending))
}

// door is a way into the server that holds rows or messages for its clients.
type door string

const (
	doorJSON      door = "JSON"
	doorArrow     door = "Arrow"
	doorMCP       door = "MCP"
	doorSQL       door = "SQL on the PostgreSQL port"
	doorCatalogue door = "catalogue of the PostgreSQL port"
)

// ending is how a request ended: with a response, its first row or an error of the service.
type ending struct {
	what string
	took time.Duration
	err  error // of the transport, or an error that is a defect
}

// level writes a WITH clause whose levels read the level before through a template, in which $ is its name.
func levels(count int, template string) string {
	items := []string{"a0 AS (SELECT oven, MEASURE(loaves_total) AS n FROM batches GROUP BY 1)"}
	for i := 1; i < count; i++ {
		items = append(items, fmt.Sprintf("a%d AS (%s)", i, strings.ReplaceAll(template, "$", fmt.Sprintf("a%d", i-1))))
	}
	return fmt.Sprintf("WITH %s SELECT * FROM a%d", strings.Join(items, ", "), count-1)
}

const (
	joinTemplate   = "SELECT x.oven, x.n + y.n AS n FROM $ x JOIN $ y ON x.oven = y.oven"
	unionTemplate  = "SELECT * FROM $ UNION ALL SELECT * FROM $"
	inTemplate     = "SELECT oven FROM $ WHERE oven IN (SELECT oven FROM $) AND oven IN (SELECT oven FROM $)"
	havingTemplate = "SELECT oven, SUM(n) AS n FROM $ GROUP BY 1 HAVING SUM(n) > (SELECT MIN(n) FROM $) OR SUM(n) < (SELECT MAX(n) FROM $)"
)

func attacks() []attack {
	return slices.Concat(statementAttacks(), httpAttacks(), queryAttacks())
}

// statementAttacks are statements in SQL, and what sessions keep.
func statementAttacks() []attack {
	long := strings.Repeat("x", 60_000)
	wide := "CAST(b.batch AS TEXT) || '-' || CAST(a.batch AS TEXT) || '" + strings.Repeat("z", 1000) + "'"
	const one = "(SELECT batch, oven FROM batches OFFSET 0)"
	pairs := "SELECT " + wide + " AS t FROM " + one + " a JOIN " + one + " b ON a.oven = b.oven"
	replaced := "'aaaaaaaaaa'"
	for _, width := range []int{80, 60, 48, 28, 15} {
		replaced = fmt.Sprintf("replace(%s, 'a', '%s')", replaced, strings.Repeat("a", width))
	}
	return []attack{
		{name: "levels of joins", send: statementOnEveryDoor(levels(24, joinTemplate))},
		{name: "levels of unions", send: statementOnEveryDoor(levels(16, unionTemplate))},
		{name: "levels of subqueries in IN", long: true, send: statementOnEveryDoor(levels(24, inTemplate))},
		{name: "levels of scalar subqueries", long: true, send: statementOnEveryDoor(levels(24, havingTemplate))},
		{name: "texts of the catalogue that grow", long: true, send: statementOnPort("SELECT length(" + replaced + ")")},
		{name: "rows of the catalogue", long: true, send: statementOnPort("SELECT '" + long + "' FROM generate_series(1, 1000) a, generate_series(1, 100) b")},
		{name: "rows of the catalogue that fill its part", long: true, door: doorCatalogue, part: "catalogue", send: together(4, statementOnPort("SELECT '"+long+"' FROM generate_series(1, 450)"))},
		{name: "shapes of catalogue statements", long: true, send: catalogueShapes},
		{name: "prepared statements", long: true, door: doorSQL, part: "sessions", send: preparedStatements},
		{name: "a sort that does not fit", long: true, send: executed("SELECT t FROM (" + pairs + " OFFSET 0) q ORDER BY t DESC LIMIT 1 OFFSET 2000000")},
		{name: "results of 30 MB", long: true, send: executed(pairs + " LIMIT 28000")},
		{name: "statements of a megabyte", long: true, send: compiled("SELECT oven, " + strings.Repeat("loaves + ", 100_000) + "1 FROM batches")},
	}
}

// statementOnEveryDoor compiles a statement, and executes it on the PostgreSQL port.
func statementOnEveryDoor(sql string) func(context.Context, *server, int, func(ending)) {
	return func(ctx context.Context, s *server, client int, end func(ending)) {
		if client%2 == 0 {
			compiled(sql)(ctx, s, client, end)
		} else {
			statementOnPort(sql)(ctx, s, client, end)
		}
	}
}

// connect opens a session of the PostgreSQL port.
func (s *server) connect(ctx context.Context) (*pgconn.PgConn, error) {
	return pgconn.Connect(ctx, "postgres://u@"+s.port+"/bakery?sslmode=disable")
}

func statementOnPort(sql string) func(context.Context, *server, int, func(ending)) {
	return func(ctx context.Context, s *server, _ int, end func(ending)) {
		for range 2 {
			begun := time.Now()
			c, err := s.connect(ctx)
			if err != nil {
				end(ending{"no session", time.Since(begun), err})
				return
			}
			end(runOnPort(ctx, c, sql))
			_ = c.Close(ctx)
		}
	}
}

// runOnPort runs a statement to its first row, or to its error.
func runOnPort(ctx context.Context, c *pgconn.PgConn, sql string) ending {
	begun := time.Now()
	rows := c.Exec(ctx, sql)
	what, took := "no row", time.Duration(0)
	for rows.NextResult() {
		for r := rows.ResultReader(); r.NextRow(); {
			if took == 0 {
				what, took = "a row", time.Since(begun)
			}
		}
	}
	err := rows.Close()
	if took == 0 {
		took = time.Since(begun)
	}
	var refused *pgconn.PgError
	if errors.As(err, &refused) && refused.Code != "XX000" {
		return ending{refused.Code + " " + refused.Message, took, nil}
	}
	return ending{what, took, err}
}

func catalogueShapes(ctx context.Context, s *server, client int, end func(ending)) {
	c, err := s.connect(ctx)
	if err != nil {
		end(ending{"no session", 0, err})
		return
	}
	defer func() { _ = c.Close(ctx) }()
	for i := range 60 {
		var items []string
		for k := range 800 {
			items = append(items, fmt.Sprintf(`1 AS "%d_%d_%d_%s"`, client, i, k, strings.Repeat("z", 950)))
		}
		end(runOnPort(ctx, c, "SELECT "+strings.Join(items, ", ")+" FROM pg_namespace LIMIT 0"))
	}
}

// preparedStatements keeps 19 statements of 840 kB in each of five sessions.
func preparedStatements(ctx context.Context, s *server, _ int, end func(ending)) {
	var items []string
	for k := range 14 {
		items = append(items, fmt.Sprintf("'%s' AS c%d", strings.Repeat("y", 60_000), k))
	}
	var open []*pgconn.PgConn // the sessions stay until the last statement
	defer func() {
		for _, c := range open {
			_ = c.Close(ctx)
		}
	}()
	for range 5 {
		begun := time.Now()
		c, err := s.connect(ctx)
		if err != nil {
			end(ending{"no session", time.Since(begun), err})
			continue
		}
		open = append(open, c)
		for i := range 19 {
			end(runOnPort(ctx, c, fmt.Sprintf("PREPARE p%d AS SELECT batch, %s FROM batches", i, strings.Join(items, ", "))))
		}
	}
}

func TestAttacks_HaveNames(t *testing.T) {
	seen := map[string]bool{}
	for _, a := range attacks() {
		if a.name == "" || seen[a.name] {
			t.Errorf("%q is empty or there twice", a.name)
		}
		seen[a.name] = true
	}
}

// Each door has an attack that fills a part of the memory.
func TestAttacks_EachDoorMeetsItsLimit(t *testing.T) {
	parts := map[door][]string{}
	for _, a := range attacks() {
		if (a.door == "") != (a.part == "") {
			t.Errorf("%s has a door or a part, not both", a.name)
		}
		parts[a.door] = append(parts[a.door], a.part)
	}
	for _, d := range []door{doorJSON, doorArrow, doorMCP, doorSQL, doorCatalogue} {
		if len(parts[d]) == 0 {
			t.Errorf("no attack fills the memory through %s", d)
		}
	}
}
