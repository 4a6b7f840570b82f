package mysql

import (
	"context"
	"errors"
	"strings"

	"github.com/go-sql-driver/mysql"

	"github.com/semlayer/semlayer/executor/internal/driver"
)

// serverVariable is a variable of the server and the value that sessions give it.
type serverVariable struct{ name, value string }

// unlimitedVariableValue is the largest value of a variable that counts rows or bytes: no limit.
const unlimitedVariableValue = "18446744073709551615"

// sessionSettings returns the variables that change which rows a statement has, or how a value of them is
// read or written. The server may set each of them for all sessions; the executor's sessions
// set their own values. docs/connections.md lists them, and the variables that keep the
// server's value.
func sessionSettings(mode, dialect string) []serverVariable {
	list := []serverVariable{
		{"time_zone", "'+00:00'"},
		{"sql_mode", "'" + mode + "'"},
		{"autocommit", "1"}, // without it a session sees the rows of its first statement for good
		{"sql_select_limit", unlimitedVariableValue},
		{"group_concat_max_len", "1073741824"}, // what is longer is cut off
		{"div_precision_increment", "4"},
		{"default_week_format", "0"},
		{"lc_time_names", "'en_US'"},
		{"sql_auto_is_null", "0"},
		{"max_sort_length", "1024"},
		{"block_encryption_mode", "'aes-128-ecb'"},
	}
	switch dialect {
	case "mysql":
		list = append(list, serverVariable{"windowing_use_high_precision", "1"})
	case "mariadb":
		list = append(list, serverVariable{"old_mode", "'UTF8_IS_UTF8MB3'"}, serverVariable{"max_recursive_iterations", "4294967295"})
	case "tidb":
		list = append(list, serverVariable{"windowing_use_high_precision", "1"}, serverVariable{"tidb_enable_external_ts_read", "0"})
	case "starrocks":
		list = append(list, serverVariable{"lower_upper_support_utf8", "true"}, // LOWER would fold ASCII only
			serverVariable{"sql_dialect", "'StarRocks'"}, serverVariable{"count_distinct_implementation", "'default'"})
	case "doris":
		list = append(list, serverVariable{"sql_dialect", "'doris'"}, serverVariable{"default_order_by_limit", "-1"}, serverVariable{"show_hidden_columns", "false"},
			serverVariable{"skip_delete_predicate", "false"}, serverVariable{"skip_delete_sign", "false"}, serverVariable{"skip_delete_bitmap", "false"},
			serverVariable{"skip_missing_version", "false"}, serverVariable{"skip_bad_tablet", "false"}, serverVariable{"skip_storage_engine_merge", "false"})
	}
	return list
}

// isMySQLOrMariaDB reports whether the server is MySQL or MariaDB, where every variable that exists can be
// set. Relatives list many variables that no client can set.
func isMySQLOrMariaDB(dialect string) bool { return dialect == "mysql" || dialect == "mariadb" }

// applySettings gives the settings their values, all at once where the server takes them. Else it gives
// one after the other, and leaves out those that the server does not know.
func (s *session) applySettings(ctx context.Context, list []serverVariable, dialect string) error {
	var all []string
	for _, c := range list {
		all = append(all, c.name+" = "+c.value)
	}
	err := s.execStatement(ctx, "SET "+strings.Join(all, ", "))
	var refusal *mysql.MySQLError
	if err == nil || !errors.As(err, &refusal) {
		return err
	}
	for _, c := range list {
		err := s.execStatement(ctx, "SET "+c.name+" = "+c.value)
		if err != nil && !errors.As(err, &refusal) {
			return err
		}
		if err != nil && (isEssentialVariable(c.name) || isMySQLOrMariaDB(dialect) && refusal.Number != errnoUnknownVariable && refusal.Number != errnoWrongVariableValue) {
			return driver.ConfigError("the server does not let sessions set "+c.name, err)
		}
	}
	return nil
}

// isEssentialVariable reports whether the text of a statement means something else without the variable.
func isEssentialVariable(name string) bool { return name == "time_zone" || name == "sql_mode" }
