/* Signatures as they are added to a Launch, and the two as Python's types. */
static void clear_node(Node *node) {
  Py_CLEAR(node->type);
  Py_CLEAR(node->how);
  Py_CLEAR(node->info);
  Py_CLEAR(node->descr);
  for (int k = 0; k < node->n; k++) clear_node(&node->child[k]);
  node->n = 0;
  free(node->child);
  node->child = NULL;
}

static int visit_node(const Node *node, visitproc visit, void *arg) {
  Py_VISIT(node->type);
  Py_VISIT(node->how);
  Py_VISIT(node->info);
  for (int k = 0; k < node->n; k++) {
    int stop = visit_node(&node->child[k], visit, arg);
    if (stop) return stop;
  }
  return 0;
}

/* What may lead back to the function: values and classes of the user's. Kept until the record goes: it may be running. */
static int record_traverse(PyObject *x, visitproc visit, void *arg) {
  Record *r = (Record *)x;
  const Node *nodes[] = {&r->args, &r->kwargs, &r->result};
  for (int k = 0; k < 3; k++) {
    int stop = visit_node(nodes[k], visit, arg);
    if (stop) return stop;
  }
  Py_VISIT(r->keep);
  return 0;
}

static void free_arrays(Array *arrays, int n) {
  for (int k = 0; arrays && k < n; k++) Py_XDECREF(arrays[k].descr);
  free(arrays);
}

static void record_dealloc(PyObject *x) {
  Record *r = (Record *)x;
  PyObject_GC_UnTrack(x);
  clear_node(&r->args);
  clear_node(&r->kwargs);
  clear_node(&r->result);
  free_arrays(r->in, r->nin);
  free_arrays(r->out, r->nout);
  free(r->sizes);
  free(r->buffers);
  free(r->offsets);
  Py_XDECREF(r->keep);
  Py_XDECREF(r->names);
  PyObject_GC_Del(r);
}

static PyTypeObject RecordType = {
  PyVarObject_HEAD_INIT(NULL, 0).tp_name = "functrans_launch.Record", .tp_basicsize = sizeof(Record),
  .tp_dealloc = record_dealloc, .tp_traverse = record_traverse, .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
  .tp_doc = "One signature.",
};

/* A node from (kind, type, how, info, children) of signature.py; nonzero with an error. What is made so far is freed
   with the record. `leaves` counts the leaves. */
static int read_node(Node *node, PyObject *x, int *leaves) {
  int kind;
  PyObject *type, *how, *info, *children;
  if (!PyTuple_Check(x) || !PyArg_ParseTuple(x, "iOOOO!", &kind, &type, &how, &info, &PyTuple_Type, &children)) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "a node of a signature is a tuple");
    return -1;
  }
  node->kind = (Kind)kind;
  node->type = Py_NewRef(type);
  node->how = Py_NewRef(how);
  node->info = Py_NewRef(info);
  *leaves += kind <= COMPLEX;
  if (kind == ARRAY && PyArray_DescrCheck(info)) node->descr = (PyArray_Descr *)Py_NewRef(info);
  if (kind == INT && !PyArg_ParseTuple(info, "LL", &node->low, &node->high)) return -1;
  node->hash = kind == FIXED && how != Py_None ? (Py_hash_t)PyLong_AsSsize_t(how) : -1;
  if (PyErr_Occurred()) return -1;
  Py_ssize_t n = PyTuple_GET_SIZE(children);
  node->child = calloc(n ? n : 1, sizeof(Node));
  if (!node->child) return PyErr_NoMemory(), -1;
  for (Py_ssize_t k = 0; k < n; k++) {
    node->n = (int)k + 1;
    if (read_node(&node->child[k], PyTuple_GET_ITEM(children, k), leaves)) return -1;
  }
  return 0;
}

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

/* The structure of arguments and of results from (args, names, kwargs, result, registered); nonzero with an error. */
static int read_structure(Record *r, PyObject *x) {
  PyObject *args, *names, *kwargs, *result;
  int in = 0, out = 0;
  if (!PyArg_ParseTuple(x, "OO!OOn", &args, &PyTuple_Type, &names, &kwargs, &result, &r->registered)) return -1;
  r->names = Py_NewRef(names);
  if (read_node(&r->args, args, &in) || read_node(&r->kwargs, kwargs, &in) || read_node(&r->result, result, &out)) return -1;
  return in == r->nin && out == r->nout && r->kwargs.n == PyTuple_GET_SIZE(names) ? 0 : -1;
}

/* add(structure, entry, keep, inputs, captured, outputs, offsets, arena, flags, sizes, pool, scratch, release): one more signature. */
static PyObject *launch_add(PyObject *x, PyObject *args) {
  Launch *self = (Launch *)x;
  unsigned long long entry, pool;
  Py_ssize_t arena, flags, scratch;
  int release;
  PyObject *structure, *keep, *in, *captured, *out, *slices, *sizes;
  if (!PyArg_ParseTuple(args, "O!KOO!O!O!O!nnO!Knp", &PyTuple_Type, &structure, &entry, &keep, &PyTuple_Type, &in,
                        &PyTuple_Type, &captured, &PyTuple_Type, &out, &PyTuple_Type, &slices, &arena, &flags, &PyTuple_Type,
                        &sizes, &pool, &scratch, &release))
    return NULL;
  Py_ssize_t nin = PyTuple_GET_SIZE(in), ncaptured = PyTuple_GET_SIZE(captured), nout = PyTuple_GET_SIZE(out),
             nslices = PyTuple_GET_SIZE(slices), nsizes = PyTuple_GET_SIZE(sizes);
  Record *r = PyObject_GC_New(Record, &RecordType);
  if (!r) return NULL;
  memset((char *)r + sizeof(PyObject), 0, sizeof(Record) - sizeof(PyObject));
  r->entry = (Entry)(uintptr_t)entry;
  r->keep = Py_BuildValue("(OO)", keep, captured);
  r->release = release;
  r->arena = (size_t)arena;
  r->flags = (size_t)flags;
  r->sizes = calloc(nsizes + 1, sizeof(long long));
  r->buffers = calloc(nin + ncaptured + nout + nslices + 1, sizeof(void *));
  r->offsets = calloc(nslices + 1, sizeof(size_t));
  if ((r->in = arrays_of(in))) r->nin = (int)nin;
  if (r->in && (r->out = arrays_of(out))) r->nout = (int)nout;
  if (!r->keep || !r->out || !r->sizes || !r->buffers || !r->offsets) goto bad;
  r->first_out = (int)(nin + ncaptured);
  r->nslices = (int)nslices;
  r->first_slice = r->first_out + r->nout;
  r->nbuffers = r->first_slice + r->nslices;
  r->desk = nin * sizeof(Number) + (r->nbuffers + nout) * sizeof(void *);
  r->scratch = (size_t)scratch;
  r->pool = (ft_pool *)(uintptr_t)pool;
  for (Py_ssize_t k = 0; k < ncaptured; k++) {
    if (!PyArray_Check(PyTuple_GET_ITEM(captured, k))) goto bad;
    r->buffers[nin + k] = PyArray_DATA((PyArrayObject *)PyTuple_GET_ITEM(captured, k));
  }
  for (Py_ssize_t k = 0; k < nslices; k++) r->offsets[k] = PyLong_AsSize_t(PyTuple_GET_ITEM(slices, k));
  for (Py_ssize_t k = 0; k < nsizes; k++) r->sizes[k] = PyLong_AsLongLong(PyTuple_GET_ITEM(sizes, k));
  for (int k = 0; k < r->nslices; k++) r->buffers[r->first_slice + k] = r->sizes; /* of size 0: never read */
  if (PyErr_Occurred() || read_structure(r, structure)) goto bad;
  PyObject_GC_Track((PyObject *)r);
  Record *old = self->records[self->next];
  self->records[self->next] = r;
  self->next = (self->next + 1) % RECORDS;
  if (self->n < RECORDS) self->n++;
  if (self->leaves < r->nin) self->leaves = r->nin;
  Py_XDECREF(old);
  Py_RETURN_NONE;
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

static int launch_traverse(PyObject *x, visitproc visit, void *arg) {
  Launch *self = (Launch *)x;
  for (int k = 0; k < RECORDS; k++) Py_VISIT(self->records[k]);
  return 0;
}

static int launch_clear(PyObject *x) {
  Launch *self = (Launch *)x;
  self->n = 0;
  for (int k = 0; k < RECORDS; k++) Py_CLEAR(self->records[k]);
  return 0;
}

static void launch_dealloc(PyObject *x) {
  PyObject_GC_UnTrack(x);
  launch_clear(x);
  Py_TYPE(x)->tp_free(x);
}

static PyMethodDef launch_methods[] = {
  {"add", launch_add, METH_VARARGS, "One more signature."}, {0}};

static PyTypeObject LaunchType = {
  PyVarObject_HEAD_INIT(NULL, 0).tp_name = "functrans_launch.Launch", .tp_basicsize = sizeof(Launch),
  .tp_new = launch_new, .tp_dealloc = launch_dealloc, .tp_methods = launch_methods, .tp_call = PyVectorcall_Call,
  .tp_traverse = launch_traverse, .tp_clear = launch_clear, .tp_vectorcall_offset = offsetof(Launch, vectorcall),
  .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_HAVE_GC, .tp_doc = "The signatures of one function.",
};
