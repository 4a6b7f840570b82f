package cli

import (
	"context"
	"fmt"
	"log/slog"
	"net"

	"github.com/spf13/pflag"

	"github.com/semlayer/semlayer/cmd/internal/certfile"
	"github.com/semlayer/semlayer/cmd/internal/settings"
	"github.com/semlayer/semlayer/pgwire"
	"github.com/semlayer/semlayer/pgwire/catalogue"
	"github.com/semlayer/semlayer/restapi"
)

const (
	pgBindFlag           = "pg-bind"
	pgTLSCertificateFlag = "pg-tls-cert"
	pgTLSKeyFlag         = "pg-tls-key"
	pgRequireTLSFlag     = "pg-require-tls"
	pgMaxSessionsFlag    = "pg-max-sessions"
	pgMaxPendingFlag     = "pg-max-pending"
	pgIdleTimeoutFlag    = "pg-idle-timeout-secs"
)

// addPostgresFlags adds the flags of the PostgreSQL port.
func addPostgresFlags(f *pflag.FlagSet) {
	settings.AddFlags(f, pgBindFlag, pgTLSCertificateFlag, pgTLSKeyFlag, pgRequireTLSFlag, pgMaxSessionsFlag, pgMaxPendingFlag, pgIdleTimeoutFlag)
}

// postgresSettings are the settings of the PostgreSQL port.
type postgresSettings struct {
	bind   string          // "" for no port
	tls    *certfile.Files // nil: none
	config pgwire.Config
}

// readPostgresSettings reads the settings of the PostgreSQL port that are not those of the whole server.
func (s settingsReader) readPostgresSettings(log *slog.Logger) (out postgresSettings, err error) {
	out.bind = s.readText(pgBindFlag)
	if out.config.MaxSessions, err = s.readCount(pgMaxSessionsFlag); err != nil {
		return out, err
	}
	if out.config.MaxPending, err = s.readCount(pgMaxPendingFlag); err != nil {
		return out, err
	}
	if out.config.RequireTLS, err = s.readBoolean(pgRequireTLSFlag); err != nil {
		return out, err
	}
	out.config.IdleTimeout = -1
	if s.readText(pgIdleTimeoutFlag) != "0" {
		if out.config.IdleTimeout, err = s.readSeconds(pgIdleTimeoutFlag); err != nil {
			return out, err
		}
	}
	out.tls, err = s.readCertificateFiles(pgTLSCertificateFlag, pgTLSKeyFlag, "", log)
	switch {
	case err != nil:
		return out, err
	case out.tls != nil:
		out.config.TLS = out.tls.Certificate
	case out.config.RequireTLS:
		return out, newUsageError(flagAndEnvVariableText(pgRequireTLSFlag) + " needs " + flagAndEnvVariableText(pgTLSCertificateFlag))
	}
	return out, nil
}

// withServerSettings takes the settings that both interfaces share.
func (p postgresSettings) withServerSettings(c serverSettings, version string) (postgresSettings, error) {
	p.config.Identities, p.config.DisableExecute = postgresIdentities{c.access.directory, c.access.severalNames}, c.http.DisableExecute
	p.config.ExecuteTimeout, p.config.RequestTimeout, p.config.MaxMessageBytes = c.http.ExecuteTimeout, c.http.RequestTimeout, c.http.MaxBodyBytes
	p.config.StreamTimeout = c.http.StreamTimeout
	p.config.Logger, p.config.Version, p.config.Memory = c.log, version, c.engine.Memory
	if p.bind == "" || c.access.isSecured() {
		return p, nil
	}
	local, err := isLocalAddress(p.bind)
	if err != nil {
		return p, newUsageError(flagAndEnvVariableText(pgBindFlag) + ": " + err.Error())
	}
	if !local {
		return p, newUsageError(fmt.Sprintf("%s is %s, which other machines reach: it needs %s or %s",
			flagAndEnvVariableText(pgBindFlag), p.bind, flagAndEnvVariableText("auth-token"), flagAndEnvVariableText(tokenFileFlag)))
	}
	return p, nil
}

// postgresListener is the PostgreSQL port of a server.
type postgresListener struct {
	server    *pgwire.Server
	catalogue *catalogue.Catalogue
	ln        net.Listener
	log       *slog.Logger
}

// openPostgresPort listens on the PostgreSQL port; nil where there is none.
func openPostgresPort(ctx context.Context, p postgresSettings, models restapi.Models, c serverSettings) (*postgresListener, error) {
	if p.bind == "" {
		return nil, nil
	}
	log, tables := c.log, catalogue.New(c.log, c.engine.Memory)
	p.config.Catalogue = tables
	server, err := pgwire.New(toPostgresModels(models), p.config)
	if err != nil {
		return nil, newUsageError(err.Error())
	}
	ln, err := listenOn(ctx, pgBindFlag, p.bind)
	if err != nil {
		return nil, err
	}
	if p.config.TLS == nil && !isLoopback(ln.Addr()) {
		log.Warn("the PostgreSQL port has no TLS: rows and statements cross the network as plain text", "address", ln.Addr().String())
	}
	return &postgresListener{server, tables, ln, log}, nil
}

// toPostgresModels returns the models of a server as databases: under their names in paths, else the model's own.
func toPostgresModels(m restapi.Models) pgwire.Models {
	var out pgwire.Models
	for _, one := range m.List {
		service, ok := one.Service.(pgwire.Engine)
		if !ok {
			continue
		}
		name := one.Name
		if !m.Several {
			name = service.Model().Name
			out.Default = name
		}
		out.List = append(out.List, pgwire.Model{Name: name, Service: service})
	}
	if m.Several {
		out.Default = m.Default
	}
	return out
}

// replaceModels makes these the databases of the port, and gives back what its catalogue holds of others.
func (p *postgresListener) replaceModels(models pgwire.Models) error {
	if err := p.server.ReplaceModels(models); err != nil {
		return err
	}
	p.catalogue.ReplaceModels(models.List)
	return nil
}

// serve serves the port until ctx ends.
func (p *postgresListener) serve(ctx context.Context) {
	defer p.catalogue.Close()
	p.log.Info("serving the PostgreSQL port", "address", p.ln.Addr().String())
	if err := p.server.Serve(ctx, p.ln); err != nil {
		p.log.Error("the PostgreSQL port has ended", "error", err)
	}
}
