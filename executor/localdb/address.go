package localdb

import (
	"fmt"
	"net"
	"net/url"
	"strconv"
)

// Engine is a kind of server, called like the dialect that it speaks.
type Engine string

// The kinds of servers.
const (
	Postgres Engine = "postgres"
	MariaDB  Engine = "mariadb"
	MySQL    Engine = "mysql"
)

// Engines returns all kinds.
func Engines() []Engine { return []Engine{Postgres, MariaDB, MySQL} }

// Address locates a server.
type Address struct {
	Engine   Engine
	Host     string
	Port     int
	User     string
	Password string
	Database string
	// Params are settings of the connection, as the query of a URI has them.
	Params string
}

// HostPort returns the address of a network connection.
func (a Address) HostPort() string { return net.JoinHostPort(a.Host, strconv.Itoa(a.Port)) }

// URI returns the address in the form that ParseURI reads.
func (a Address) URI() string {
	u := url.URL{Scheme: a.Engine.uriScheme(), User: url.UserPassword(a.User, a.Password), Host: a.HostPort(), Path: "/" + a.Database, RawQuery: a.Params}
	return u.String()
}

// ParseURI reads scheme://user:password@host:port/database?params, where the
// scheme is postgres or postgresql for PostgreSQL, mysql or mariadb for the other
// two. The error does not show the text, which has a password.
func ParseURI(e Engine, text string) (Address, error) {
	u, err := url.Parse(text)
	if err != nil || u.User == nil || u.Hostname() == "" || !e.acceptsScheme(u.Scheme) {
		return Address{}, fmt.Errorf("want %s://user:password@host:port/database", e.uriScheme())
	}
	a := Address{Engine: e, Host: u.Hostname(), Port: 3306, User: u.User.Username(), Params: u.RawQuery}
	a.Password, _ = u.User.Password()
	if e == Postgres {
		a.Port = 5432
	}
	if port := u.Port(); port != "" {
		if a.Port, err = strconv.Atoi(port); err != nil {
			return Address{}, fmt.Errorf("%s is not a port", port)
		}
	}
	if u.Path != "" {
		a.Database = u.Path[1:]
	}
	return a, nil
}

func (e Engine) uriScheme() string {
	if e == Postgres {
		return "postgres"
	}
	return "mysql"
}

func (e Engine) acceptsScheme(scheme string) bool {
	if e == Postgres {
		return scheme == "postgres" || scheme == "postgresql"
	}
	return scheme == "mysql" || scheme == "mariadb"
}
