package cli

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	client "github.com/semlayer/semlayer/clients/go"
)

// The default bound of a whole check in seconds. A probe that hangs counts as a failure.
const defaultServerCheckTimeoutSeconds = "10"

func (a *app) checkServerOrConnectionsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check [--url URL | --model FILE --connection NAME | --model FILE --all]",
		Short: "Check that a running server, or connections, accept queries",
		Long: "check requests the readiness of a running server, its model, and the SQL of the first metric that compiles.\n" +
			"It does not connect to a warehouse. It prints one line; the exit code is 0 if every step worked.\n\n" +
			"With --connection or --all it needs no server: it opens the model and the connections itself, and runs SELECT 1 on\n" +
			"each connection and a statement without rows on the source of each dataset.",
		Args: cobra.NoArgs,
	}
	addModelFlags(cmd)
	addConnectionsFlag(cmd)
	f := cmd.Flags()
	f.String("connection", "", "connection to check, instead of a server")
	f.Bool("all", false, "check every connection of the file")
	f.String("url", "", "address of the server, http://…, https://… or unix:PATH; by default the first one of SVC_BIND, or http://"+defaultBind)
	f.String(caCertificateFlag, "", "PEM file of the authorities that sign the server's certificate, instead of those of the system")
	f.String(clientCertificateFlag, "", "PEM file of the certificate of this client, for a server with --tls-client-ca")
	f.String(clientKeyFlag, "", "PEM file of the key of that certificate")
	f.StringArray("auth-token", nil, "bearer token of the server (variable SVC_SERVER_TOKEN; of several the first is sent)")
	f.String(tokenFileFlag, "", "file whose first token is the bearer token (variable SVC_SERVER_TOKEN_FILE)")
	f.String("timeout-secs", defaultServerCheckTimeoutSeconds, "time limit of the check in seconds; with --all of each connection")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		a.format = formatTable // errors are for people
		s, err := newSettingsReader(cmd)
		if err != nil {
			return err
		}
		connections, err := checksConnectionsNotServer(s)
		if err != nil {
			return err
		}
		if connections {
			return a.checkConnections(cmd.Context(), s)
		}
		c, timeout, err := a.newServerClient(s)
		if err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(cmd.Context(), timeout)
		defer cancel()
		line, err := checkServer(ctx, c)
		if err != nil {
			return fmt.Errorf("not well: %w", err)
		}
		return a.printText(line)
	}
	return cmd
}

// newServerClient makes the client of the server that the flags and variables name.
func (a *app) newServerClient(s settingsReader) (*client.Client, time.Duration, error) {
	timeout, err := s.readSeconds("timeout-secs")
	if err != nil {
		return nil, 0, err
	}
	tokens, err := s.readTokenSettings()
	if err != nil {
		return nil, 0, err
	}
	options := []client.Option{client.WithUserAgent("semlayer-check/" + a.version)}
	for _, t := range tokens.all() {
		if t.Secret != "" { // which a digest does not give
			options = append(options, client.WithToken(t.Secret))
			break
		}
	}
	url, transport, err := s.readServerURL()
	if err != nil {
		return nil, 0, err
	}
	c, err := client.New(url, append(options, client.WithHTTPClient(&http.Client{Transport: transport}))...)
	if err != nil {
		return nil, 0, newUsageError("--url: " + err.Error())
	}
	return c, timeout, nil
}

// checkServer sends three requests to the server and returns a one-line summary.
func checkServer(ctx context.Context, c *client.Client) (string, error) {
	begun := time.Now()
	ready, err := c.Ready(ctx)
	if err != nil {
		return "", err
	}
	if !ready {
		return "", errors.New("the server is shutting down")
	}
	model, err := c.Model(ctx)
	if err != nil {
		return "", err
	}
	metrics, err := c.Metrics(ctx)
	if err != nil {
		return "", err
	}
	about := fmt.Sprintf("ok: model %s, %d datasets, %d metrics", model.Name, model.Datasets, len(metrics))
	if len(metrics) == 0 {
		return about, nil // records can be asked for all the same
	}
	name, err := firstCompilableMetric(ctx, c, metrics)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s; %s compiles (%d ms)", about, name, time.Since(begun).Milliseconds()), nil
}

// firstCompilableMetric returns the first metric that the server compiles. Some metrics need a
// time range or a parameter, which check does not have, and some may not compile: the
// server rejects those with an error code, which is not a failure of the server.
func firstCompilableMetric(ctx context.Context, c *client.Client, metrics []client.Metric) (string, error) {
	var refusal error
	for _, m := range metrics {
		_, err := c.Compile(ctx, client.MetricQuery{Metrics: []string{m.Name}})
		if err == nil {
			return m.Name, nil
		}
		var answer *client.Error
		if !errors.As(err, &answer) || answer.HTTPStatus != 400 {
			return "", err
		}
		if refusal == nil {
			refusal = err
		}
	}
	return "", fmt.Errorf("none of its %d metrics compiles; the first: %w", len(metrics), refusal)
}
