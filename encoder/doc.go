// Package encoder turns text into unit vectors through ONNX Runtime.
//
// Open loads a model: the one in the box from bytes used in place
// (encoder/bundled), or one of the catalogue from its files (FromStore). The
// methods then take one text a call, because the activation scale of the
// quantised layers is taken over a whole batch: a text's vector must not depend
// on its neighbours. They may be called from several goroutines; a bounded number
// runs at a time, and questions go before passages.
//
// Vectors are only comparable when Identity is the same. A model of the catalogue may
// share its space with encoders of pictures and sounds (Space); CompareText and its
// siblings hold a model against vectors that it is known to give.
//
// Nothing here knows what the texts are for.
package encoder
