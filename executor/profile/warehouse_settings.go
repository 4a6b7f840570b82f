package profile

import (
	"time"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/credential"
)

// WarehouseSettings are what one type of warehouse needs to be reached: *DuckDB, *SQLite,
// *Postgres, *MySQL, *ClickHouse, *Trino, *Snowflake, *BigQuery or *Databricks.
type WarehouseSettings interface{ isSettings() }

// DuckDB is a database file that is opened in the process, or data files.
type DuckDB struct {
	Path           string // ":memory:" for none
	ReadOnly       bool
	MemoryLimit    string // such as "2GB"; empty for DuckDB's own
	Threads        int    // 0 for one per core
	ExternalAccess bool
	// Data are folders, files and globs whose files are the tables of a database in
	// memory; then Path is ":memory:".
	Data []string
}

// SQLite is a database file; it is never written to.
type SQLite struct{ Path string }

// Postgres is a server that speaks PostgreSQL's protocol. URI takes the place of
// the fields from Host to SSLRootCert.
type Postgres struct {
	URI      executor.Secret
	Host     string
	Port     int
	Username string
	Password executor.Secret
	// PasswordSource has the password; it is read for each connection. Password is then empty.
	PasswordSource credential.Source
	Database       string
	SSLMode        string
	SSLRootCert    string
	SSLCert        string // a certificate of this side, and its key
	SSLKey         string

	Schema          string
	ApplicationName string        // that the server shows; empty for that of the URI, else semlayer
	Timeout         time.Duration // of one attempt to connect; 0 for the driver's own
	Session         *Session      // of the statements of a reader; nil for none
}

// MySQL is a server that speaks MySQL's protocol.
type MySQL struct {
	Host     string // a name, an address, or the path of a socket
	Port     int
	Username string
	Password executor.Secret
	// PasswordSource has the password; it is read for each connection. Password is then empty.
	PasswordSource credential.Source
	Database       string
	Catalog        string        // on StarRocks and Doris
	TLS            string        // false, preferred, true or skip-verify
	Timeout        time.Duration // of one attempt to connect; 0 for the driver's own
	TLSFiles
	// ByCodePoint makes text compare by code points, for any collation of its column.
	ByCodePoint bool
}

// TLSFiles are the files of encrypted connections, read for each of them.
type TLSFiles struct {
	TLSCA           string // the authorities to trust; empty for those of the system
	TLSCert, TLSKey string // a certificate of this side, and its key
}

// ClickHouse is a server's HTTP interface.
type ClickHouse struct {
	Host     string
	Port     int
	Username string
	Password executor.Secret
	// PasswordSource has the password; it is read for each request. Password is then empty.
	PasswordSource credential.Source
	Database       string
	Secure         bool // HTTPS
	TLSFiles
}

// Trino is a coordinator.
type Trino struct {
	Host     string
	Port     int
	Username string
	Password executor.Secret
	// PasswordSource has the password; it is read for each request. Password is then empty.
	PasswordSource credential.Source
	Catalog        string
	Schema         string
	Scheme         string // http or https
	Verify         bool   // the certificate, with https
	TLSFiles
	// SessionProperties are those of each statement, in the order of their names.
	SessionProperties []SessionSetting
}

// Snowflake is an account. Exactly one of Password, PasswordSource and PrivateKeyFile is set.
type Snowflake struct {
	Account        string
	Username       string
	Password       executor.Secret
	PasswordSource credential.Source // read for each request
	PrivateKeyFile string
	Warehouse      string
	Database       string
	Schema         string
	Role           string
}

// BigQuery is a project.
type BigQuery struct {
	Project         string
	Dataset         string
	CredentialsFile string // empty for the environment's own credentials
	Location        string
	MaxBytesBilled  int // by one statement; 0 is without a limit
}

// Databricks is a SQL warehouse. One of Token and TokenSource is set.
type Databricks struct {
	Host        string
	HTTPPath    string
	Token       executor.Secret
	TokenSource credential.Source // read for each request
	Catalog     string
	Schema      string
}

func (*DuckDB) isSettings()     {}
func (*SQLite) isSettings()     {}
func (*Postgres) isSettings()   {}
func (*MySQL) isSettings()      {}
func (*ClickHouse) isSettings() {}
func (*Trino) isSettings()      {}
func (*Snowflake) isSettings()  {}
func (*BigQuery) isSettings()   {}
func (*Databricks) isSettings() {}
