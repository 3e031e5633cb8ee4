/* The module that Python loads. */
/* watch(running, settings, keep_from, keep_to): what every call looks at first. */
static PyObject *watch(PyObject *module, PyObject *args) {
  PyObject *a, *b;
  if (!PyArg_ParseTuple(args, "O!O!nn", &PyDict_Type, &a, &PyDict_Type, &b, &keep_from, &keep_to)) return NULL;
  Py_XSETREF(running, Py_NewRef(a));
  Py_XSETREF(settings, Py_NewRef(b));
  Py_RETURN_NONE;
}

static PyMethodDef methods[] = {{"watch", watch, METH_VARARGS, "What every call looks at first."}, {0}};

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
  PyObject *module = PyModule_Create(&definition);
  if (!module || !debug_nans || !max_threads || !out_name || !running || !settings) return NULL;
  if (PyModule_AddObjectRef(module, "Launch", (PyObject *)&LaunchType) < 0) return NULL;
  if (PyModule_AddObjectRef(module, "Writer", (PyObject *)&WriterType) < 0) return NULL;
  return module;
}
