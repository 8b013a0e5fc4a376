#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "memory.h"

#if defined(__linux__)
#include <sys/mman.h>

void *memory_new(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    (void)madvise(memory, bytes, MADV_HUGEPAGE); /* a wish: without it everything is slower, nothing else */
    return memory;
}

void memory_free(void *memory, size_t bytes) {
    if (memory) munmap(memory, bytes);
}
#else
#include <stdlib.h>

void *memory_new(size_t bytes) { return calloc(bytes, 1); }

void memory_free(void *memory, size_t bytes) {
    (void)bytes;
    free(memory);
}
#endif
