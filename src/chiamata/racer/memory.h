/* Memory in large pages where the system has them: the table is met at random, and small pages cost a miss each. */
#ifndef RACER_MEMORY_H
#define RACER_MEMORY_H

#include <stddef.h>

void *memory_new(size_t bytes); /* zeros, or NULL */
void memory_free(void *memory, size_t bytes);

#endif
