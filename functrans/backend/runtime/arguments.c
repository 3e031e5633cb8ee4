/* Arguments that are taken apart as a signature says, and results that are put together. */
typedef union {
  double real[4]; /* as large as any element */
  long long integer;
  npy_bool truth;
} Number;

typedef struct {
  int n, room;
  PyObject **leaf; /* each held: a list or a dict may change while the call runs */
} Given;

static void release_leaves(Given *given) {
  while (given->n) Py_DECREF(given->leaf[--given->n]);
}

static int same_dims(PyArrayObject *a, const Array *want) {
  if (PyArray_NDIM(a) != want->nd) return 0;
  const npy_intp *dims = PyArray_DIMS(a);
  for (int d = 0; d < want->nd; d++)
    if (dims[d] != want->dims[d]) return 0;
  return 1;
}

/* Whether two dtypes are equal, as `==` says in Python. */
static int same_dtype(PyArray_Descr *a, PyArray_Descr *b) {
  if (a == b) return 1;
  return a->kind == b->kind && PyDataType_ELSIZE(a) == PyDataType_ELSIZE(b) && PyArray_EquivTypes(a, b);
}

static int fits_array(const Node *node, const Array *want, PyObject *x) {
  if (Py_TYPE(x) == &PyArray_Type)
    return same_dtype(PyArray_DESCR((PyArrayObject *)x), node->descr) && same_dims((PyArrayObject *)x, want);
  return want->nd == 0 && node->descr == want->descr && Py_TYPE(x) == want->descr->typeobj; /* a NumPy scalar */
}

static int same_bits(const void *a, const void *b, size_t n) { return memcmp(a, b, n) == 0; }

/* Whether two values of static arguments are one for `exact` of static.py; -1 with an error. */
static int same_value(PyObject *a, PyObject *b) {
  if (Py_TYPE(a) != Py_TYPE(b)) return 0;
  if (PyFloat_CheckExact(a)) return same_bits(&((PyFloatObject *)a)->ob_fval, &((PyFloatObject *)b)->ob_fval, 8);
  if (PyComplex_CheckExact(a)) return same_bits(&((PyComplexObject *)a)->cval, &((PyComplexObject *)b)->cval, 16);
  if (!PyTuple_CheckExact(a)) return PyObject_RichCompareBool(a, b, Py_EQ);
  if (PyTuple_GET_SIZE(a) != PyTuple_GET_SIZE(b)) return 0;
  for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(a); k++) {
    int same = same_value(PyTuple_GET_ITEM(a, k), PyTuple_GET_ITEM(b, k));
    if (same != 1) return same;
  }
  return 1;
}

static int fits_fixed(const Node *node, PyObject *x) {
  if (Py_TYPE(x) != Py_TYPE(node->info)) return 0;
  if (node->hash != -1) {
    Py_hash_t hash = PyObject_Hash(x);
    if (hash == -1) return -1;
    if (hash != node->hash) return 0;
  }
  return same_value(node->info, x);
}

static int take_apart(const Record *r, const Node *node, PyObject *x, Given *given);

static int take_child(const Record *r, const Node *child, PyObject *x, Given *given) {
  Py_INCREF(x); /* what a class or a comparison of the user's runs may drop it */
  int fits = take_apart(r, child, x, given);
  Py_DECREF(x);
  return fits;
}

static int take_list(const Record *r, const Node *node, PyObject *x, Given *given) {
  if (PyList_GET_SIZE(x) != node->n) return 0;
  for (int k = 0; k < node->n; k++) {
    if (k >= PyList_GET_SIZE(x)) return 0;
    int fits = take_child(r, &node->child[k], PyList_GET_ITEM(x, k), given);
    if (fits != 1) return fits;
  }
  return 1;
}

static int take_tuple(const Record *r, const Node *node, PyObject *x, Given *given) {
  if (PyTuple_GET_SIZE(x) != node->n) return 0;
  for (int k = 0; k < node->n; k++) {
    int fits = take_apart(r, &node->child[k], PyTuple_GET_ITEM(x, k), given);
    if (fits != 1) return fits;
  }
  return 1;
}

/* By the names, which are texts: that their number and each of them agree is all that sorting them could show. */
static int take_dict(const Record *r, const Node *node, PyObject *x, Given *given) {
  if (PyDict_GET_SIZE(x) != node->n) return 0;
  for (int k = 0; k < node->n; k++) {
    PyObject *item = PyDict_GetItemWithError(x, PyTuple_GET_ITEM(node->info, k));
    if (!item) return PyErr_Occurred() ? -1 : 0;
    int fits = take_child(r, &node->child[k], item, given);
    if (fits != 1) return fits;
  }
  return 1;
}

static int take_registered(const Record *r, const Node *node, PyObject *x, Given *given) {
  PyObject *parts = PyObject_CallOneArg(node->how, x);
  if (!parts) return -1;
  int fits = 0;
  if (PyTuple_CheckExact(parts) && PyTuple_GET_SIZE(parts) == 2) {
    PyObject *children = PyTuple_GET_ITEM(parts, 0);
    fits = same_value(node->info, PyTuple_GET_ITEM(parts, 1));
    if (fits == 1)
      fits = PyTuple_CheckExact(children) ? take_tuple(r, node, children, given)
             : PyList_CheckExact(children) ? take_list(r, node, children, given) : 0;
  }
  Py_DECREF(parts);
  return fits;
}

/* Whether x is what a node says, its leaves added to those that are given; -1 with an error. */
static int take_apart(const Record *r, const Node *node, PyObject *x, Given *given) {
  int overflow;
  long long value;
  switch (node->kind) {
  case ARRAY:
    if (!fits_array(node, &r->in[given->n], x)) return 0;
    break;
  case FLOAT:
    if (!PyFloat_CheckExact(x)) return 0;
    break;
  case INT:
    if (!PyLong_CheckExact(x)) return 0;
    value = PyLong_AsLongLongAndOverflow(x, &overflow);
    if (overflow || value < node->low || value > node->high) return 0;
    break;
  case BOOL:
    if (!PyBool_Check(x)) return 0;
    break;
  case COMPLEX:
    if (!PyComplex_CheckExact(x)) return 0;
    break;
  case NONE: return x == Py_None;
  case TUPLE: return PyTuple_CheckExact(x) ? take_tuple(r, node, x, given) : 0;
  case LIST: return PyList_CheckExact(x) ? take_list(r, node, x, given) : 0;
  case DICT: return PyDict_CheckExact(x) ? take_dict(r, node, x, given) : 0;
  case NAMED: return (PyObject *)Py_TYPE(x) == node->type ? take_tuple(r, node, x, given) : 0;
  case REGISTERED: return (PyObject *)Py_TYPE(x) == node->type ? take_registered(r, node, x, given) : 0;
  case FIXED: return fits_fixed(node, x);
  }
  given->leaf[given->n++] = Py_NewRef(x);
  return 1;
}

/* Whether the arguments fit a record, their leaves in `given`; -1 with an error. */
static int matches(const Record *r, PyObject *const *args, Py_ssize_t n, PyObject *kwargs, Given *given) {
  if (n != r->args.n || (kwargs ? PyDict_GET_SIZE(kwargs) : 0) != r->kwargs.n) return 0;
  if (r->registered >= 0 && r->registered != PyDict_GET_SIZE(registered)) return 0;
  int fits = 1;
  for (int k = 0; fits == 1 && k < n; k++) fits = take_apart(r, &r->args.child[k], args[k], given);
  for (int k = 0; fits == 1 && k < r->kwargs.n; k++) {
    PyObject *x = PyDict_GetItemWithError(kwargs, PyTuple_GET_ITEM(r->names, k));
    fits = x ? take_child(r, &r->kwargs.child[k], x, given) : PyErr_Occurred() ? -1 : 0;
  }
  if (fits != 1) release_leaves(given);
  return fits;
}

/* The address of an argument as compiled code reads it: where it lies, a number put down, or a copy, which takes the
   place of the argument; NULL with an error. */
static void *address(const Array *want, PyObject **leaf, Number *number) {
  PyObject *x = *leaf;
  if (Py_TYPE(x) == &PyArray_Type) {
    PyArrayObject *a = (PyArrayObject *)x;
    if ((PyArray_FLAGS(a) & PLAIN) == PLAIN && !PyArray_ISBYTESWAPPED(a)) return PyArray_DATA(a);
    Py_INCREF(want->descr);
    PyObject *copy = PyArray_FromArray(a, want->descr, PLAIN | NPY_ARRAY_NOTSWAPPED);
    if (!copy) return NULL;
    Py_SETREF(*leaf, copy);
    return PyArray_DATA((PyArrayObject *)copy);
  }
  if (PyFloat_CheckExact(x)) number->real[0] = PyFloat_AS_DOUBLE(x);
  else if (PyBool_Check(x)) number->truth = x == Py_True;
  else if (PyLong_CheckExact(x)) number->integer = PyLong_AsLongLong(x);
  else if (PyComplex_CheckExact(x)) *(Py_complex *)number = ((PyComplexObject *)x)->cval;
  else PyArray_ScalarAsCtype(x, number);
  return number;
}

/* A value of the structure of the results, which are taken over; NULL with an error. */
static PyObject *put_together(const Node *node, PyObject ***results) {
  if (node->kind == ARRAY) {
    PyObject *x = *(*results)++;
    PyObject *value = PyArray_Return((PyArrayObject *)x);
    (*results)[-1] = NULL;
    return value;
  }
  if (node->kind == NONE) Py_RETURN_NONE;
  int listed = node->kind == LIST;
  PyObject *items = listed ? PyList_New(node->n) : PyTuple_New(node->n);
  for (int k = 0; items && k < node->n; k++) {
    PyObject *x = put_together(&node->child[k], results);
    if (!x) Py_CLEAR(items);
    else if (listed) PyList_SET_ITEM(items, k, x);
    else PyTuple_SET_ITEM(items, k, x);
  }
  if (!items || node->kind == TUPLE || listed) return items;
  PyObject *value = NULL;
  if (node->kind == NAMED) value = PyObject_Call(node->type, items, NULL);
  else if (node->kind == REGISTERED) value = PyObject_CallFunctionObjArgs(node->how, node->info, items, NULL);
  else if ((value = PyDict_New()))
    for (int k = 0; value && k < node->n; k++)
      if (PyDict_SetItem(value, PyTuple_GET_ITEM(node->info, k), PyTuple_GET_ITEM(items, k))) Py_CLEAR(value);
  Py_DECREF(items);
  return value;
}
