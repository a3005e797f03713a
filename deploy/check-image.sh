#!/usr/bin/env bash
# Runs an image as it should be run (read-only, without capabilities) and checks that it works:
#
#   deploy/check-image.sh docker standin
set -euo pipefail
engine=${1:?the container engine, such as docker}
image=${2:?the name of the image}
port=${PORT:-4010}
name=standin-check-$$
key=svc_test_image

fail() {
  echo "deploy/check-image.sh: $1" >&2
  exit 1
}
remove() {
  $engine rm --force "$name" "$name-again" > /dev/null 2>&1 || true
  $engine volume rm "$name" > /dev/null 2>&1 || true
}
trap remove EXIT

start() {
  $engine run --detach --name "$1" --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges \
    --volume "$name:/data" --publish "127.0.0.1:$port:4010" --env STANDIN_CONTROL=open "$image" > /dev/null
  for _ in $(seq 50); do
    if $engine exec "$1" standin health > /dev/null 2>&1; then return; fi
    sleep 0.2
  done
  $engine logs "$1" >&2
  fail "it is not healthy after 10 s"
}
call() {
  curl --silent --show-error --fail-with-body --header "X-Service-Key: $key" --header "Content-Type: application/json" "$@"
}

start "$name"
test "$($engine exec "$name" id -u)" = 1000 || fail "it does not run as user 1000"
if $engine exec "$name" touch /app/file 2> /dev/null; then fail "its root is not read-only"; fi

id=$(call "http://127.0.0.1:$port/v1/phone/verify/start" --data '{"phone":"08031234567"}' | sed 's/.*"id":"\([^"]*\).*/\1/')
call "http://127.0.0.1:$port/_sandbox/inbox/wait?to=08031234567" > /dev/null

begun=$(date +%s%N)
$engine stop --time 10 "$name" > /dev/null
elapsed=$((($(date +%s%N) - begun) / 1000000))
code=$($engine inspect --format '{{.State.ExitCode}}' "$name")
test "$code" = 0 || fail "it ended with code $code"
test "$elapsed" -lt 2000 || fail "it took $elapsed ms to stop"

start "$name-again"
call "http://127.0.0.1:$port/_sandbox/records/$id" > /dev/null || fail "its state is gone after a restart"
echo "The image runs read-only as user 1000, stopped in $elapsed ms, and kept its state."
