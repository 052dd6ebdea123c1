//go:build hnswlib

#include "hnswlib.h"
#include <hnswlib/hnswlib.h>
#include <memory>

namespace {
struct Index {
    hnswlib::L2Space space; // for unit vectors the order of the cosine
    hnswlib::HierarchicalNSW<float> graph;
    Index(size_t dims, size_t rows, size_t links, size_t ef) : space(dims), graph(&space, rows, links, ef, 1) {}
};
}

extern "C" {

void *versus_hnsw_new(size_t dims, size_t rows, size_t links, size_t ef) try {
    return new Index(dims, rows, links, ef);
} catch (...) {
    return nullptr;
}

int versus_hnsw_add(void *index, const float *vector, size_t row) try {
    static_cast<Index *>(index)->graph.addPoint(vector, row);
    return 0;
} catch (...) {
    return -1;
}

// The nearest first.
int versus_hnsw_search(void *index, const float *question, size_t ef, size_t most, int *found) try {
    auto &graph = static_cast<Index *>(index)->graph;
    graph.setEf(ef);
    auto best = graph.searchKnn(question, most);
    int n = int(best.size());
    for (int i = n; i-- > 0; best.pop()) found[i] = int(best.top().second);
    return n;
} catch (...) {
    return 0;
}

// Vectors, links of all layers and labels.
size_t versus_hnsw_bytes(void *index) {
    auto &graph = static_cast<Index *>(index)->graph;
    size_t bytes = graph.cur_element_count * graph.size_data_per_element_;
    for (size_t i = 0; i < graph.cur_element_count; i++) bytes += graph.element_levels_[i] * graph.size_links_per_element_;
    return bytes;
}

void versus_hnsw_free(void *index) { delete static_cast<Index *>(index); }
}
