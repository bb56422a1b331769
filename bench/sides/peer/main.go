// The peer of the bench: PocketBase with its default settings, except for SQLite's `synchronous`, which is set by the
// environment variable SYNCHRONOUS.
package main

import (
	"log"
	"os"
	"runtime/debug"
	"strings"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase"
)

// The options with which PocketBase opens its databases (core.DefaultDBConnect).
const pragmas = "?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=journal_size_limit(200000000)" +
	"&_pragma=foreign_keys(ON)&_pragma=temp_store(MEMORY)&_pragma=cache_size(-32000)&_pragma=synchronous("

func main() {
	synchronous := os.Getenv("SYNCHRONOUS")
	if synchronous == "" {
		synchronous = "NORMAL"
	}
	app := pocketbase.NewWithConfig(pocketbase.Config{
		DBConnect: func(path string) (*dbx.DB, error) {
			return dbx.Open("sqlite", path+pragmas+synchronous+")")
		},
	})
	// The bench checks for this text, because a release of PocketBase does not read the variable.
	app.RootCmd.Version = version() + " with SYNCHRONOUS"
	if err := app.Start(); err != nil {
		log.Fatal(err)
	}
}

func version() string {
	info, _ := debug.ReadBuildInfo()
	for _, module := range info.Deps {
		if module.Path == "github.com/pocketbase/pocketbase" {
			return strings.TrimPrefix(module.Version, "v")
		}
	}
	return ""
}
