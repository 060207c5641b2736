#!/usr/bin/env bash
# Checks the module: format, vet, staticcheck, its dependencies, tests. Needs Go
# alone.
set -euo pipefail
cd "$(dirname "$0")"

unformatted=$(gofmt -l .)
[ -z "$unformatted" ] || { echo "gofmt would change: $unformatted"; exit 1; }

# Outside of the workspace, where tidy works, the library is what is beside it.
mod=$(mktemp --suffix .mod)
trap 'rm -f "$mod" "${mod%.mod}.sum"' EXIT
cp go.mod "$mod"
cp go.sum "${mod%.mod}.sum"
GOWORK=off go mod edit -replace "github.com/fourway-routing/fourway=$(dirname "$PWD")" "$mod"
GOWORK=off go mod tidy -diff -modfile "$mod"

go vet ./...
# The tool is built with the modules of tools, and looks at this workspace.
staticcheck=$(cd .. && GOWORK=off go tool -n -modfile=tools/go.mod staticcheck)
"$staticcheck" ./...
go build ./...
go test ./...
