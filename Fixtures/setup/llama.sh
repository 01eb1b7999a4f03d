# shellcheck shell=bash
# llama.cpp: a copy in the tested range that pkg-config finds, or the pinned source built for this CPU; and its peers.

readonly llama_oldest=0.5.0 llama_too_new=0.6.0
readonly llama_megabytes=500 peers_megabytes=1500
readonly llama_stamp=$share/llama.cpp.stamp # says for which source, flags and CPU the copy in PREFIX was built
readonly llama_archive=$share/cache/llama.cpp.tar.gz
readonly peers=$share/peers

path_of_caller=${PKG_CONFIG_PATH-}
export PKG_CONFIG_PATH=$PREFIX/lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}

build_options=(
  -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON -DGGML_NATIVE=ON -DGGML_OPENMP=OFF
  -DLLAMA_BUILD_APP=OFF -DLLAMA_BUILD_EXAMPLES=OFF -DLLAMA_BUILD_TESTS=OFF
)
# Instructions that this CPU has and that serve it badly.
avoided=()
# GCC 12 takes _tile_loadconfig to read 8 bytes of its 64 and drops the stores of the rest: with AMX, every prompt of
# more than one token dies of SIGILL.
if grep -qw amx_tile /proc/cpuinfo; then avoided+=(-mno-amx-tile -mno-amx-int8 -mno-amx-bf16); fi
# With 16-bit arithmetic ggml adds up values 128 at a time and what is left one by one: for heads of 64, as small models
# have, that is all of it, and a step deep in a context takes more than twice as long.
if grep -qw avx512_fp16 /proc/cpuinfo && ${CC:-cc} -mno-avx512fp16 -E -x c /dev/null >/dev/null 2>&1; then
  avoided+=(-mno-avx512fp16)
fi
if ((${#avoided[@]})); then build_options+=("-DCMAKE_C_FLAGS=${avoided[*]}" "-DCMAKE_CXX_FLAGS=${avoided[*]}"); fi

# --- what is there ---

# 0.5.0-dev counts as 0.5.0 and 0.6.0-dev as 0.6.0: pkg-config orders both after the plain number.
llama_ready() {
  pkg-config --atleast-version="$llama_oldest" llama 2>/dev/null &&
    ! pkg-config --atleast-version="$llama_too_new" llama || return 1
  ! llama_is_ours || [[ -e $PREFIX/lib/libllama.so && $(<"$llama_stamp") == "$(build_stamp)" ]]
}

# A copy that this script did not install is used as it is. (PREFIX is where pkg-config looks first.)
llama_is_ours() { [[ -f $llama_stamp && -f $PREFIX/lib/pkgconfig/llama.pc ]]; }

llama_origin() { if llama_is_ours; then echo "built here for this CPU"; else echo "found, used as it is"; fi; }

# A native build dies of SIGILL on a CPU that lacks what the builder's had.
build_stamp() {
  pinned_hash llama.cpp
  printf '%s\n' "${build_options[@]}"
  cpu_flags
}

cpu_flags() { sed -nE '/^(flags|Features)[[:space:]]*:/ { s/^[^:]*:[[:space:]]*//p; q }' /proc/cpuinfo; }

pinned_hash() { grep -oE '[0-9a-f]{64}' "$here/pins/$1.txt"; }

# --- source ---

# The archive is kept, so that --tests and --peers need no second download.
unpack_source() {
  [[ ! -d $work/source ]] || return 0
  if ! matches "$(pinned_hash llama.cpp)" "$llama_archive"; then
    fetch llama.cpp "llama.cpp's source, 77 MB"
    place "$work"/llama.cpp/*.tar.gz "$llama_archive"
  fi
  mkdir "$work/source"
  run "Unpacking llama.cpp's source" \
    tar -xzf "$llama_archive" -C "$work/source" --strip-components=3 --wildcards '*/vendor/llama.cpp'
}

# --- build ---

make_llama() {
  refuse_to_overwrite
  unpack_source
  configure_llama -DLLAMA_BUILD_COMMON=OFF -DLLAMA_BUILD_SERVER=OFF -DLLAMA_BUILD_TOOLS=OFF
  run "Building llama.cpp" ninja -C "$work/build"
  install_llama
}

refuse_to_overwrite() {
  local file
  [[ ! -f $llama_stamp ]] || return 0
  for file in include/llama.h lib/libllama.so lib/libggml.so lib/pkgconfig/llama.pc; do
    [[ ! -e $PREFIX/$file ]] ||
      fail "$PREFIX has a llama.cpp outside the tested range ($llama_oldest up to, not including, $llama_too_new)" \
        "Remove it ($PREFIX/$file and the rest), or choose another place: PREFIX=/opt/hybridkit Fixtures/bootstrap"
  done
}

configure_llama() {
  run "Configuring llama.cpp" cmake -G Ninja -S "$work/source" -B "$work/build" "${build_options[@]}" "$@" \
    -DCMAKE_INSTALL_PREFIX="$PREFIX" -DCMAKE_INSTALL_LIBDIR=lib
}

# The stamp comes first and llama.pc last, so that a copy cut short is neither found nor taken for someone else's.
install_llama() {
  local staged=$work/staged$PREFIX pc=lib/pkgconfig/llama.pc
  DESTDIR=$work/staged run "Installing llama.cpp in $PREFIX" cmake --install "$work/build"
  sed '/^[a-z_]*=/ s/ /\\ /g' "$staged/$pc" >"$work/llama.pc" # CMake leaves spaces in paths unescaped
  rm "$staged/$pc"
  echo incomplete >"$work/stamp"
  place "$work/stamp" "$llama_stamp"
  in_prefix rm -f "$PREFIX/$pc"
  in_prefix cp -RP --remove-destination "$staged/." "$PREFIX/" # running programs keep the files that they have open
  build_stamp >"$work/stamp"
  place "$work/stamp" "$llama_stamp"
  place "$work/llama.pc" "$PREFIX/$pc"
  if is_root || ! prefix_is_ours; then as_root /sbin/ldconfig; fi
}

# --- peers ---

peers_ready() { [[ -f $peers/stamp && $(<"$peers/stamp") == "$(build_stamp)" ]]; }

# They carry their own libraries: a peer is this very build, whatever the copy in use is.
make_peers() {
  local made=$work/peers
  unpack_source
  configure_llama -DLLAMA_BUILD_COMMON=ON -DLLAMA_BUILD_SERVER=ON -DLLAMA_BUILD_TOOLS=ON \
    -DLLAMA_BUILD_UI=OFF -DLLAMA_USE_PREBUILT_UI=OFF -DLLAMA_OPENSSL=OFF \
    -DCMAKE_BUILD_WITH_INSTALL_RPATH=ON -DCMAKE_INSTALL_RPATH=\$ORIGIN
  run "Building llama-bench and llama-server" ninja -C "$work/build" llama-bench llama-server
  mkdir -p "$made/bin"
  cp -P "$work"/build/bin/{llama-bench,llama-server,lib*.so*} "$made/bin/"
  build_stamp >"$made/stamp"
  place "$made" "$peers"
}

# --- environment ---

# SwiftPM takes only -I, -L and -l from pkg-config: where the loader does not look of itself, a program has to be told.
say_exports() {
  local libraries seen lines=()
  libraries=$(pkg-config --variable=libdir llama)
  seen=$(PKG_CONFIG_PATH=$path_of_caller pkg-config --variable=libdir llama 2>/dev/null || true)
  libraries=${libraries//\\ / } seen=${seen//\\ / } # pkg-config escapes spaces

  [[ $PREFIX == /usr/local ]] || lines+=("$(printf 'export PREFIX=%q' "$PREFIX")") # for the model and the tests' files
  [[ $seen == "$libraries" ]] || lines+=("$(prepending PKG_CONFIG_PATH "$libraries/pkgconfig")")
  loader_finds "$libraries" || lines+=("$(prepending LD_LIBRARY_PATH "$libraries")")
  ((${#lines[@]})) || return 0
  say $'\nBefore swift build, swift run and swift test:'
  printf '  %s\n' "${lines[@]}" >&2
}

# shellcheck disable=SC2016 # the reader's shell expands it
prepending() { printf 'export %s=%q${%s:+:$%s}' "$1" "$2" "$1" "$1"; }

loader_finds() {
  [[ ":${LD_LIBRARY_PATH-}:" == *":$1:"* ]] || /sbin/ldconfig -p | grep -F " => $1/libllama.so" >/dev/null
}
