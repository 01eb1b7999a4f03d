"""Stands in for the build backend of the pinned llama.cpp source package while pip downloads it.

`pip download` asks a source package's backend for its metadata, and would first fetch and run whatever version of that
backend is newest. Only the archive is wanted: so nothing unpinned is downloaded, and nothing in the archive runs.
"""

import email
import shutil
from pathlib import Path


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    metadata = email.message_from_string(Path("PKG-INFO").read_text(encoding="utf-8"))
    folder = f"{metadata['Name']}-{metadata['Version']}.dist-info"
    Path(metadata_directory, folder).mkdir()
    shutil.copy("PKG-INFO", Path(metadata_directory, folder, "METADATA"))
    return folder
