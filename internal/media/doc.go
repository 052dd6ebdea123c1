// Package media turns the bytes of a picture or a sound into what a memory may keep
// of it: fingerprints, a guess at what is seen, place and time where a picture's file
// tells them. The bytes themselves are never kept here.
//
// Bytes come from anywhere, so every decoder is fenced: the format is told by the
// content, sizes are checked before anything is decoded, what is decoded is bounded,
// and a panic of a decoder is an error like any other (TestHostileFiles). Decoding is
// left to kept libraries; this package does what lies between them and the formulas
// of internal/sense: rows on white, one stretch filter, one resampler.
//
// It knows neither memories nor where a signal came from.
package media
