package source

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/generate"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/datafiles"
	"github.com/semlayer/semlayer/executor/profile"
	"github.com/semlayer/semlayer/executor/warehouse"
)

// Source is an open source. The caller closes it.
type Source struct {
	DB executor.Executor
	// Name is an identifier made of the name of the database, the folder or the file.
	Name string
	// Origin describes the source for a comment, without an address or a password.
	Origin string
	// Schemas are those that a DSN names; none means the default schema.
	Schemas []string
	// DataFiles reports whether the tables are data files: each of them is a view.
	DataFiles bool
	// Connection is the name of the profile that reaches the source; empty for data files.
	Connection string
	// Profiles is the text of a connections file with that profile; nil where the
	// profile is one of the existing file.
	Profiles []byte
	// HasPassword reports whether Profiles names the variable PasswordEnvVariable.
	HasPassword bool
	// Warnings are about data files that are left out.
	Warnings []string
}

// PasswordEnvVariable is the variable that holds the password of a DSN.
const PasswordEnvVariable = "SOURCE_PASSWORD"

// Error is the error of a text that is not a source: a path that does not exist, a DSN that
// cannot be read, a profile that is not known.
type Error struct {
	Message string
	Hint    string
}

// Error returns the message with the hint.
func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + " (" + e.Hint + ")"
}

// OpenSource opens the source that a text names. It uses the connections file, the drivers
// and the settings of the embedded database of the configuration. The error is an *Error, or an
// *executor.Error where the source cannot be opened.
func OpenSource(ctx context.Context, text string, c engine.Config) (*Source, error) {
	found, err := resolveSource(text, c)
	if err != nil {
		return nil, err
	}
	o := warehouse.Options{PoolSize: c.PoolSize, Statements: c.MaxExecutions, Drivers: c.Drivers}
	switch found := found.(type) {
	case profile.DataFilesSource:
		return openDataFiles(ctx, found.Path, c)
	case profile.DatabaseSource:
		return openDatabase(ctx, found, o)
	case profile.NamedProfileSource:
		db, err := warehouse.OpenProfile(ctx, found.Profile, o)
		if err != nil {
			return nil, err
		}
		s := &Source{
			DB: db, Name: datafiles.IdentifierFromText(databaseName(found.Profile)), Origin: "the connection " + found.Profile.Name,
			Connection: found.Profile.Name, DataFiles: readsDataFiles(found.Profile),
		}
		if s.DataFiles { // they have no database that has a name
			s.Name = datafiles.IdentifierFromText(found.Profile.Name)
		}
		return s, nil
	}
	return nil, &Error{Message: "the source has no known form"}
}

// resolveSource decides what the text names. The connections file is read only for a profile.
func resolveSource(text string, c engine.Config) (profile.GenerationSource, error) {
	found, err := profile.ResolveSource(text, nil)
	var unknown *profile.UnknownSourceError
	if errors.As(err, &unknown) {
		file, loadErr := readProfiles(c)
		if loadErr != nil {
			return nil, loadErr
		}
		if found, err = profile.ResolveSource(text, file); errors.As(err, &unknown) {
			return nil, &Error{Message: err.Error()}
		}
		return found, err
	}
	var invalid *executor.Error
	if errors.As(err, &invalid) {
		return nil, &Error{invalid.Message, invalid.Hint}
	}
	return found, err
}

// readProfiles reads the connections file, nil if there is none.
func readProfiles(c engine.Config) (*profile.ProfilesFile, error) {
	path := c.ConnectionsPath
	if path == "" && c.DiscoverConnections {
		path = profile.FindProfilesFile()
	}
	if path == "" {
		return nil, nil
	}
	return profile.LoadProfilesFile(path, os.LookupEnv)
}

// openDataFiles opens the embedded database with the tables of data files.
func openDataFiles(ctx context.Context, path string, c engine.Config) (*Source, error) {
	c.Data, c.DBPath = []string{path}, ""
	db, err := engine.OpenEmbeddedDatabase(ctx, c)
	if err != nil {
		return nil, err
	}
	return &Source{
		DB: db.Executor(), Name: generate.ModelNameOfPath(path), Origin: "the data files " + filepath.Base(path), DataFiles: true, Warnings: db.DataFilesReport().Warnings,
	}, nil
}

func openDatabase(ctx context.Context, found profile.DatabaseSource, o warehouse.Options) (*Source, error) {
	p := found.DSN.Profile
	text, err := connectionsFileOfDSN(found.DSN)
	if err != nil {
		return nil, err
	}
	db, err := warehouse.OpenProfile(ctx, p, o)
	if err != nil {
		return nil, err
	}
	name := databaseName(p)
	return &Source{
		DB: db, Name: datafiles.IdentifierFromText(name), Origin: "the " + p.Type + " database " + name, Schemas: found.DSN.Schemas,
		Connection: p.Name, Profiles: text, HasPassword: found.DSN.HasPassword,
	}, nil
}

// readsDataFiles reports whether the tables of a profile are data files.
func readsDataFiles(p profile.Profile) bool {
	s, ok := p.Settings.(*profile.DuckDB)
	return ok && len(s.Data) > 0
}

// databaseName returns the name of the database of a profile, or of its file; the name of the
// type where it names none.
func databaseName(p profile.Profile) string {
	name := ""
	switch s := p.Settings.(type) {
	case *profile.DuckDB:
		name = baseNameWithoutExtension(s.Path)
	case *profile.SQLite:
		name = baseNameWithoutExtension(s.Path)
	case *profile.Postgres:
		name = s.Database
	case *profile.MySQL:
		name = s.Database
	case *profile.ClickHouse:
		name = s.Database
	}
	if name == "" {
		return p.Type
	}
	return name
}

func baseNameWithoutExtension(path string) string {
	base := filepath.Base(path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}
