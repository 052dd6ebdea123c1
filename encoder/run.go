package encoder

import (
	"context"
	"fmt"
	"slices"

	ort "github.com/yalue/onnxruntime_go"
)

// tensors are the inputs and outputs of a run, in the session's order.
type tensors struct{ inputs, outputs []ort.Value }

func (t *tensors) destroy() {
	for _, v := range slices.Concat(t.inputs, t.outputs) {
		if v != nil {
			_ = v.Destroy()
		}
	}
}

// runUntil runs a graph and ends the run early when ctx ends. stop must be used by
// one run at a time.
func runUntil(ctx context.Context, run *ort.DynamicAdvancedSession, set *tensors, stop *ort.RunOptions) error {
	ended := make(chan struct{})
	unhook := context.AfterFunc(ctx, func() {
		_ = stop.Terminate()
		close(ended)
	})
	err := run.RunWithOptions(set.inputs, set.outputs, stop)
	if !unhook() {
		<-ended
		_ = stop.UnsetTerminate()
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("ONNX Runtime could not run the model: %w", err)
	}
	return nil
}
