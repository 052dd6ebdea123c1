// Package models knows the files Combray runs on: the encoders of the catalogue
// and the ONNX Runtime library. models.lock names each file with its size and
// SHA-256; a Store keeps them in one folder, checks them, fetches them when a
// person asks, and removes them.
//
// It is the only package that opens a connection, and it does so only in
// Download and InstallRuntime. It does not know what a model is for.
package models
