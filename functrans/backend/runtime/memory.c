/* Memory that is used again: of results that nobody holds any more, and of intermediate values.

   A block that is given back is kept at the front of one ring, and the blocks at its end, used least recently, go back
   to the system until what is kept is within the budget. Results own their memory as any array does: NumPy gives it
   back through the handler below when the last one who holds the array lets go. The GIL is held in all of this. */
typedef struct Block {
  struct Block *before, *after;
  size_t size; /* bytes behind this header */
  char fill[64 - 2 * sizeof(struct Block *) - sizeof(size_t)];
} Block;

#define BLOCKS 64            /* that are kept: a search looks at no more */
#define HUGE_PAGES (1 << 22) /* bytes from which on NumPy asks for large pages, too */
#define DOMAIN 389047        /* of NumPy's arrays in tracemalloc */

static Block ring = {&ring, &ring, 0, {0}};
static size_t kept_bytes, budget;
static int kept_blocks;
static size_t result_from; /* bytes: NumPy itself has smaller results at hand */
static PyObject *handler;

static void unlink_block(Block *b) {
  b->before->after = b->after;
  b->after->before = b->before;
  kept_bytes -= b->size;
  kept_blocks--;
}

/* Memory of at least so many bytes, 64-byte aligned; NULL if there is none. A kept block may be larger by an eighth. */
static void *take(size_t need) {
  for (Block *b = ring.after; b != &ring; b = b->after)
    if (b->size >= need && b->size - need <= need / 8 + 256) {
      unlink_block(b);
      return b + 1;
    }
  if (need > SIZE_MAX - 4096) return NULL;
  void *memory = NULL;
  size_t size = (need + 63) / 64 * 64;
  if (posix_memalign(&memory, 64, sizeof(Block) + size)) return NULL;
#ifdef MADV_HUGEPAGE
  if (size >= HUGE_PAGES) {
    char *page = (char *)(((uintptr_t)memory + 4095) / 4096 * 4096);
    madvise(page, (size_t)((char *)memory + sizeof(Block) + size - page), MADV_HUGEPAGE);
  }
#endif
  ((Block *)memory)->size = size;
  return (Block *)memory + 1;
}

static void give(void *memory) {
  Block *b = (Block *)memory - 1;
  if (b->size > budget) { free(b); return; }
  b->before = &ring;
  b->after = ring.after;
  b->after->before = b;
  ring.after = b;
  kept_bytes += b->size;
  kept_blocks++;
  while (kept_bytes > budget || kept_blocks > BLOCKS) {
    Block *last = ring.before;
    unlink_block(last);
    free(last);
  }
}

/* What NumPy calls for an array whose memory comes from here: for `resize`, and when the array goes. */
static void *result_malloc(void *context, size_t size) { return take(size ? size : 1); }

static void *result_calloc(void *context, size_t n, size_t size) {
  if (size && n > SIZE_MAX / size) return NULL;
  void *memory = take(n * size ? n * size : 1);
  return memory ? memset(memory, 0, n * size) : NULL;
}

static void result_free(void *context, void *memory, size_t size) {
  if (memory && ((Block *)memory - 1)->size < result_from) free((Block *)memory - 1); /* after a resize */
  else if (memory) give(memory);
}

static void *result_realloc(void *context, void *memory, size_t size) {
  void *other = take(size ? size : 1);
  if (!other || !memory) return other;
  size_t had = ((Block *)memory - 1)->size;
  memcpy(other, memory, had < size ? had : size);
  result_free(context, memory, had);
  return other;
}

static PyDataMem_Handler results_handler = {
  "functrans_results", 1, {NULL, result_malloc, result_calloc, result_realloc, result_free}};

/* A new array for a result. */
static PyObject *new_result(const Array *want) {
  Py_INCREF(want->descr);
  if ((size_t)want->bytes < result_from || (size_t)want->bytes > budget)
    return PyArray_NewFromDescr(&PyArray_Type, want->descr, want->nd, want->dims, NULL, NULL, 0, NULL);
  void *memory = take((size_t)want->bytes);
  if (!memory) {
    Py_DECREF(want->descr);
    return PyErr_NoMemory();
  }
  PyObject *x = PyArray_NewFromDescr(&PyArray_Type, want->descr, want->nd, want->dims, NULL, memory,
                                     NPY_ARRAY_CARRAY, NULL);
  if (!x) {
    give(memory);
    return NULL;
  }
  ((PyArrayObject_fields *)x)->mem_handler = Py_NewRef(handler);
  PyArray_ENABLEFLAGS((PyArrayObject *)x, NPY_ARRAY_OWNDATA);
  PyTraceMalloc_Track(DOMAIN, (uintptr_t)memory, (size_t)want->bytes);
  return x;
}
