#!/bin/sh
# Installs the system programs that the tests use and this machine lacks (Debian or Ubuntu, as root).
# Elsewhere it names what is missing: the tests that need it are reported as skipped, and fail under CI=true.
set -u

# program:package, one for each thing a test starts.
wanted='
dbus-daemon:dbus
gnome-keyring-daemon:gnome-keyring
secret-tool:libsecret-tools
tmux:tmux
jq:jq
zsh:zsh
fish:fish
nginx:nginx-light
haproxy:haproxy
pgbouncer:pgbouncer
locale-gen:locales
chattr:e2fsprogs
groff:groff-base
strace:strace
curl:curl
'

missing=''
for entry in $wanted; do
  program=${entry%%:*}
  package=${entry##*:}
  command -v "$program" >/dev/null 2>&1 || missing="$missing $package"
done
# PostgreSQL's server programs are kept off PATH.
[ -n "${PETSTORE_TEST_POSTGRES_URL:-}" ] || ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 ||
  command -v postgres >/dev/null 2>&1 || missing="$missing postgresql"

[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  echo "Installing what the tests need:$missing" >&2
  export DEBIAN_FRONTEND=noninteractive
  # shellcheck disable=SC2086
  if apt-get update -qq && apt-get install -qq -y --no-install-recommends $missing >/dev/null; then
    exit 0
  fi
fi

echo "Missing for some tests (Debian package names):$missing" >&2
[ "${CI:-}" = true ] && exit 1
echo 'Those tests will be reported as skipped.' >&2
