/* The module that Python loads. */
/* watch(running, settings, registered, result_from, budget): what every call looks at first. */
static PyObject *watch(PyObject *module, PyObject *args) {
  PyObject *a, *b, *c;
  Py_ssize_t from, most;
  if (!PyArg_ParseTuple(args, "O!O!O!nn", &PyDict_Type, &a, &PyDict_Type, &b, &PyDict_Type, &c, &from, &most)) return NULL;
  result_from = (size_t)from;
  budget = (size_t)most;
  Py_XSETREF(running, Py_NewRef(a));
  Py_XSETREF(settings, Py_NewRef(b));
  Py_XSETREF(registered, Py_NewRef(c));
  Py_RETURN_NONE;
}

/* kept(): bytes that are kept for use again. */
static PyObject *kept(PyObject *module, PyObject *unused) { return PyLong_FromSize_t(kept_bytes); }

static PyMethodDef methods[] = {{"watch", watch, METH_VARARGS, "What every call looks at first."},
                                {"kept", kept, METH_NOARGS, "Bytes that are kept for use again."}, {0}};

static struct PyModuleDef definition = {
  PyModuleDef_HEAD_INIT, .m_name = "functrans_launch", .m_doc = "The launcher.", .m_size = -1, .m_methods = methods};

PyMODINIT_FUNC PyInit_functrans_launch(void) {
  import_array();
  if (PyType_Ready(&RecordType) < 0 || PyType_Ready(&LaunchType) < 0 || PyType_Ready(&WriterType) < 0) return NULL;
  debug_nans = PyUnicode_InternFromString("debug_nans");
  max_threads = PyUnicode_InternFromString("threads");
  out_name = PyUnicode_InternFromString("out");
  running = PyDict_New();
  settings = PyDict_New();
  registered = PyDict_New();
  handler = PyCapsule_New(&results_handler, "mem_handler", NULL);
  PyObject *module = PyModule_Create(&definition);
  if (!module || !debug_nans || !max_threads || !out_name || !running || !settings || !registered || !handler) return NULL;
  if (PyModule_AddObjectRef(module, "Launch", (PyObject *)&LaunchType) < 0) return NULL;
  if (PyModule_AddObjectRef(module, "Writer", (PyObject *)&WriterType) < 0) return NULL;
  return module;
}
