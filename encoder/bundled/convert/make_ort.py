"""Write model.onnx in ONNX Runtime's own format.

    pip install numpy==2.4.6 onnxruntime==1.24.3
    python make_ort.py model.onnx model.ort

Level *extended*: the fusions of the CPU provider, and nothing that depends on the
processor of the machine it is made on. Some 2,000 bytes differ from run to run,
so a new file has a new hash; encoder/golden_test.go proves it.
"""
import sys

import onnxruntime as ort


def main():
    source, target = sys.argv[1:]
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    options.optimized_model_filepath = target
    options.add_session_config_entry("session.save_model_format", "ORT")
    ort.InferenceSession(source, options, providers=["CPUExecutionProvider"])


if __name__ == "__main__":
    main()
