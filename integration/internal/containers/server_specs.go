package containers

import (
	"os"
	"strings"

	"github.com/semlayer/semlayer/executor/localdb"
)

// ContainerLabel is on every container that is started here.
const ContainerLabel = "semlayer.test"

// serverSpec is how a server of an engine is run.
type serverSpec struct {
	engine localdb.Engine
	image  string // the public one
	port   string
	root   string // the first user
	env    func(password string) map[string]string
	args   []string // for the server, not the container: they start with a dash
}

func serverSpecs() []serverSpec {
	// The data need not survive anything, which makes the servers quick.
	mysqlArgs := []string{"--innodb-flush-log-at-trx-commit=0", "--innodb-buffer-pool-size=64M", "--skip-log-bin", "--skip-name-resolve"}
	return []serverSpec{
		{
			engine: localdb.Postgres, image: "postgres:17", port: "5432/tcp", root: testUser,
			env: func(password string) map[string]string {
				return map[string]string{"POSTGRES_USER": testUser, "POSTGRES_PASSWORD": password, "POSTGRES_DB": testDatabase}
			},
			args: []string{"-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off"},
		},
		{
			engine: localdb.MariaDB, image: "mariadb:11.8", port: "3306/tcp", root: "root",
			env:  func(password string) map[string]string { return map[string]string{"MARIADB_ROOT_PASSWORD": password} },
			args: mysqlArgs,
		},
		{
			engine: localdb.MySQL, image: "mysql:9", port: "3306/tcp", root: "root",
			env:  func(password string) map[string]string { return map[string]string{"MYSQL_ROOT_PASSWORD": password} },
			args: append([]string{"--mysqlx=OFF"}, mysqlArgs...),
		},
	}
}

func specOfEngine(e localdb.Engine) (serverSpec, bool) {
	for _, s := range serverSpecs() {
		if s.engine == e {
			return s, true
		}
	}
	return serverSpec{}, false
}

// ImageEnv returns the variable that names the image of an engine.
func ImageEnv(e localdb.Engine) string { return "SEMLAYER_" + strings.ToUpper(string(e)) + "_IMAGE" }

// imageNames returns the names to look for. One of the environment stands alone.
func (s serverSpec) imageNames() []string {
	if name := os.Getenv(ImageEnv(s.engine)); name != "" {
		return []string{name}
	}
	return []string{s.image, "semlayer-local/" + string(s.engine) + ":latest"}
}
