#!/bin/sh
# Installs the system programs that the tests start and this machine lacks (Debian or Ubuntu, as root): asks on a terminal,
# elsewhere says so. For an ordinary user it names them and ends: without them those tests would fail one by one.
set -u
# Debian has nginx where an ordinary user's PATH does not look.
PATH="$PATH:/usr/sbin"

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
openssl:openssl
unshare:util-linux
mount:mount
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
  echo "The tests need programs that are not installed; apt-get can install them:$missing" >&2
  answer=''
  if [ -t 0 ] && [ -t 2 ] && [ -z "${CI:-}" ]; then
    printf 'Install them now? (Y/n) ' >&2
    read -r answer || answer=n
  else
    echo 'Installing them, as this runs as root.' >&2
  fi
  case $answer in
    '' | [Yy]*) ;;
    *) exit 1 ;;
  esac
  export DEBIAN_FRONTEND=noninteractive
  # shellcheck disable=SC2086
  apt-get update -qq && apt-get install -qq -y --no-install-recommends $missing >/dev/null && exit 0
fi

echo "The tests need programs that are not installed (Debian package names):$missing" >&2
echo 'Install them as root, or run tests that need none: npx vitest run test/contract test/client test/import' >&2
exit 1
