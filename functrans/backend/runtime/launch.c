/* The launcher: from NumPy arrays to NumPy arrays through one call of compiled code.

   A Launch holds one Record for each signature of a jitted function: what the arguments must be, what the results
   are, where everything stands in the list of buffers. A call that fits a Record runs here; any other is answered
   with NotImplemented, and the caller takes the long way, which knows every case and every error message.
   Compiled once for each Python, NumPy and compiler, with records.c, writer.c and module.c behind it in one file, and kept
   beside the compiled functions. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#include <numpy/arrayobject.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define RECORDS 8     /* signatures that are tried in turn */
#define MOST 256      /* buffers of one call; they lie on the stack */
#define SIZES 64      /* of a call that may share its work */
#define KEPT 2        /* y = f(x) in a loop holds the last result while the next is made */
#define AGAIN 1000    /* the status of a call that has run for a while and is not done */
#define ARENAS 8      /* threads that can have an arena each without asking the system for it */

typedef int (*Entry)(void **buffers, const long long *sizes);

typedef struct {
  PyArray_Descr *descr;
  int nd;
  npy_intp dims[NPY_MAXDIMS];
  npy_intp bytes;
  PyObject *kept[KEPT]; /* results to be used again once nobody else holds them; of inputs, nothing */
} Array;

typedef struct {
  PyObject_HEAD
  Entry entry;
  PyObject *keep;      /* the library and the captured arrays */
  PyObject *unflatten; /* NULL for one array, None for a tuple of arrays */
  int release;         /* whether other threads may run meanwhile: it pays from some microseconds on */
  int nin, nout, nbuffers, first_out, first_slice, nslices;
  Array *in, *out;
  long long *sizes; /* the last is the number of threads */
  int nsizes;
  size_t *offsets; /* of the slices of the arena, which come behind the results */
  size_t arena, scratch; /* bytes for one thread, and for each one more */
  int pooled;            /* whether several threads may share the work: the last buffer is the address of the pool */
  void *buffers[MOST]; /* where the captured arrays are filled in */
} Record;

typedef struct {
  PyObject_HEAD
  vectorcallfunc vectorcall;
  int n, next;
  Record *records[RECORDS];
} Launch;

static PyObject *running;    /* a dict that is empty unless a function is being traced, on whatever thread */
static PyObject *settings;   /* the dict of config */
static PyObject *debug_nans, *max_threads; /* its keys */
static PyObject *out_name;
static npy_intp keep_from, keep_to; /* bytes of a result that is kept for use again */

static struct { void *memory; size_t size; } arenas[ARENAS];

/* Memory for intermediate values: taken out of the table, so that no two calls have the same. */
static void *take_arena(size_t need, size_t *size) {
  int best = -1;
  for (int k = 0; k < ARENAS; k++)
    if (arenas[k].memory && arenas[k].size >= need && (best < 0 || arenas[k].size < arenas[best].size)) best = k;
  if (best >= 0) {
    void *memory = arenas[best].memory;
    *size = arenas[best].size;
    arenas[best].memory = NULL;
    return memory;
  }
  void *memory = NULL;
  *size = (need + 63) / 64 * 64;
  return posix_memalign(&memory, 64, *size) ? NULL : memory;
}

static void give_arena(void *memory, size_t size) {
  int worst = 0;
  for (int k = 0; k < ARENAS; k++) {
    if (!arenas[k].memory) { worst = k; break; }
    if (arenas[k].size < arenas[worst].size) worst = k;
  }
  if (arenas[worst].memory && arenas[worst].size >= size) { free(memory); return; }
  free(arenas[worst].memory);
  arenas[worst].memory = memory;
  arenas[worst].size = size;
}

static int same_dims(PyArrayObject *a, const Array *want) {
  if (PyArray_NDIM(a) != want->nd) return 0;
  const npy_intp *dims = PyArray_DIMS(a);
  for (int d = 0; d < want->nd; d++)
    if (dims[d] != want->dims[d]) return 0;
  return 1;
}

#define PLAIN (NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED)

static int fits(PyObject *x, const Array *want) {
  if (Py_TYPE(x) != &PyArray_Type) return 0;
  PyArrayObject *a = (PyArrayObject *)x;
  return PyArray_DESCR(a) == want->descr && (PyArray_FLAGS(a) & PLAIN) == PLAIN && same_dims(a, want);
}

static int matches(const Record *r, PyObject *const *args, Py_ssize_t n) {
  if (n != r->nin) return 0;
  for (int k = 0; k < r->nin; k++)
    if (!fits(args[k], &r->in[k])) return 0;
  return 1;
}

/* Whether an array that was a result is again as it was made, and nobody holds it, nor could. */
static int is_free(PyObject *x, const Array *want) {
  PyArrayObject *a = (PyArrayObject *)x;
  return Py_REFCNT(x) == 1 && ((PyArrayObject_fields *)a)->weakreflist == NULL && fits(x, want) &&
         PyArray_ISWRITEABLE(a) && PyArray_CHKFLAGS(a, NPY_ARRAY_OWNDATA) && PyArray_BASE(a) == NULL;
}

static PyObject *new_result(Array *want) {
  for (int k = 0; k < KEPT; k++) {
    PyObject *x = want->kept[k];
    if (x && is_free(x, want)) {
      want->kept[k] = NULL;
      return x;
    }
  }
  Py_INCREF(want->descr);
  return PyArray_NewFromDescr(&PyArray_Type, want->descr, want->nd, want->dims, NULL, NULL, 0, NULL);
}

/* Remember a result: in an empty place, or in that of one somebody holds, who now has it alone. */
static void keep_result(Array *want, PyObject *x) {
  if (want->bytes < keep_from || want->bytes > keep_to) return;
  Py_INCREF(x);
  PyObject *oldest = want->kept[KEPT - 1];
  for (int k = KEPT - 1; k > 0; k--) want->kept[k] = want->kept[k - 1];
  want->kept[0] = x;
  Py_XDECREF(oldest);
}

/* Whether the memory of `out`, which is contiguous, meets that of an argument. */
static int meets(PyArrayObject *out, PyObject *const *args, Py_ssize_t n) {
  const char *low = PyArray_BYTES(out), *high = low + PyArray_NBYTES(out);
  for (Py_ssize_t k = 0; k < n; k++) {
    PyArrayObject *a = (PyArrayObject *)args[k];
    if (PyArray_BYTES(a) < high && low < PyArray_BYTES(a) + PyArray_NBYTES(a)) return 1;
  }
  return 0;
}

static PyObject *hand_back(Record *r, PyObject **results) {
  if (!r->unflatten) return PyArray_Return((PyArrayObject *)results[0]);
  PyObject *tuple = r->unflatten == Py_None ? PyTuple_New(r->nout) : PyList_New(r->nout);
  for (int k = 0; k < r->nout; k++) {
    PyObject *x = tuple ? PyArray_Return((PyArrayObject *)results[k]) : (Py_DECREF(results[k]), NULL);
    if (tuple && !x) {
      Py_DECREF(tuple);
      tuple = NULL;
    }
    if (tuple && r->unflatten == Py_None) PyTuple_SET_ITEM(tuple, k, x);
    else if (tuple) PyList_SET_ITEM(tuple, k, x);
  }
  if (!tuple || r->unflatten == Py_None) return tuple;
  PyObject *value = PyObject_CallOneArg(r->unflatten, tuple);
  Py_DECREF(tuple);
  return value;
}

/* The arrays of `out`, an array or a tuple of them, if the results can be written there; else NULL. */
static PyObject *const *places(Record *r, PyObject *const *args, Py_ssize_t n, PyObject *const *out) {
  int tuple = r->unflatten == Py_None && PyTuple_CheckExact(*out) && PyTuple_GET_SIZE(*out) == r->nout;
  if (r->unflatten && !tuple) return NULL;
  PyObject *const *outs = tuple ? ((PyTupleObject *)*out)->ob_item : out;
  for (int k = 0; k < r->nout; k++) {
    if (!fits(outs[k], &r->out[k]) || !PyArray_ISWRITEABLE((PyArrayObject *)outs[k])) return NULL;
    if (meets((PyArrayObject *)outs[k], args, n) || meets((PyArrayObject *)outs[k], outs, k)) return NULL;
  }
  return outs;
}

static PyObject *run(Record *r, PyObject *const *args, Py_ssize_t n, PyObject *out) {
  void *buffers[MOST];
  PyObject *results[MOST];
  PyObject *const *outs = out ? places(r, args, n, &out) : NULL;
  if (out && !outs) Py_RETURN_NOTIMPLEMENTED;
  for (int k = 0; k < r->nout; k++) {
    results[k] = outs ? Py_NewRef(outs[k]) : new_result(&r->out[k]);
    if (!results[k]) { /* the long way says how much memory was wanted for what */
      while (k--) Py_DECREF(results[k]);
      PyErr_Clear();
      Py_RETURN_NOTIMPLEMENTED;
    }
  }
  memcpy(buffers, r->buffers, r->nbuffers * sizeof(void *));
  for (int k = 0; k < r->nin; k++) buffers[k] = PyArray_DATA((PyArrayObject *)args[k]);
  for (int k = 0; k < r->nout; k++) buffers[r->first_out + k] = PyArray_DATA((PyArrayObject *)results[k]);
  char *arena = NULL;
  long long *sizes = r->sizes, own[SIZES];
  size_t size = 0, need = r->arena;
  if (r->pooled) {
    PyObject *value = PyDict_GetItemWithError(settings, max_threads);
    long long threads = value ? PyLong_AsLongLong(value) : 1;
    memcpy(own, r->sizes, r->nsizes * sizeof(long long));
    own[r->nsizes - 1] = threads > 1 ? threads : 1;
    need += (own[r->nsizes - 1] - 1) * r->scratch;
    sizes = own;
  }
  if (need) {
    arena = take_arena(need, &size);
    if (!arena) {
      for (int k = 0; k < r->nout; k++) Py_DECREF(results[k]);
      Py_RETURN_NOTIMPLEMENTED;
    }
    for (int k = 0; k < r->nslices; k++) buffers[r->first_slice + k] = arena + r->offsets[k];
  }
  long long at[2] = {-1, 0}; /* how far the call has come */
  int again, stopped = 0;
  buffers[r->nbuffers - 1] = at;
  Py_INCREF(r); /* another thread may replace it while this one runs */
  do {
    if (r->release) {
      Py_BEGIN_ALLOW_THREADS
      again = r->entry(buffers, sizes) == AGAIN;
      Py_END_ALLOW_THREADS
    } else again = r->entry(buffers, sizes) == AGAIN;
    stopped = again && PyErr_CheckSignals(); /* Ctrl-C */
  } while (again && !stopped);
  if (arena) give_arena(arena, size);
  if (stopped) {
    for (int k = 0; k < r->nout; k++) Py_DECREF(results[k]);
    Py_DECREF(r);
    return NULL;
  }
  for (int k = 0; k < r->nout; k++) {
    if (out) Py_DECREF(results[k]);
    else keep_result(&r->out[k], results[k]);
  }
  PyObject *value = out ? Py_NewRef(out) : hand_back(r, results);
  Py_DECREF(r);
  return value;
}

/* The result of a plain call, or NotImplemented. */
static PyObject *attempt(Launch *self, PyObject *const *args, Py_ssize_t n, PyObject *out) {
  if (PyDict_GET_SIZE(running) || PyDict_GetItemWithError(settings, debug_nans) != Py_False) {
    if (PyErr_Occurred()) return NULL;
    Py_RETURN_NOTIMPLEMENTED;
  }
  for (int k = 0; k < self->n; k++)
    if (matches(self->records[k], args, n)) return run(self->records[k], args, n, out);
  Py_RETURN_NOTIMPLEMENTED;
}

/* launch(args, out): the result, or NotImplemented where the call is not one of the plain ones. */
static PyObject *launch_vectorcall(PyObject *callable, PyObject *const *argv, size_t nargsf, PyObject *names) {
  if (PyVectorcall_NARGS(nargsf) != 2 || names || !PyTuple_CheckExact(argv[0])) {
    PyErr_SetString(PyExc_TypeError, "a launch takes the tuple of the arguments, and out or None");
    return NULL;
  }
  PyObject *const *args = ((PyTupleObject *)argv[0])->ob_item;
  return attempt((Launch *)callable, args, PyTuple_GET_SIZE(argv[0]), argv[1] == Py_None ? NULL : argv[1]);
}
