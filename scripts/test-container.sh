#!/bin/sh
# Builds the container by buildah on a Debian of debootstrap, and runs it as its ordinary user (on Debian, as root: curl,
# buildah, debootstrap): `npm run test:container`.
set -eu
work=$(mktemp -d)
service=
trap 'test -z "$service" || stop || true; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
port=18089
url=http://127.0.0.1:$port
image() { buildah --storage-driver vfs --root "$work/images" --runroot "$work/run" "$@"; }

# What the public image has: Debian, Node and npm.
debootstrap --variant=minbase bookworm "$work/base" >"$work/base.log"
npm install --silent --no-save --ignore-scripts --prefix "$work/node" "node-linux-$(node -p process.arch)@22"
cp "$work"/node/node_modules/node-linux-*/bin/node "$work/base/usr/local/bin/"
cp -r "$(npm root --global)/npm" "$work/base/usr/local/lib/npm"
ln -s ../lib/npm/bin/npm-cli.js "$work/base/usr/local/bin/npm"
base=$(image from scratch)
image copy --quiet "$base" "$work/base" / >"$work/base.log"
base=$(image commit --quiet --rm "$base" localhost/base)

# npm's settings of this computer are used, and stay outside the image.
npm pack --silent --ignore-scripts --pack-destination "$work" >"$work/pack.log"
set -- --build-arg "BASE=$base"
found() { from=$(npm config get "$1") && test -f "$from"; }
if found userconfig; then set -- "$@" --secret "id=npmrc,src=$from"; fi
if found globalconfig; then set -- "$@" --volume "$from:/usr/local/etc/npmrc:ro"; fi
if found cafile; then set -- "$@" --volume "$from:$from:ro"; fi
built=$(image build --quiet --isolation chroot --format docker "$@" --file Containerfile "$work")
container=$(image from "$built")
mkdir "$work/volume"

config() { image inspect --type image --format "{{range .Docker.Config.$1}}{{.}} {{end}}" "$built"; }
enter() { image run --isolation chroot --env "PETSTORE_SERVE_PORT=$port" --volume "$work/volume:/var/lib/petstore:U" "$container" -- "$@"; }
expect() { test "$1" = "$2" || { echo "Expected $1, got $2" >&2; exit 1; } }
fetch() { curl -sS --fail -H "Authorization: Bearer $key" -H 'Content-Type: application/json' "$@" "$url/v1/pets"; }
innermost() { if child=$(pgrep -P "$1"); then innermost "$child"; else echo "$1"; fi; }

start() {
  # shellcheck disable=SC2046
  enter $(config Entrypoint) $(config Cmd) 2>"$work/log" &
  service=$!
  curl -s --fail --retry 50 --retry-delay 1 --retry-connrefused "$url/readyz" >"$work/ready"
  enter sh -c "$(config Healthcheck.Test | sed 's/^CMD-SHELL //')"
}

# As a container's runtime does: by a signal to the first process.
stop() {
  began=$(date +%s)
  kill -TERM "$(innermost "$service")"
  wait "$service"
  service=
  test $(($(date +%s) - began)) -le 10
}

start
expect petstore "$(enter id -un)"
key=$(enter petstore keys create --name till-1)
pet=$(fetch -d '{"name":"Rex","categoryId":7}')
expect "[$pet]" "$(fetch)"
stop
start
expect "[$pet]" "$(fetch)"
stop
echo 'The container serves, stops, and keeps its pets.'
