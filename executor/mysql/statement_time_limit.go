package mysql

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/go-sql-driver/mysql"
)

// statementTimeLimit is how long the server lets a statement of a session run.
type statementTimeLimit struct {
	variable string        // empty where there is none
	unit     time.Duration // of the variable
	own      time.Duration // the server's own, 0 for none
	current  time.Duration
}

// readStatementTimeLimit learns the variable of the server and its value. Relatives of MySQL that have another
// one, with a default, keep it.
func (s *session) readStatementTimeLimit(ctx context.Context, dialect string) error {
	l := statementTimeLimit{variable: "max_execution_time", unit: time.Millisecond}
	switch dialect {
	case "mariadb":
		l = statementTimeLimit{variable: "max_statement_time", unit: time.Second}
	case "starrocks", "doris":
		return nil
	}
	found, err := s.queryLastValue(ctx, "SELECT @@"+l.variable)
	if err != nil {
		var refusal *mysql.MySQLError
		if errors.As(err, &refusal) {
			return nil // an older server, which has none
		}
		return err
	}
	var value float64
	switch v := found.(type) {
	case int64:
		value = float64(v)
	case uint64:
		value = float64(v)
	case float64:
		value = v
	case string:
		value, _ = strconv.ParseFloat(v, 64) // 0, no limit, for what is not a number
	}
	l.own = time.Duration(value * float64(l.unit))
	l.current = l.own
	s.limit = l
	return nil
}

// setStatementTimeLimit makes the server end the statement soon after its time, in case the service is
// gone by then. It sends the limit only when it changes, which with a constant budget is once
// for each session. The server's own limit is kept when it is lower; 0 means no limit.
func (s *session) setStatementTimeLimit(ctx context.Context, want time.Duration) error {
	l := &s.limit
	if l.variable == "" {
		return nil
	}
	if l.own > 0 && (want == 0 || l.own < want) {
		want = l.own
	}
	if want == l.current {
		return nil
	}
	value := strconv.FormatFloat(float64(want)/float64(l.unit), 'f', -1, 64)
	if err := s.execStatement(ctx, "SET "+l.variable+" = "+value); err != nil {
		return err
	}
	l.current = want
	return nil
}
