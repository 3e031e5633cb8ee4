/* f(*args, out=buffer) of a method whose buffers are known, each with the launch that writes it: one call, no frame. */
typedef struct {
  PyObject_HEAD
  vectorcallfunc vectorcall;
  PyObject *known, *method, *dict; /* id of a buffer to its launch; what takes any other call */
} Writer;

static PyObject *writer_vectorcall(PyObject *callable, PyObject *const *argv, size_t nargsf, PyObject *names) {
  Writer *self = (Writer *)callable;
  Py_ssize_t n = PyVectorcall_NARGS(nargsf);
  if (names && PyTuple_GET_SIZE(names) == 1 && PyTuple_GET_ITEM(names, 0) == out_name) {
    PyObject *number = PyLong_FromVoidPtr(argv[n]), *result = NULL;
    PyObject *launch = number ? PyDict_GetItemWithError(self->known, number) : NULL;
    Py_XDECREF(number);
    if (launch && Py_TYPE(launch) == &LaunchType) {
      Py_INCREF(launch); /* another thread may forget the buffer while this one runs */
      result = attempt((Launch *)launch, argv, n, NULL, argv[n]);
      Py_DECREF(launch);
      if (result != Py_NotImplemented) return result;
      Py_DECREF(result);
    }
    if (PyErr_Occurred()) return NULL;
  }
  return PyObject_Vectorcall(self->method, argv, nargsf, names);
}

static PyObject *writer_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
  PyObject *known, *method;
  if (!PyArg_ParseTuple(args, "O!O", &PyDict_Type, &known, &method)) return NULL;
  Writer *self = (Writer *)type->tp_alloc(type, 0);
  if (!self) return NULL;
  self->vectorcall = writer_vectorcall;
  self->known = Py_NewRef(known);
  self->method = Py_NewRef(method);
  return (PyObject *)self;
}

static int writer_traverse(PyObject *x, visitproc visit, void *arg) {
  Writer *self = (Writer *)x;
  Py_VISIT(self->known);
  Py_VISIT(self->method);
  Py_VISIT(self->dict);
  return 0;
}

static int writer_clear(PyObject *x) {
  Writer *self = (Writer *)x;
  Py_CLEAR(self->known);
  Py_CLEAR(self->method);
  Py_CLEAR(self->dict);
  return 0;
}

static void writer_dealloc(PyObject *x) {
  PyObject_GC_UnTrack(x);
  writer_clear(x);
  Py_TYPE(x)->tp_free(x);
}

/* Pickled as the method is: by its owner and its name. */
static PyObject *writer_reduce(PyObject *x, PyObject *unused) {
  return PyObject_CallMethod(((Writer *)x)->method, "__reduce__", NULL);
}

static PyObject *writer_repr(PyObject *x) { return PyObject_Repr(((Writer *)x)->method); }

static PyMethodDef writer_methods[] = {{"__reduce__", writer_reduce, METH_NOARGS, "As the method."}, {0}};

static PyGetSetDef writer_getset[] = {{"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict}, {0}};

static PyTypeObject WriterType = {
  PyVarObject_HEAD_INIT(NULL, 0).tp_name = "functrans_launch.Writer", .tp_basicsize = sizeof(Writer),
  .tp_new = writer_new, .tp_dealloc = writer_dealloc, .tp_methods = writer_methods, .tp_getset = writer_getset,
  .tp_traverse = writer_traverse, .tp_clear = writer_clear, .tp_repr = writer_repr, .tp_call = PyVectorcall_Call,
  .tp_vectorcall_offset = offsetof(Writer, vectorcall), .tp_dictoffset = offsetof(Writer, dict),
  .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_HAVE_GC,
  .tp_doc = "A method that writes into known buffers.",
};
