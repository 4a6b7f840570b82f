package properties_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/pgwire"
	"github.com/semlayer/semlayer/pgwire/catalogue"
)

// portDoor is a session of one reader on the PostgreSQL port.
type portDoor struct {
	session *pgconn.PgConn
	stop    context.CancelFunc
	served  chan error
	about   *catalogue.Catalogue
}

// openPort serves an engine on a separate port, and opens a session.
func openPort(ctx context.Context, e *engine.Engine) (*portDoor, error) {
	quiet := slog.New(slog.DiscardHandler)
	d := &portDoor{about: catalogue.New(quiet, nil), served: make(chan error, 1)}
	port, err := pgwire.New(pgwire.Models{List: []pgwire.Model{{Name: "m", Service: e}}, Default: "m"}, pgwire.Config{Logger: quiet, Catalogue: d.about})
	if err != nil {
		return nil, err
	}
	ln, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	d.stop = stop
	go func() { d.served <- port.Serve(serving, ln) }()
	if d.session, err = pgconn.Connect(ctx, "postgres://me@"+ln.Addr().String()+"/m?sslmode=disable"); err != nil {
		d.close(ctx)
		return nil, err
	}
	return d, nil
}

func (d *portDoor) close(ctx context.Context) {
	if d.session != nil {
		_ = d.session.Close(ctx)
	}
	d.stop()
	<-d.served
	d.about.Close()
}

// ask runs a statement, and returns its columns and its rows in the order of their texts, or the fields of its error.
func (d *portDoor) ask(ctx context.Context, statement string) (status int, body string) {
	var out struct {
		Columns []string
		Rows    []string
		Error   *pgconn.PgError
	}
	status = http.StatusOK
	results, err := d.session.Exec(ctx, statement).ReadAll()
	for _, r := range results {
		for _, f := range r.FieldDescriptions {
			out.Columns = append(out.Columns, f.Name)
		}
		for _, row := range r.Rows {
			var values []string
			for _, v := range row {
				text := "∅"
				if v != nil {
					if text = "'" + string(v) + "'"; text == "'-0'" {
						text = "'0'" // a group of zeros is shown by any of them
					}
				}
				values = append(values, text)
			}
			out.Rows = append(out.Rows, strings.Join(values, " | "))
		}
	}
	slices.Sort(out.Rows)
	if err != nil {
		status = http.StatusBadRequest
		if !errors.As(err, &out.Error) {
			return http.StatusInternalServerError, err.Error()
		}
	}
	text, err := json.Marshal(out)
	if err != nil {
		panic(err)
	}
	return status, string(text)
}
