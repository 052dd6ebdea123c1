"""Write the small graphs of the encoder's tests beside this file.

    pip install numpy==2.4.6 onnx==1.23.2
    python make_graphs.py

rows.onnx, rows.onnx_data  a row a token from a table kept beside the graph, as the
                           catalogue's models have it: row i is [i, 1, i*i, -i].
                           It has every input the encoder knows to feed, and one
                           for the features of pictures.
nan.onnx                   a vector that is no number, whatever the text
space-text.onnx, _data     as EmbeddingGemma 2 (facts/models.md A3): ids, mask and the features of
                           pictures, films and sounds; the features take the places of their
                           placeholders, and sentence_embedding is the mean of all rows. The row of
                           any other token i is row i modulo 32 of the table.
space-pictures.onnx        patches and their places to a row for each 3 x 3 patches: [mean value of the
                           patches, column, row, 1] of the block
space-sounds.onnx          frames of 128 bands and which of them are real to a row for every fourth
                           frame: [mean, first band, last band, 1]
"""
import os

import numpy as np
import onnx
from onnx import TensorProto as TP
from onnx import helper, numpy_helper

HERE = os.path.dirname(os.path.abspath(__file__))
WIDTH, ROWS = 4, 32


def info(name, kind, shape):
    return helper.make_tensor_value_info(name, kind, shape)


def model(nodes, inputs, outputs, constants):
    graph = helper.make_graph(nodes, "test", inputs, outputs,
                              [numpy_helper.from_array(v, n) for n, v in constants.items()])
    return helper.make_model(graph, ir_version=9, opset_imports=[helper.make_opsetid("", 18)])


def rows():
    i = np.arange(ROWS, dtype=np.float32)
    table = np.stack([i, np.ones_like(i), i * i, -i], axis=1)
    node = helper.make_node
    ids = [info(n, TP.INT64, ["batch", "tokens"]) for n in ("input_ids", "attention_mask", "token_type_ids")]
    m = model([
        node("Gather", ["table", "input_ids"], ["row"], axis=0),
        node("Cast", ["attention_mask"], ["mask"], to=TP.FLOAT),
        node("Unsqueeze", ["mask", "last"], ["mask.1"]),
        node("Mul", ["row", "mask.1"], ["masked"]),
        node("Cast", ["token_type_ids"], ["types"], to=TP.FLOAT),
        node("Unsqueeze", ["types", "last"], ["types.1"]),
        node("Add", ["masked", "types.1"], ["typed"]),
        # The sum over no rows is zero: a picture's features would move every row.
        node("ReduceSum", ["image_features", "first"], ["picture"], keepdims=0),
        node("Add", ["typed", "picture"], ["last_hidden_state"]),
    ], ids + [info("image_features", TP.FLOAT, ["pictures", WIDTH])],
        [info("last_hidden_state", TP.FLOAT, ["batch", "tokens", WIDTH])],
        {"table": table, "last": np.array([-1], np.int64), "first": np.array([0], np.int64)})
    data = os.path.join(HERE, "rows.onnx_data")
    if os.path.exists(data):
        os.remove(data)  # the writer appends
    onnx.save(m, os.path.join(HERE, "rows.onnx"), save_as_external_data=True,
              location="rows.onnx_data", size_threshold=100)


def nan():
    node = helper.make_node
    m = model([
        node("Gather", ["table", "input_ids"], ["row"], axis=0),
        node("ReduceSum", ["row", "middle"], ["sum"], keepdims=0),
        node("Sqrt", ["sum"], ["sentence_embedding"]),
    ], [info("input_ids", TP.INT64, ["batch", "tokens"])],
        [info("sentence_embedding", TP.FLOAT, ["batch", WIDTH])],
        {"table": -np.ones((ROWS, WIDTH), np.float32), "middle": np.array([1], np.int64)})
    onnx.save(m, os.path.join(HERE, "nan.onnx"))


def save_beside(m, name):
    """Save a model with its constants in a file beside it."""
    data = os.path.join(HERE, name + "_data")
    if os.path.exists(data):
        os.remove(data)  # the writer appends
    onnx.save(m, os.path.join(HERE, name), save_as_external_data=True, location=name + "_data", size_threshold=100)


def space_text():
    node = helper.make_node
    i = np.arange(ROWS, dtype=np.float32)
    table = np.stack([i, np.ones_like(i), i * i, -i], axis=1)
    nodes = [node("Mod", ["input_ids", "rows"], ["row_ids"]), node("Gather", ["table", "row_ids"], ["text"], axis=0)]
    before = "text"
    for kind, placeholder in (("image", "258880"), ("video", "258884"), ("audio", "258881")):
        nodes += [
            node("Equal", ["input_ids", "id_" + placeholder], [kind + "_here"]),
            node("NonZero", [kind + "_here"], [kind + "_places_t"]),
            node("Transpose", [kind + "_places_t"], [kind + "_places"], perm=[1, 0]),
            node("ScatterND", [before, kind + "_places", kind + "_features"], [kind + "_in"]),
        ]
        before = kind + "_in"
    nodes += [
        node("Cast", ["attention_mask"], ["mask"], to=TP.FLOAT),
        node("Unsqueeze", ["mask", "last"], ["mask.1"]),
        node("Mul", [before, "mask.1"], ["last_hidden_state"]),
        node("ReduceSum", ["last_hidden_state", "middle"], ["sum"], keepdims=0),
        node("ReduceSum", ["mask.1", "middle"], ["count"], keepdims=0),
        node("Div", ["sum", "count"], ["sentence_embedding"]),
    ]
    m = model(nodes, [info(n, TP.INT64, ["batch", "tokens"]) for n in ("input_ids", "attention_mask")]
              + [info(k + "_features", TP.FLOAT, [k + "s", WIDTH]) for k in ("image", "video", "audio")],
              [info("last_hidden_state", TP.FLOAT, ["batch", "tokens", WIDTH]), info("sentence_embedding", TP.FLOAT, ["batch", WIDTH])],
              {"table": table, "rows": np.array(ROWS, np.int64), "last": np.array([-1], np.int64), "middle": np.array([1], np.int64)}
              | {"id_%d" % i: np.array(i, np.int64) for i in (258880, 258881, 258884)})
    save_beside(m, "space-text.onnx")


def space_pictures():
    node = helper.make_node
    m = model([
        node("Squeeze", ["pixel_position_ids", "first"], ["places"]),
        node("Split", ["places"], ["x.1", "y.1"], axis=1, num_outputs=2),
        node("Squeeze", ["x.1", "one"], ["x"]), node("Squeeze", ["y.1", "one"], ["y"]),
        node("GreaterOrEqual", ["x", "zero"], ["real"]),
        node("NonZero", ["real"], ["real.1"]), node("Squeeze", ["real.1", "first"], ["which"]),
        node("Gather", ["x", "which"], ["xs"]), node("Gather", ["y", "which"], ["ys"]),
        node("ReduceMean", ["pixel_values", "last"], ["means.1"], keepdims=0), node("Squeeze", ["means.1", "first"], ["means.2"]),
        node("Gather", ["means.2", "which"], ["means"]),
        node("Div", ["xs", "three"], ["column"]), node("Div", ["ys", "three"], ["line"]),
        node("ReduceMax", ["xs"], ["widest"], keepdims=0), node("Div", ["widest", "three"], ["columns.1"]), node("Add", ["columns.1", "one_"], ["columns"]),
        node("Mul", ["line", "columns"], ["before"]), node("Add", ["before", "column"], ["block"]), node("Unsqueeze", ["block", "one"], ["block.1"]),
        node("Cast", ["column"], ["column.f"], to=TP.FLOAT), node("Cast", ["line"], ["line.f"], to=TP.FLOAT),
        node("Mul", ["means", "null"], ["zeros"]), node("Add", ["zeros", "unit"], ["ones"]),
        *[node("Unsqueeze", [n, "one"], [n + ".u"]) for n in ("means", "column.f", "line.f", "ones")],
        node("Concat", ["means.u", "column.f.u", "line.f.u", "ones.u"], ["all"], axis=1),
        node("Shape", ["which"], ["count.1"]), node("Div", ["count.1", "nine"], ["blocks"]), node("Concat", ["blocks", "four"], ["shape"], axis=0),
        node("Expand", ["null", "shape"], ["empty"]),
        node("ScatterND", ["empty", "block.1", "all"], ["summed"], reduction="add"),
        node("Mul", ["summed", "ninth"], ["image_features"]),
    ], [info("pixel_values", TP.FLOAT, ["pictures", "patches", 768]), info("pixel_position_ids", TP.INT64, ["pictures", "patches", 2])],
        [info("image_features", TP.FLOAT, ["rows", WIDTH])],
        {"first": np.array([0], np.int64), "one": np.array([1], np.int64), "zero": np.array(0, np.int64), "last": np.array([-1], np.int64),
         "three": np.array(3, np.int64), "one_": np.array(1, np.int64), "nine": np.array([9], np.int64), "four": np.array([WIDTH], np.int64),
         "null": np.array(0, np.float32), "unit": np.array(1, np.float32), "ninth": np.array(1 / 9, np.float32)})
    onnx.save(m, os.path.join(HERE, "space-pictures.onnx"))


def space_sounds():
    node = helper.make_node
    m = model([
        node("Slice", ["input_features_mask", "first", "end", "one", "step"], ["mask.1"]),
        node("Squeeze", ["mask.1", "first"], ["mask"]), node("NonZero", ["mask"], ["which.1"]), node("Squeeze", ["which.1", "first"], ["which"]),
        node("Slice", ["input_features", "first", "end", "one", "step"], ["frames.1"]), node("Squeeze", ["frames.1", "first"], ["frames.2"]),
        node("Gather", ["frames.2", "which"], ["frames"]),
        node("ReduceMean", ["frames", "one"], ["mean"]),
        node("Slice", ["frames", "first", "one", "one"], ["lowest"]), node("Slice", ["frames", "minus", "end", "one"], ["highest"]),
        node("Mul", ["mean", "null"], ["zeros"]), node("Add", ["zeros", "unit"], ["ones"]),
        node("Concat", ["mean", "lowest", "highest", "ones"], ["audio_features"], axis=1),
    ], [info("input_features", TP.FLOAT, ["sounds", "frames", 128]), info("input_features_mask", TP.BOOL, ["sounds", "frames"])],
        [info("audio_features", TP.FLOAT, ["rows", WIDTH])],
        {"first": np.array([0], np.int64), "one": np.array([1], np.int64), "minus": np.array([-1], np.int64), "end": np.array([1 << 30], np.int64), "step": np.array([4], np.int64),
         "null": np.array(0, np.float32), "unit": np.array(1, np.float32)})
    onnx.save(m, os.path.join(HERE, "space-sounds.onnx"))


if __name__ == "__main__":
    rows()
    nan()
    space_text()
    space_pictures()
    space_sounds()
