# shellcheck shell=bash
# What only the tests need, in one folder that is a Python environment with jinja2 and the server's wheel:
#   bin/llama-server   --model PATH --port N: llama.cpp's own server, on loopback
#   bin/python3        has jinja2, the oracle for chat templates
#   vocab/             vocabularies with texts (.inp) and their expected token ids (.out)
#   templates/         chat templates of real models

readonly testing_megabytes=700
readonly testing=$share/testing

testing_ready() {
  [[ -f $testing/stamp && $(<"$testing/stamp") == "$(testing_stamp)" ]] &&
    "$testing/bin/python3" -c 'import jinja2' 2>/dev/null # no longer, once the system's Python is a newer one
}

testing_stamp() { cat "$here"/pins/{testing,llama.cpp}.txt "$here"/llama{-server,_server.py} | sha256sum; }

make_testing() {
  local made=$work/made-testing site wheel
  fetch testing "llama-server and jinja2 for the tests, 34 MB"
  run "Making a Python environment" "$python" -m venv --without-pip "$made"
  rm "$made"/bin/[Aa]ctivate* # they name the folder where it is made
  site=$("$made/bin/python3" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
  for wheel in "$work"/testing/*.whl; do
    unpack_wheel "$wheel" "$site"
  done
  run "Compiling Python modules" "$made/bin/python3" -m compileall -q "$site"
  install "$here/llama-server" "$here/llama_server.py" "$made/bin/"

  unpack_source
  mkdir "$made/vocab" "$made/templates"
  cp "$work"/source/models/ggml-vocab-*.gguf* "$made/vocab/"
  cp "$work"/source/models/templates/*.jinja "$made/templates/"
  testing_stamp >"$made/stamp"
  place "$made" "$testing"
}
