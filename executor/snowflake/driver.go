package snowflake

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/credential"
	"github.com/semlayer/semlayer/executor/internal/driver"
	"github.com/semlayer/semlayer/executor/internal/remote"
	"github.com/semlayer/semlayer/executor/profile"
	"github.com/semlayer/semlayer/executor/warehouse"
)

// Driver opens the profiles of type snowflake.
func Driver() warehouse.Driver {
	return warehouse.Driver{Type: "snowflake", StatementsWrite: true, Open: func(p profile.Profile, o warehouse.Options) (executor.Executor, error) {
		s, ok := p.Settings.(*profile.Snowflake)
		if !ok {
			return nil, driver.ConfigError("the connection profile is not of type snowflake", nil)
		}
		return Open(Options{
			Account:        s.Account,
			User:           s.Username,
			Token:          s.Password,
			Source:         s.PasswordSource,
			PrivateKeyFile: s.PrivateKeyFile,
			Warehouse:      s.Warehouse,
			Database:       s.Database,
			Schema:         s.Schema,
			Role:           s.Role,
			PoolSize:       o.PoolSize,
		})
	}}
}

const defaultPoolSize = 8

// Options say which account runs the statements. Fields that are not set have the
// defaults in brackets.
type Options struct {
	// Account is its identifier: organization-account, or a locator with region.
	Account string
	User    string
	// Token is a programmatic access token; a Source has it, and is read for each request. Exactly one of both and PrivateKeyFile is
	// given.
	Token          executor.Secret
	Source         credential.Source
	PrivateKeyFile string
	// Warehouse, Database, Schema and Role [those of the user]. Letters count only in
	// quotation marks, as in SQL.
	Warehouse, Database, Schema, Role string
	// PoolSize bounds the statements that run at once [8]. Further ones wait.
	PoolSize int
	// Endpoint is the address of the account, for private ones
	// [https://{account}.snowflakecomputing.com].
	Endpoint string
}

// Open checks the options and reads the key. It connects to nothing. Its errors
// have the code config.
func Open(o Options) (executor.Executor, error) {
	if o.Account == "" || o.User == "" {
		return nil, driver.ConfigError("the account or the user is missing", nil)
	}
	if o.Endpoint == "" {
		o.Endpoint = "https://" + hostOfAccount(o.Account)
	}
	endpoint, err := url.Parse(o.Endpoint)
	if err != nil || endpoint.Host == "" {
		return nil, driver.ConfigError("the account is missing", nil)
	}
	auth, err := newTokenOrKeyCredentials(o)
	if err != nil {
		return nil, err
	}
	if o.PoolSize == 0 {
		o.PoolSize = defaultPoolSize
	}
	transport := remote.NewTransport(o.PoolSize, nil)
	c := &client{
		options: o, auth: auth, base: endpoint.JoinPath("api/v2/statements"), http: remote.NewClientWithoutRedirects(transport), names: make(chan struct{}, 1),
	}
	return remote.NewExecutor(remote.Options{Dialect: "snowflake", Slots: o.PoolSize, Start: c.startStatement, Close: func() error {
		transport.CloseIdleConnections()
		return nil
	}}), nil
}

const accountDomainInfix = ".snowflakecomputing."

// hostOfAccount returns the host of an account. A whole host may be given as well.
func hostOfAccount(account string) string {
	account = strings.ToLower(account)
	if strings.Contains(account, accountDomainInfix) {
		return account
	}
	// An underscore is not allowed in a host.
	account = strings.ReplaceAll(account, "_", "-")
	if _, region, ok := strings.Cut(account, "."); ok && strings.HasPrefix(region, "cn-") {
		return account + accountDomainInfix + "cn"
	}
	return account + accountDomainInfix + "com"
}

// tokenAccountName returns the account as tokens name it: without region and host.
func tokenAccountName(account string) string {
	account, _, _ = strings.Cut(strings.ToLower(account), accountDomainInfix)
	separator := "."
	if strings.HasSuffix(account, ".global") {
		separator = "-"
	}
	account, _, _ = strings.Cut(account, separator)
	return strings.ToUpper(account)
}

var plainIdentifierPattern = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_$]*$`)

// unquoteOrUppercaseIdentifier returns a name as the interface needs it: with the letters that it has in
// the account.
func unquoteOrUppercaseIdentifier(name string) string {
	switch {
	case plainIdentifierPattern.MatchString(name):
		return strings.ToUpper(name)
	case len(name) > 1 && name[0] == '"' && name[len(name)-1] == '"':
		return strings.ReplaceAll(name[1:len(name)-1], `""`, `"`)
	default:
		return name
	}
}
