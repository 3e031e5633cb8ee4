/* A call of compiled code. */

/* Whether x can be written into as it is. */
static int fits_out(PyObject *x, const Array *want) {
  if (Py_TYPE(x) != &PyArray_Type) return 0;
  PyArrayObject *a = (PyArrayObject *)x;
  PyArray_Descr *descr = PyArray_DESCR(a); /* an array that was pickled has one of its own */
  if (descr != want->descr && !PyArray_EquivTypes(descr, want->descr)) return 0;
  return (PyArray_FLAGS(a) & PLAIN) == PLAIN && PyArray_ISWRITEABLE(a) &&
         same_dims(a, want);
}

/* Whether the memory of `out`, which is contiguous, meets that of an array, contiguous as well. */
static int meets(PyArrayObject *out, const void *memory, npy_intp bytes) {
  const char *low = PyArray_BYTES(out), *high = low + PyArray_NBYTES(out), *other = memory;
  return other < high && low < other + bytes;
}

/* The arrays of `out`, an array or a tuple of them, if the results can be written there; else NULL. */
static PyObject *const *places(const Record *r, void *const *inputs, PyObject *const *out) {
  int tuple = r->result.kind == TUPLE && PyTuple_CheckExact(*out) && PyTuple_GET_SIZE(*out) == r->nout;
  if (r->result.kind != ARRAY && !tuple) return NULL;
  PyObject *const *outs = tuple ? ((PyTupleObject *)*out)->ob_item : out;
  for (int k = 0; k < r->nout; k++) {
    if (!fits_out(outs[k], &r->out[k])) return NULL;
    PyArrayObject *a = (PyArrayObject *)outs[k];
    for (int j = 0; j < r->nin; j++)
      if (meets(a, inputs[j], r->in[j].bytes)) return NULL;
    for (int j = 0; j < k; j++)
      if (meets(a, PyArray_DATA((PyArrayObject *)outs[j]), r->out[j].bytes)) return NULL;
  }
  return outs;
}

static void drop(PyObject **results, int n) {
  for (int k = 0; k < n; k++) Py_XDECREF(results[k]);
}

/* NotImplemented for what the long way can tell better: how much memory was wanted for what, for example. */
static PyObject *long_way(void) {
  if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_Exception)) return NULL;
  PyErr_Clear();
  Py_RETURN_NOTIMPLEMENTED;
}

/* Run the code until it has come to its end; nonzero where a signal stopped it. */
static int through(const Record *r, void **buffers, long long threads) {
  ft_call call = {r->pool, threads, {-1, 0}, 0};
  int again, stopped = 0;
  do {
    if (r->release) {
      Py_BEGIN_ALLOW_THREADS
      again = r->entry(buffers, r->sizes, &call) == FT_AGAIN;
      Py_END_ALLOW_THREADS
    } else again = r->entry(buffers, r->sizes, &call) == FT_AGAIN;
    stopped = again && PyErr_CheckSignals(); /* Ctrl-C */
  } while (again && !stopped);
  return stopped;
}

/* Memory for intermediate values, its slices among the buffers; NULL where none is needed, or with an error. `threads`
   are those that may share the work. */
static void *lay_arena(const Record *r, void **buffers, long long *threads) {
  size_t need = r->arena;
  if (r->pool) {
    PyObject *value = PyDict_GetItemWithError(settings, max_threads);
    long long most = value ? PyLong_AsLongLong(value) : 1;
    if (most > 1) *threads = most;
    need += (size_t)(*threads - 1) * r->scratch;
  }
  if (!need) return NULL;
  char *arena = take(need);
  if (!arena) return PyErr_NoMemory();
  memset(arena, 0, r->flags);
  for (int k = 0; k < r->nslices; k++) buffers[r->first_slice + k] = arena + r->offsets[k];
  return arena;
}

/* The call whose lists lie on a desk of r->desk bytes. */
static PyObject *run_at(const Record *r, Given *given, PyObject *out, void *desk) {
  Number *numbers = desk;
  long long threads = 1;
  void **buffers = (void **)(numbers + r->nin), *arena;
  PyObject **results = (PyObject **)(buffers + r->nbuffers), *value = NULL;
  memcpy(buffers, r->buffers, r->nbuffers * sizeof(void *));
  for (int k = 0; k < r->nin; k++)
    if (!(buffers[k] = address(&r->in[k], &given->leaf[k], &numbers[k]))) return long_way();
  PyObject *const *outs = out ? places(r, buffers, &out) : NULL;
  if (out && !outs) Py_RETURN_NOTIMPLEMENTED;
  for (int k = 0; k < r->nout; k++) {
    results[k] = outs ? Py_NewRef(outs[k]) : new_result(&r->out[k]);
    if (!results[k]) {
      drop(results, k);
      return long_way();
    }
    buffers[r->first_out + k] = PyArray_DATA((PyArrayObject *)results[k]);
  }
  arena = lay_arena(r, buffers, &threads);
  if (!arena && PyErr_Occurred()) {
    drop(results, r->nout);
    return long_way();
  }
  int stopped = through(r, buffers, threads);
  int refused = !stopped && r->flags && memchr(arena, 1, r->flags);
  if (arena) give(arena);
  if (refused) { /* the long way knows which one */
    drop(results, r->nout);
    Py_RETURN_NOTIMPLEMENTED;
  }
  if (!stopped) {
    PyObject **next = results;
    value = out ? Py_NewRef(out) : put_together(&r->result, &next);
  }
  if (stopped || out || !value) drop(results, r->nout);
  return value;
}

static PyObject *run(const Record *r, Given *given, PyObject *out) {
  if (r->desk <= DESK) {
    Number desk[DESK / sizeof(Number)];
    return run_at(r, given, out, desk);
  }
  void *desk = PyMem_Malloc(r->desk);
  if (!desk) return PyErr_NoMemory();
  PyObject *value = run_at(r, given, out, desk);
  PyMem_Free(desk);
  return value;
}

/* The result of a call, its arguments listed in `given`, or NotImplemented. */
static PyObject *attempt_with(Launch *self, PyObject *const *args, Py_ssize_t n, PyObject *kwargs, PyObject *out,
                              Given *given) {
  if (PyDict_GET_SIZE(running) || PyDict_GetItemWithError(settings, debug_nans) != Py_False) {
    if (PyErr_Occurred()) return NULL;
    Py_RETURN_NOTIMPLEMENTED;
  }
  for (int k = 0; k < self->n; k++) {
    Record *r = (Record *)Py_NewRef(self->records[k]); /* another thread may replace it meanwhile */
    int fits = r->nin <= given->room ? matches(r, args, n, kwargs, given) : 0; /* it may be newer than the room */
    PyObject *value = fits == 1 ? run(r, given, out) : fits ? long_way() : NULL;
    release_leaves(given);
    Py_DECREF(r);
    if (fits) return value;
  }
  Py_RETURN_NOTIMPLEMENTED;
}

static PyObject *attempt(Launch *self, PyObject *const *args, Py_ssize_t n, PyObject *kwargs, PyObject *out) {
  PyObject *usual[LEAVES];
  int many = self->leaves > LEAVES;
  Given given = {0, many ? self->leaves : LEAVES, many ? PyMem_New(PyObject *, self->leaves) : usual};
  if (!given.leaf) return PyErr_NoMemory();
  PyObject *value = attempt_with(self, args, n, kwargs, out, &given);
  if (many) PyMem_Free(given.leaf);
  return value;
}

/* launch(args, out, kwargs): the result, or NotImplemented where the call fits no signature. */
static PyObject *launch_vectorcall(PyObject *callable, PyObject *const *argv, size_t nargsf, PyObject *names) {
  Py_ssize_t n = PyVectorcall_NARGS(nargsf);
  if (n < 2 || n > 3 || names || !PyTuple_CheckExact(argv[0]) || (n == 3 && !PyDict_CheckExact(argv[2]))) {
    PyErr_SetString(PyExc_TypeError, "a launch takes the tuple of the arguments, out or None, and the keyword arguments");
    return NULL;
  }
  PyObject *const *args = ((PyTupleObject *)argv[0])->ob_item;
  return attempt((Launch *)callable, args, PyTuple_GET_SIZE(argv[0]), n == 3 ? argv[2] : NULL,
                 argv[1] == Py_None ? NULL : argv[1]);
}
