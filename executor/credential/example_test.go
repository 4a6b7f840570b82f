package credential_test

import (
	"context"
	"fmt"

	"github.com/semlayer/semlayer/executor/credential"
)

func ExampleCommand() {
	source := credential.NewCommand([]string{"/bin/echo", `{"token":"abc","expires_at":"2999-01-01T00:00:00Z"}`}, "token", 0)
	secret, err := source.ReadSecret(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(secret, secret.Reveal(), source.Expiry())
	// Output: [secret] abc 2999-01-01 00:00:00 +0000 UTC
}
