#!/bin/sh
# Checks the map page: its types, that what is committed is what the sources build,
# and in Chromium what it does. Installs what is missing.
set -eu
cd "$(dirname "$0")"
if [ -z "${CHROMIUM:-}" ] && [ ! -x /usr/bin/chromium ]; then
	apt-get update -qq
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null
fi
npm ci --silent
npm run --silent check
npm run --silent build -- --check
npm run --silent test
