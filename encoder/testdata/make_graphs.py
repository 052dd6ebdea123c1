"""Write the small graphs of the encoder's tests beside this file.

    pip install numpy==2.4.6 onnx==1.23.2
    python make_graphs.py

rows.onnx, rows.onnx_data  a row a token from a table kept beside the graph, as the
                           catalogue's models have it: row i is [i, 1, i*i, -i].
                           It has every input the encoder knows to feed, and one
                           for the features of pictures.
nan.onnx                   a vector that is no number, whatever the text
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


if __name__ == "__main__":
    rows()
    nan()
