package localdb

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

// ServerSourcesEnv names the variable that lists the sources to try, in order: names with commas
// between them.
const ServerSourcesEnv = "SEMLAYER_SERVERS"

// The names of sources.
const (
	SourceNameDSN        = "dsn"
	SourceNameContainers = "containers"
	SourceNameLocal      = "local"
)

// ServerSource is a way to get a server.
type ServerSource struct {
	Name string
	// Start gives a server that accepts connections. Its error is ErrNoServer when
	// this way leads to none here, and another source may be tried.
	Start func(context.Context, Engine) (*Server, error)
}

// NewDSNVariableServerSource returns the server that a variable of the environment names: SEMLAYER_POSTGRES_DSN,
// SEMLAYER_MARIADB_DSN or SEMLAYER_MYSQL_DSN.
func NewDSNVariableServerSource() ServerSource {
	return ServerSource{SourceNameDSN, func(_ context.Context, e Engine) (*Server, error) {
		name := DSNVariableName(e)
		text := os.Getenv(name)
		if text == "" {
			return nil, fmt.Errorf("%w: %s is not set", ErrNoServer, name)
		}
		a, err := ParseURI(e, text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return NewExternalServer(a, nil), nil
	}}
}

// DSNVariableName returns the variable that names a server of an engine.
func DSNVariableName(e Engine) string { return "SEMLAYER_" + strings.ToUpper(string(e)) + "_DSN" }

// NewLocalServerSource returns a server that is installed here and started for the run.
func NewLocalServerSource() ServerSource {
	return ServerSource{SourceNameLocal, func(ctx context.Context, e Engine) (*Server, error) {
		switch e {
		case Postgres:
			return StartPostgres(ctx)
		case MariaDB:
			return StartMariaDB(ctx)
		case MySQL:
			return StartMySQL(ctx)
		}
		return nil, fmt.Errorf("%w: %s", ErrNoServer, e)
	}}
}

// selectSourcesByEnv puts the sources in the order of the environment and leaves out those
// that it does not name.
func selectSourcesByEnv(sources []ServerSource) ([]ServerSource, error) {
	text := os.Getenv(ServerSourcesEnv)
	if text == "" {
		return sources, nil
	}
	var out []ServerSource
	for name := range strings.SplitSeq(text, ",") {
		name = strings.TrimSpace(name)
		if !slices.Contains([]string{SourceNameDSN, SourceNameContainers, SourceNameLocal}, name) {
			return nil, fmt.Errorf("%s: %q is not one of %s, %s, %s", ServerSourcesEnv, name, SourceNameDSN, SourceNameContainers, SourceNameLocal)
		}
		// A module without containers does not have that source.
		for _, s := range sources {
			if s.Name == name {
				out = append(out, s)
			}
		}
	}
	return out, nil
}

// StartServer asks the sources in the order of the environment, by default their own.
// The error is ErrNoServer with every source's reason when none has the engine; the
// first source that has it and fails ends the search.
func StartServer(ctx context.Context, e Engine, sources ...ServerSource) (*Server, error) {
	sources, err := selectSourcesByEnv(sources)
	if err != nil {
		return nil, err
	}
	reasons := []error{fmt.Errorf("%w: %s", ErrNoServer, e)}
	for _, source := range sources {
		s, err := source.Start(ctx, e)
		if err == nil {
			return s, nil
		}
		if !errors.Is(err, ErrNoServer) {
			return nil, fmt.Errorf("%s from %s: %w", e, source.Name, err)
		}
		reasons = append(reasons, fmt.Errorf("%s: %w", source.Name, err))
	}
	return nil, errors.Join(reasons...)
}
