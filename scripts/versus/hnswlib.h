// What hnswlib.go calls of hnswlib.
#pragma once
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
void *versus_hnsw_new(size_t dims, size_t rows, size_t links, size_t ef);
int versus_hnsw_add(void *index, const float *vector, size_t row);
int versus_hnsw_search(void *index, const float *question, size_t ef, size_t most, int *found);
size_t versus_hnsw_bytes(void *index);
void versus_hnsw_free(void *index);
#ifdef __cplusplus
}
#endif
