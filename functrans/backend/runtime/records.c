/* Signatures as they are added to a Launch, and the two as Python's types. */
static void free_arrays(Array *arrays, int n) {
  for (int k = 0; arrays && k < n; k++) {
    Py_XDECREF(arrays[k].descr);
    for (int j = 0; j < KEPT; j++) Py_XDECREF(arrays[k].kept[j]);
  }
  free(arrays);
}

static void record_dealloc(PyObject *x) {
  Record *r = (Record *)x;
  free_arrays(r->in, r->nin);
  free_arrays(r->out, r->nout);
  free(r->sizes);
  free(r->offsets);
  Py_XDECREF(r->keep);
  Py_XDECREF(r->unflatten);
  PyObject_Free(r);
}

static PyTypeObject RecordType = {
  PyVarObject_HEAD_INIT(NULL, 0).tp_name = "functrans_launch.Record", .tp_basicsize = sizeof(Record),
  .tp_dealloc = record_dealloc, .tp_flags = Py_TPFLAGS_DEFAULT, .tp_doc = "One signature.",
};

/* Descriptions of arrays from a tuple of (shape, dtype). */
static Array *arrays_of(PyObject *tuple) {
  Py_ssize_t n = PyTuple_GET_SIZE(tuple);
  Array *arrays = calloc(n ? n : 1, sizeof(Array));
  for (Py_ssize_t k = 0; arrays && k < n; k++) {
    PyObject *descr, *shape;
    if (!PyArg_ParseTuple(PyTuple_GET_ITEM(tuple, k), "O!O!", &PyTuple_Type, &shape, &PyArrayDescr_Type, &descr) ||
        PyTuple_GET_SIZE(shape) > NPY_MAXDIMS) goto bad;
    arrays[k].descr = (PyArray_Descr *)Py_NewRef(descr);
    arrays[k].nd = (int)PyTuple_GET_SIZE(shape);
    arrays[k].bytes = PyDataType_ELSIZE(arrays[k].descr);
    for (int d = 0; d < arrays[k].nd; d++) {
      arrays[k].dims[d] = PyLong_AsSsize_t(PyTuple_GET_ITEM(shape, d));
      arrays[k].bytes *= arrays[k].dims[d];
    }
    if (PyErr_Occurred()) goto bad;
  }
  if (!arrays) PyErr_NoMemory();
  return arrays;
bad:
  if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "too many dimensions");
  free_arrays(arrays, (int)n);
  return NULL;
}

/* add(entry, keep, inputs, captured, outputs, offsets, arena, sizes, pool, scratch, release, unflatten): one more signature. */
static PyObject *launch_add(PyObject *x, PyObject *args) {
  Launch *self = (Launch *)x;
  unsigned long long entry, pool;
  Py_ssize_t arena, scratch;
  int release;
  PyObject *keep, *in, *captured, *out, *slices, *sizes, *unflatten;
  if (!PyArg_ParseTuple(args, "KOO!O!O!O!nO!KnpO", &entry, &keep, &PyTuple_Type, &in, &PyTuple_Type, &captured,
                        &PyTuple_Type, &out, &PyTuple_Type, &slices, &arena, &PyTuple_Type, &sizes, &pool,
                        &scratch, &release, &unflatten))
    return NULL;
  Py_ssize_t nin = PyTuple_GET_SIZE(in), ncaptured = PyTuple_GET_SIZE(captured), nout = PyTuple_GET_SIZE(out),
             nslices = PyTuple_GET_SIZE(slices), nsizes = PyTuple_GET_SIZE(sizes);
  if (nin + ncaptured + nout + nslices + 2 > MOST || (pool && nsizes > SIZES)) Py_RETURN_FALSE;
  Record *r = PyObject_New(Record, &RecordType);
  if (!r) return NULL;
  memset((char *)r + sizeof(PyObject), 0, sizeof(Record) - sizeof(PyObject));
  r->entry = (Entry)(uintptr_t)entry;
  r->keep = Py_BuildValue("(OO)", keep, captured);
  r->unflatten = Py_IsFalse(unflatten) ? NULL : Py_NewRef(unflatten);
  r->release = release;
  r->arena = (size_t)arena;
  r->sizes = calloc(nsizes + 1, sizeof(long long));
  r->offsets = calloc(nslices + 1, sizeof(size_t));
  if ((r->in = arrays_of(in))) r->nin = (int)nin;
  if (r->in && (r->out = arrays_of(out))) r->nout = (int)nout;
  if (!r->keep || !r->out || !r->sizes || !r->offsets) goto bad;
  r->first_out = (int)(nin + ncaptured);
  r->nslices = (int)nslices;
  r->first_slice = r->first_out + r->nout;
  r->nbuffers = r->first_slice + r->nslices + 2;
  r->nsizes = (int)nsizes;
  r->scratch = (size_t)scratch;
  r->pooled = pool != 0;
  for (Py_ssize_t k = 0; k < ncaptured; k++) {
    if (!PyArray_Check(PyTuple_GET_ITEM(captured, k))) goto bad;
    r->buffers[nin + k] = PyArray_DATA((PyArrayObject *)PyTuple_GET_ITEM(captured, k));
  }
  for (Py_ssize_t k = 0; k < nslices; k++) r->offsets[k] = PyLong_AsSize_t(PyTuple_GET_ITEM(slices, k));
  for (Py_ssize_t k = 0; k < nsizes; k++) r->sizes[k] = PyLong_AsLongLong(PyTuple_GET_ITEM(sizes, k));
  for (int k = 0; k < r->nslices; k++) r->buffers[r->first_slice + k] = r->sizes; /* of size 0: never read */
  r->buffers[r->nbuffers - 2] = (void *)(uintptr_t)pool;
  if (PyErr_Occurred()) goto bad;
  Record *old = self->records[self->next];
  self->records[self->next] = r;
  self->next = (self->next + 1) % RECORDS;
  if (self->n < RECORDS) self->n++;
  Py_XDECREF(old);
  Py_RETURN_TRUE;
bad:
  if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "a signature that cannot be launched");
  Py_DECREF(r);
  return NULL;
}

static PyObject *launch_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
  Launch *self = (Launch *)type->tp_alloc(type, 0);
  if (self) self->vectorcall = launch_vectorcall;
  return (PyObject *)self;
}

static void launch_dealloc(PyObject *x) {
  Launch *self = (Launch *)x;
  for (int k = 0; k < RECORDS; k++) Py_XDECREF(self->records[k]);
  Py_TYPE(x)->tp_free(x);
}

static PyMethodDef launch_methods[] = {
  {"add", launch_add, METH_VARARGS, "One more signature; False where it has too many buffers."}, {0}};

static PyTypeObject LaunchType = {
  PyVarObject_HEAD_INIT(NULL, 0).tp_name = "functrans_launch.Launch", .tp_basicsize = sizeof(Launch),
  .tp_new = launch_new, .tp_dealloc = launch_dealloc, .tp_methods = launch_methods, .tp_call = PyVectorcall_Call,
  .tp_vectorcall_offset = offsetof(Launch, vectorcall),
  .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL, .tp_doc = "The signatures of one function.",
};
