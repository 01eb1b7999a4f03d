# shellcheck shell=bash
# The Debian packages: only those whose use fails.

# Debian's own Python, whatever else is first on PATH.
python=/usr/bin/python3
have apt-get || python=python3
readonly python

missing_packages() {
  have g++ || echo g++
  have cmake || echo cmake
  have ninja || echo ninja-build
  have pkg-config || echo pkg-config
  # From 7.87 on a look-up that hangs does not hold up the other transfers.
  pkg-config --atleast-version=7.87 libcurl 2>/dev/null || echo libcurl4-openssl-dev
  [[ -s /etc/ssl/certs/ca-certificates.crt ]] || echo ca-certificates
  have "$python" || echo python3
  "$python" -c 'import pip' 2>/dev/null || echo python3-pip
  "$python" -c 'import venv' 2>/dev/null || echo python3-venv
}

install_packages() {
  local missing
  mapfile -t missing < <(missing_packages)
  ((${#missing[@]})) || return 0
  have apt-get ||
    fail "missing, by Debian's names: ${missing[*]}" "Install them with this system's package manager, then run again."
  can_be_root || fail "Debian packages are missing" "Have root run: apt-get install ${missing[*]}"

  say "Installing Debian packages: ${missing[*]}"
  # In the foreground, so that Ctrl-C reaches apt-get itself, which ends without leaving a package half installed.
  local apt=(env DEBIAN_FRONTEND=noninteractive apt-get --quiet -o DPkg::Lock::Timeout=300)
  if ! { as_root "${apt[@]}" update && as_root "${apt[@]}" install --yes --no-install-recommends "${missing[@]}"; } >&2; then
    fail "apt-get could not install ${missing[*]}" "Its lines above say why. Check the network and the disk, then run again."
  fi

  mapfile -t missing < <(missing_packages)
  ((${#missing[@]} == 0)) ||
    fail "${missing[*]}: installed, and still too old or not usable" "Take a newer system (Debian 12, Ubuntu 24.04), or install newer versions where pkg-config finds them."
}
