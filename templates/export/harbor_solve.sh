#!/bin/sh
# The reference answer.
set -eu
cp "$(dirname "$0")/answer.sql" "${SQLFAULT_WORKSPACE:-/workspace}/answer.sql"
